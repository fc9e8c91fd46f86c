import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';

/** Size on disk in blocks, as `du` counts it. */
export async function measureMegabytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  let blocks = 0;
  for (const entry of entries) blocks += (await lstat(path.join(entry.parentPath, entry.name))).blocks;
  return Math.round((blocks * 512) / 1_000_000);
}
