import { execFile } from 'node:child_process';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A disk that can be filled up, on Linux and as root. */
export type SmallDisk = {
  fill(): Promise<void>;
  clear(): Promise<void>;
  unmount(): Promise<void>;
};

const SIZE_MB = 1000;

/** Creates a folder and mounts the disk there. */
export async function mountSmallDisk(folder: string, owner?: { readonly uid: number }): Promise<SmallDisk> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // If there is no owner, the folder belongs to root, but PostgreSQL's user must be able to enter it.
  const access = owner ? ['mode=0700', `uid=${owner.uid}`] : ['mode=0711'];
  const options = [`size=${SIZE_MB}m`, ...access];
  await run('mount', ['-t', 'tmpfs', '-o', options.join(), 'crash-test', folder]);
  const ballast = path.join(folder, 'ballast');
  return {
    fill: async () => {
      const { bavail, bsize } = await statfs(folder);
      // Writing fails if another process has just taken the remaining space.
      await writeFile(ballast, Buffer.alloc(bavail * bsize)).catch(() => {});
    },
    clear: () => rm(ballast, { force: true }),
    unmount: async () => void (await run('umount', ['--lazy', folder])),
  };
}
