import { rmSync } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const MEMORY_DISK = '/dev/shm';
const REQUIRED_BYTES = 2 * 1024 ** 3;
/** Environment variable with the scratch folder of a test run. */
const RUN_FOLDER_VARIABLE = 'SCRATCH_FOLDER';

/** A temporary folder for a test, in memory if possible. */
export async function createScratchFolder(subject: string): Promise<string> {
  const parent = process.env[RUN_FOLDER_VARIABLE] ?? ((await hasMemoryDisk()) ? MEMORY_DISK : os.tmpdir());
  const folder = await fs.mkdtemp(path.join(parent, `city-climate-fund-${subject}-`));
  // PostgreSQL runs under another account, which must be able to enter this folder.
  await fs.chmod(folder, 0o711);
  return folder;
}

/** Makes this process and its children create scratch folders in one folder, which is deleted when this process ends. */
export async function groupScratchFolders(): Promise<void> {
  if (process.env[RUN_FOLDER_VARIABLE] !== undefined) return;
  const folder = await createScratchFolder('tests');
  process.env[RUN_FOLDER_VARIABLE] = folder;
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
