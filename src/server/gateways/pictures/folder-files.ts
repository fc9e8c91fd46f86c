import fs from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '#server/db/sync-folder.ts';
import { newId } from '#server/ids.ts';
import type { PictureFile, PictureFiles } from './picture-files.ts';

/** Pictures in a folder of this machine. */
export function folderFiles(location: string): PictureFiles {
  const folder = path.resolve(location);
  return {
    put: (name, bytes) => putDurably(folder, name, bytes),
    get: (name) => openFile(path.join(folder, name)),
    removeAll: (key) => fs.rm(path.join(folder, key), { recursive: true, force: true }),
  };
}

/** Written beside, synced and renamed in: a file under its own name is whole, also after a power cut. */
async function putDurably(folder: string, name: string, bytes: Buffer): Promise<void> {
  const target = path.join(folder, name);
  const within = path.dirname(target);
  const firstMade = await fs.mkdir(within, { recursive: true });
  const part = `${target}.${newId()}.part`;
  try {
    await fs.writeFile(part, bytes, { flag: 'wx', flush: true });
    await fs.rename(part, target);
  } catch (error) {
    await fs.rm(part, { force: true });
    throw error;
  }
  await syncUpTo(within, firstMade);
}

/** Syncs the folder that holds the new name, and those above it that were made for it. */
async function syncUpTo(folder: string, firstMade: string | undefined): Promise<void> {
  const last = firstMade ? path.dirname(firstMade) : folder;
  await syncFolder(folder, { deep: false });
  if (folder !== last && folder !== path.dirname(folder)) await syncUpTo(path.dirname(folder), firstMade);
}

async function openFile(location: string): Promise<PictureFile | undefined> {
  const handle = await fs.open(location).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!handle) return undefined;
  const { size } = await handle.stat();
  return { stream: handle.createReadStream(), bytes: size };
}
