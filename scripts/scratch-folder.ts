import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 2 * 1024 ** 3;

/**
 * A new folder for something that lives as long as a test: in memory where there is room, since the embedded database
 * waits for the disk at each commit, as it should, and that would be most of the time of the tests.
 */
export async function scratchFolder(subject: string): Promise<string> {
  return fs.mkdtemp(path.join((await hasRoom()) ? IN_MEMORY : os.tmpdir(), `city-climate-fund-${subject}-`));
}

async function hasRoom(): Promise<boolean> {
  try {
    const { bavail, bsize } = await fs.statfs(IN_MEMORY);
    await fs.access(IN_MEMORY, fs.constants.W_OK);
    return bavail * bsize > ENOUGH_BYTES;
  } catch {
    return false;
  }
}
