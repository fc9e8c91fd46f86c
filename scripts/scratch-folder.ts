import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const MEMORY_DISK = '/dev/shm';
const REQUIRED_BYTES = 2 * 1024 ** 3;

/** A temporary folder for a test, in memory if possible: the embedded database waits for the disk at each commit. */
export async function scratchFolder(subject: string): Promise<string> {
  return fs.mkdtemp(path.join((await hasMemoryDisk()) ? MEMORY_DISK : os.tmpdir(), `city-climate-fund-${subject}-`));
}

async function hasMemoryDisk(): Promise<boolean> {
  try {
    const { bavail, bsize } = await fs.statfs(MEMORY_DISK);
    await fs.access(MEMORY_DISK, fs.constants.W_OK);
    return bavail * bsize > REQUIRED_BYTES;
  } catch {
    return false;
  }
}
