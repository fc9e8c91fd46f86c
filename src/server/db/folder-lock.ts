import { createHash } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

export type FolderLock = { release(): Promise<void> };

/** Another process uses the folder. The message is for the operator. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
  constructor(folder: string, holder: string) {
    super(
      `The data folder ${folder} is in use by ${holder}. Stop that process, or set DATA_DIR to another folder, or ` +
        'DATABASE_URL to a PostgreSQL server, which several processes can share.',
    );
  }
}

/**
 * Lets only one process use the folder, which must exist. The lock ends with the process, even on kill -9.
 * @throws FolderInUseError
 */
export function lockFolder(folder: string, platform: NodeJS.Platform = process.platform): Promise<FolderLock> {
  const name = `city-climate-fund-${identityOf(folder)}`;
  if (platform === 'linux') return lockOnLinux(folder, `\0${name}`);
  if (platform === 'win32') return lockBySocket(folder, `\\\\.\\pipe\\${name}`);
  return lockByPidFile(folder);
}

/** The same for every path to the folder. */
function identityOf(folder: string): string {
  const { dev, ino } = fs.statSync(folder, { bigint: true });
  return createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 16);
}

async function lockBySocket(folder: string, address: string): Promise<FolderLock> {
  const socket = await holdSocket(address);
  if (socket === undefined) throw new FolderInUseError(folder, holderOf(folder));
  fs.writeFileSync(holderFile(folder), `${process.pid} ${os.hostname()}`);
  return {
    release: async () => {
      fs.rmSync(holderFile(folder), { force: true });
      await socket.close();
    },
  };
}

/**
 * An abstract socket exists only in its network namespace, so two containers sharing a volume could both have the lock.
 * Hence a second socket, inside the folder. It is not enough alone: replacing a dead process's socket is a race.
 */
async function lockOnLinux(folder: string, address: string): Promise<FolderLock> {
  const socketFile = path.join(folder, 'in-use.sock');
  if (await isHeld(socketFile)) throw new FolderInUseError(folder, holderOf(folder));
  const lock = await lockBySocket(folder, address);
  const shared = await holdSocketFile(socketFile);
  return {
    release: async () => {
      await shared?.close();
      await lock.release();
    },
  };
}

/** Undefined where the file system has no sockets or the path is too long for one. */
async function holdSocketFile(socketFile: string): Promise<HeldSocket | undefined> {
  try {
    fs.rmSync(socketFile, { force: true });
    return await holdSocket(socketFile);
  } catch {
    return undefined;
  }
}

async function lockByPidFile(folder: string): Promise<FolderLock> {
  const file = path.join(fs.realpathSync(folder), 'in-use.pid');
  const pid = takePidFile(file);
  if (pid !== undefined) throw new FolderInUseError(folder, `process ${pid}`);
  return { release: async () => leavePidFile(file) };
}

/** Names the lock's holder, for the error message. */
function holderFile(folder: string): string {
  return path.join(folder, 'in-use.txt');
}

function holderOf(folder: string): string {
  const note = fs.existsSync(holderFile(folder)) ? fs.readFileSync(holderFile(folder), 'utf8') : '';
  const [pid, ...host] = note.split(' ');
  if (!pid) return 'another process';
  return host.join(' ') === os.hostname() ? `process ${pid}` : `process ${pid} on ${host.join(' ')}`;
}

export type HeldSocket = { close(): Promise<void> };

/**
 * Listens on a socket path, an abstract socket or a named pipe until the process ends. Does not keep the process alive.
 * @returns undefined if another process listens there
 */
export function holdSocket(address: string): Promise<HeldSocket | undefined> {
  return new Promise((resolve, reject) => {
    const server = net.createServer((visitor) => visitor.destroy());
    server.unref();
    server.once('error', (error) => {
      if ('code' in error && error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(address, () => {
      resolve({ close: () => new Promise((closed) => server.close(() => closed())) });
    });
  });
}

/** Whether a process listens there. The socket file of a dead process may still exist. */
export function isHeld(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(address, () => {
      resolve(true);
      socket.destroy();
    });
    socket.on('error', () => resolve(false));
  });
}

/** Held by this process. After a restart in a container, a dead holder's pid may be our own. */
const held = new Set<string>();

/**
 * Locks with a pid file, for systems without a lock that ends with the process. A reused pid counts as alive: a false
 * refusal is only a message, but a false permission would lose data.
 * @returns the pid of the living holder, or undefined if the lock is ours now
 * @throws Error when the file is not a pid file
 */
export function takePidFile(path: string): number | undefined {
  const own = `${path}.${process.pid}`;
  fs.writeFileSync(own, String(process.pid));
  try {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      // Linking is atomic, and the file has its content from the start.
      if (tryLink(own, path)) {
        held.add(path);
        return undefined;
      }
      const holder = readPid(path);
      if (holder !== undefined && isAlive(holder, path)) return holder;
      if (holder !== undefined) removeStale(path, holder);
    }
    throw new Error(`The file ${path} cannot be taken. Delete it when no other process uses this folder.`);
  } finally {
    fs.rmSync(own, { force: true });
  }
}

export function leavePidFile(path: string): void {
  if (held.delete(path)) fs.rmSync(path, { force: true });
}

function tryLink(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function readPid(path: string): number | undefined {
  try {
    return Number.parseInt(fs.readFileSync(path, 'utf8'), 10);
  } catch {
    return undefined;
  }
}

function isAlive(pid: number, path: string): boolean {
  if (pid === process.pid) return held.has(path);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is alive, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Removes a dead process's file. If another process has just taken the lock, puts its file back. */
function removeStale(path: string, dead: number): void {
  const aside = `${path}.${dead}-gone-${process.pid}`;
  try {
    fs.renameSync(path, aside);
  } catch {
    return; // Another process was faster.
  }
  if (readPid(aside) !== dead) tryLink(aside, path);
  fs.rmSync(aside);
}
