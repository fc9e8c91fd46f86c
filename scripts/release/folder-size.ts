import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** As `du` counts: blocks on the disk, not bytes. */
export async function megabytesOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  let blocks = 0;
  for (const entry of entries) blocks += (await stat(path.join(entry.parentPath, entry.name))).blocks;
  return Math.round((blocks * 512) / 1_000_000);
}
