import { rmSync } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const MEMORY_DISK = '/dev/shm';
const REQUIRED_BYTES = 2 * 1024 ** 3;
/** Names the folder that has those of a run of tests. */
const OF_RUN = 'SCRATCH_FOLDER';

/** A temporary folder for a test, in memory if possible. */
export async function scratchFolder(subject: string): Promise<string> {
  const parent = process.env[OF_RUN] ?? ((await hasMemoryDisk()) ? MEMORY_DISK : os.tmpdir());
  const folder = await fs.mkdtemp(path.join(parent, `city-climate-fund-${subject}-`));
  // PostgreSQL runs as another user, and has to reach its own folder inside.
  await fs.chmod(folder, 0o711);
  return folder;
}

/** From now on the folders of this process, and of those that it starts, are in one that is deleted when this one ends. */
export async function keepScratchTogether(): Promise<void> {
  if (process.env[OF_RUN] !== undefined) return;
  const folder = await scratchFolder('tests');
  process.env[OF_RUN] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
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
