import fs from 'node:fs/promises';
import path from 'node:path';

/** Syncs a folder to disk, including its contents unless `deep` is false. */
export async function syncFolder(folder: string, { deep = true } = {}): Promise<void> {
  const entries = deep ? await fs.readdir(folder, { withFileTypes: true }) : [];
  const folders = entries.filter((entry) => entry.isDirectory());
  await Promise.all(
    entries.filter((entry) => entry.isFile()).map((file) => syncEntry(path.join(folder, file.name), 'r+')),
  );
  for (const entry of folders) await syncFolder(path.join(folder, entry.name));
  // Windows can't sync folders and doesn't need to.
  if (process.platform !== 'win32') await syncEntry(folder, 'r');
}

async function syncEntry(name: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await fs.open(name, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
