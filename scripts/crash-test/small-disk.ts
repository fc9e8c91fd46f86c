import { execFile } from 'node:child_process';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A disk that can be filled up, on Linux and as root. */
export type SmallDisk = {
  fill(): Promise<void>;
  makeRoom(): Promise<void>;
  unmount(): Promise<void>;
};

const MEGABYTES = 1000;

/** Creates a folder and mounts the disk there. */
export async function mountSmallDisk(folder: string, owner?: { readonly uid: number }): Promise<SmallDisk> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Without an owner, the folder belongs to root, and PostgreSQL's user must be able to enter it.
  const access = owner ? ['mode=0700', `uid=${owner.uid}`] : ['mode=0711'];
  const options = [`size=${MEGABYTES}m`, ...access];
  await run('mount', ['-t', 'tmpfs', '-o', options.join(), 'crash-test', folder]);
  const ballast = path.join(folder, 'ballast');
  return {
    fill: async () => {
      const { bavail, bsize } = await statfs(folder);
      // Writing fails if another process has just taken the remaining space.
      await writeFile(ballast, Buffer.alloc(bavail * bsize)).catch(() => {});
    },
    makeRoom: () => rm(ballast, { force: true }),
    unmount: async () => void (await run('umount', ['--lazy', folder])),
  };
}
