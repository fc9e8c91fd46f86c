import { rename, rm } from 'node:fs/promises';

/** Replaces a folder with its staging folder by renaming, so readers never see a partial folder. */
export async function replaceFolder(stagingFolder: string, folder: string): Promise<void> {
  const previous = `${folder}.old`;
  await rm(previous, { recursive: true, force: true });
  await rename(folder, previous).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(stagingFolder, folder);
  await rm(previous, { recursive: true, force: true });
}
