import fs from 'node:fs/promises';
import path from 'node:path';

/** Waits until a folder, with all that is in it unless `deep` is false, is on the disk. */
export async function syncFolder(folder: string, { deep = true } = {}): Promise<void> {
  const entries = deep ? await fs.readdir(folder, { withFileTypes: true }) : [];
  const folders = entries.filter((entry) => entry.isDirectory());
  // Those that wait together share what the disk does for them.
  await Promise.all(
    entries.filter((entry) => entry.isFile()).map((file) => syncOne(path.join(folder, file.name), 'r+')),
  );
  for (const each of folders) await syncFolder(path.join(folder, each.name));
  // Windows has no such thing for a folder, and needs none.
  if (process.platform !== 'win32') await syncOne(folder, 'r');
}

async function syncOne(name: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await fs.open(name, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
