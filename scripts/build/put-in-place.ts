import { rename, rm } from 'node:fs/promises';

/** Replaces a folder by its draft at once, so that nobody who reads meanwhile finds half of one. */
export async function putInPlace(draft: string, folder: string): Promise<void> {
  const last = `${folder}.old`;
  await rm(last, { recursive: true, force: true });
  await rename(folder, last).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(draft, folder);
  await rm(last, { recursive: true, force: true });
}
