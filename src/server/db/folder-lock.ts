import { createHash } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

export type FolderLock = { release(): Promise<void> };

/** Another process uses the folder. The message is a sentence for the operator. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
  constructor(folder: string, holder: string) {
    super(
      `The data folder ${folder} is in use by ${holder}. Stop that one first, or give this one a folder of its own ` +
        '(DATA_DIR) or a PostgreSQL server, which many may share (DATABASE_URL).',
    );
  }
}

/**
 * Makes sure that one process at a time works in the folder, which must exist. The lock falls when the process ends,
 * even by kill -9. Fails with a FolderInUseError.
 */
export function lockFolder(folder: string, platform: NodeJS.Platform = process.platform): Promise<FolderLock> {
  const name = `city-climate-fund-${identityOf(folder)}`;
  if (platform === 'linux') return lockOnLinux(folder, `\0${name}`);
  if (platform === 'win32') return lockBySocket(folder, `\\\\.\\pipe\\${name}`);
  return lockByPidFile(folder);
}

/** The same for every path that leads to the folder. */
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
 * An abstract socket is seen only inside its network namespace, so that two containers with one volume would both
 * have the lock. A socket in the folder is seen by both; alone it would not do, since taking a dead one's place is
 * not safe for two at once.
 */
async function lockOnLinux(folder: string, address: string): Promise<FolderLock> {
  const sign = path.join(folder, 'in-use.sock');
  if (await isHeld(sign)) throw new FolderInUseError(folder, holderOf(folder));
  const lock = await lockBySocket(folder, address);
  const shown = await showSign(sign);
  return {
    release: async () => {
      await shown?.close();
      await lock.release();
    },
  };
}

/** Some file systems hold no sockets, and a path may be too long for one: then there is no sign, and the lock holds. */
async function showSign(sign: string): Promise<HeldSocket | undefined> {
  try {
    fs.rmSync(sign, { force: true });
    return await holdSocket(sign);
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

/** Who has the lock, for people: the lock itself does not tell, and its holder may be too busy to be asked. */
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
 * Listens on a local address: a socket's path, an abstract socket, a named pipe. Answers undefined when somebody
 * listens there already. The operating system lets go of it when the process ends, however it ends; it does not keep
 * the process alive.
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

/** Whether a living process listens on a local address. The file of a dead one's socket may lie there all the same. */
export function isHeld(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    // The system connects, even when the holder is too busy to notice.
    const socket = net.connect(address, () => {
      resolve(true);
      socket.destroy();
    });
    socket.on('error', () => resolve(false));
  });
}

/** Paths that this very process holds: after a restart in a container the dead holder's pid may be our own. */
const held = new Set<string>();

/**
 * Takes a file that holds our pid, for systems without a lock that dies with the process. Answers the pid of the
 * living process that has it, or undefined when it is ours now. A pid that was given anew to an unrelated process
 * counts as living: a false refusal is told to a person, a false permission would lose data. Fails when the file is
 * not one of ours.
 */
export function takePidFile(path: string): number | undefined {
  const own = `${path}.${process.pid}`;
  fs.writeFileSync(own, String(process.pid));
  try {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      // A link comes into being with its content, and only one of two that try gets it.
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
    // No right to signal it: it lives, as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Takes a dead process's file away; should another have taken the lock just now, its file is put back. */
function removeStale(path: string, dead: number): void {
  const aside = `${path}.${dead}-gone-${process.pid}`;
  try {
    fs.renameSync(path, aside);
  } catch {
    return; // Another took it away at the same moment.
  }
  if (readPid(aside) !== dead) tryLink(aside, path);
  fs.rmSync(aside);
}
