import { rename, rm } from 'node:fs/promises';

/** Replaces a folder with its draft by renaming, so readers never see a partial folder. */
export async function replaceFolder(draft: string, folder: string): Promise<void> {
  const previous = `${folder}.old`;
  await rm(previous, { recursive: true, force: true });
  await rename(folder, previous).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(draft, folder);
  await rm(previous, { recursive: true, force: true });
}
