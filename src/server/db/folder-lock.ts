import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type HeldSocket, holdSocket, isHeld } from './exclusive-socket.ts';
import { leavePidFile, takePidFile } from './pid-file.ts';

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
  fs.writeFileSync(noteIn(folder), `${process.pid} ${os.hostname()}`);
  return {
    release: async () => {
      fs.rmSync(noteIn(folder), { force: true });
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
function noteIn(folder: string): string {
  return path.join(folder, 'in-use.txt');
}

function holderOf(folder: string): string {
  const note = fs.existsSync(noteIn(folder)) ? fs.readFileSync(noteIn(folder), 'utf8') : '';
  const [pid, ...host] = note.split(' ');
  if (!pid) return 'another process';
  return host.join(' ') === os.hostname() ? `process ${pid}` : `process ${pid} on ${host.join(' ')}`;
}
