import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { scratchFolder } from '#scripts/scratch-folder.ts';
import { FolderInUseError, type FolderLock, holdSocket, lockFolder } from '#server/db/folder-lock.ts';

let folder: string;
const locks: FolderLock[] = [];

beforeEach(async () => {
  folder = await scratchFolder('lock');
});
afterEach(async () => {
  for (const lock of locks.splice(0)) await lock.release();
  await fs.rm(folder, { recursive: true });
});

async function lock(name: string, platform?: NodeJS.Platform): Promise<FolderLock> {
  const held = await lockFolder(name, platform);
  locks.push(held);
  return held;
}

const pidFile = () => path.join(folder, 'in-use.pid');

/** The pid of a process that has ended. */
async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid ?? 0;
}

// What the platform of the tests has, and the way of the platforms without a lock that dies with its process.
const ways: NodeJS.Platform[] = [process.platform, 'darwin'];

test.each(ways)('a folder is locked once at a time, and again after its release (%s)', async (platform) => {
  const first = await lock(folder, platform);
  await expect(lock(folder, platform)).rejects.toThrow(FolderInUseError);
  await first.release();
  await lock(folder, platform);
});

test.each(ways)('another path to the same folder is the same folder (%s)', async (platform) => {
  await lock(folder, platform);
  const link = path.join(folder, 'link');
  await fs.symlink(folder, link);
  await expect(lock(link, platform)).rejects.toThrow(FolderInUseError);
});

test.each(ways)('different folders are locked at once (%s)', async (platform) => {
  const other = await fs.mkdtemp(path.join(folder, 'other-'));
  await lock(folder, platform);
  await lock(other, platform);
});

test('the refusal names the folder and the process, and says what to do', async () => {
  await lock(folder);
  await expect(lock(folder)).rejects.toThrow(
    `The data folder ${folder} is in use by process ${process.pid}. Stop that process, or set DATA_DIR to another folder, or ` +
      'DATABASE_URL to a PostgreSQL server, which several processes can share.',
  );
});

test.runIf(process.platform === 'linux')(
  'a process of another container is seen by its sign in the folder',
  async () => {
    // It holds an abstract socket too, but in its own network namespace, where it is not seen from here.
    const sign = await holdSocket(path.join(folder, 'in-use.sock'));
    await expect(lock(folder)).rejects.toThrow('is in use by another process.');
    await fs.writeFile(path.join(folder, 'in-use.txt'), '7 box-2');
    await expect(lock(folder)).rejects.toThrow('is in use by process 7 on box-2.');
    await sign?.close();
    await lock(folder);
  },
);

test.runIf(process.platform === 'linux')(
  'a folder with too long a path for a sign is locked all the same',
  async () => {
    const deep = path.join(folder, 'd'.repeat(120));
    await fs.mkdir(deep);
    await lock(deep);
    await expect(lock(deep)).rejects.toThrow(FolderInUseError);
  },
);

test('the pid file of a living process is respected', async () => {
  await fs.writeFile(pidFile(), String(process.ppid));
  await expect(lock(folder, 'darwin')).rejects.toThrow(`in use by process ${process.ppid}`);
  expect(await fs.readFile(pidFile(), 'utf8')).toBe(String(process.ppid));
});

test('the pid file of a dead process is taken over', async () => {
  await fs.writeFile(pidFile(), String(await endedPid()));
  await lock(folder, 'darwin');
  expect(await fs.readFile(pidFile(), 'utf8')).toBe(String(process.pid));
});

test('a pid file with our own pid that we did not write is from before a restart', async () => {
  await fs.writeFile(pidFile(), String(process.pid));
  await lock(folder, 'darwin');
  await expect(lock(folder, 'darwin')).rejects.toThrow(FolderInUseError);
});

test('an invalid pid file is left alone, and named', async () => {
  await fs.writeFile(pidFile(), 'dear diary');
  await expect(lock(folder, 'darwin')).rejects.toThrow(`The file ${pidFile()} cannot be taken. Delete it when`);
  expect(await fs.readFile(pidFile(), 'utf8')).toBe('dear diary');
});

test.each(ways)('a released lock leaves nothing behind (%s)', async (platform) => {
  const held = await lock(folder, platform);
  expect(await fs.readdir(folder)).not.toEqual([]);
  await held.release();
  expect(await fs.readdir(folder)).toEqual([]);
});
