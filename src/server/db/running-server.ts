import fs from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { getEmbeddedFolder } from './data-folder.ts';
import { hasCode } from './error-codes.ts';

export const SUPERUSER = 'fund';
const DATABASE_NAME = 'postgres';
/** Part of the socket's name. Except on Windows, the server doesn't listen on a network address. */
export const SOCKET_PORT = 5432;

export type ServerPaths = {
  readonly dataDir: string;
  readonly folder: string;
  readonly cluster: string;
  readonly passwordFile: string;
  /** Contains the id of the process that started the server. */
  readonly programPidFile: string;
};

export function getServerPaths(dataDir: string): ServerPaths {
  const folder = getEmbeddedFolder(path.resolve(dataDir));
  return {
    dataDir,
    folder,
    cluster: path.join(folder, 'data'),
    passwordFile: path.join(folder, 'password'),
    programPidFile: path.join(folder, 'program.pid'),
  };
}

/** Thrown if another process uses the data folder. The message is for the operator. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
  constructor(dataDir: string, holder: string) {
    super(
      `The data folder ${dataDir} is in use by ${holder}. Stop that process, or set DATA_DIR to another folder, or ` +
        'DATABASE_URL to a PostgreSQL server, which several processes can share.',
    );
  }
}

/** @throws FolderInUseError if a server runs in the data folder */
export async function requireStopped(dataDir: string): Promise<void> {
  const paths = getServerPaths(dataDir);
  if (await findRunningServer(paths)) throw new FolderInUseError(dataDir, await describeHolder(paths));
}

/** A server's address. The host is the socket's folder or a network address. */
export type Address = { readonly host: string; readonly port: number };

/** @returns the server that accepts connections now, according to `postmaster.pid` */
export async function findRunningServer({ cluster }: ServerPaths): Promise<Address | undefined> {
  const text = await fs.readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'EACCES')) throw error;
    return '';
  });
  // Lines of the file: process, folder, start time, port, socket folder, network address.
  const [, , , port, socketFolder, networkAddress] = text.split('\n').map((line) => line.trim());
  const address = { port: Number(port), host: socketFolder || networkAddress || '' };
  if (!address.port || !address.host) return undefined;
  return (await acceptsConnections(address)) ? address : undefined;
}

function acceptsConnections({ host, port }: Address): Promise<boolean> {
  const socket = path.isAbsolute(host) ? net.connect(getSocketPath(host)) : net.connect(port, host);
  return new Promise((resolve) => {
    const finish = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}

export function getSocketPath(folder: string): string {
  return path.join(folder, `.s.PGSQL.${SOCKET_PORT}`);
}

export async function buildConnectionUrl({ passwordFile }: ServerPaths, { host, port }: Address): Promise<string> {
  const password = (await fs.readFile(passwordFile, 'utf8')).trim();
  return `postgres://${SUPERUSER}:${password}@localhost/${DATABASE_NAME}?host=${encodeURIComponent(host)}&port=${port}`;
}

/** Describes the process that uses the folder. */
export async function describeHolder(paths: ServerPaths): Promise<string> {
  const programPid = await readPid(paths.programPidFile);
  if (programPid !== undefined && programPid !== process.pid && isAlive(programPid)) return `process ${programPid}`;
  const serverPid = await readPid(path.join(paths.cluster, 'postmaster.pid'));
  return serverPid === undefined ? 'another process' : `its PostgreSQL server, process ${serverPid}`;
}

export async function readPid(file: string): Promise<number | undefined> {
  const pid = Number.parseInt(await fs.readFile(file, 'utf8').catch(() => ''), 10);
  return pid > 0 ? pid : undefined;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists but belongs to another user.
    return hasCode(error, 'EPERM');
  }
}
