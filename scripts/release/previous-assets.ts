import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Folder of files that Vite names by a hash of their content, so they never change. */
const ASSETS_FOLDER = 'assets';
/** File that stores when each file of an earlier build was replaced. */
const RECORD_FILE = '.vite/replaced.json';
const RETENTION_MS = 24 * 60 * 60 * 1000;

/**
 * Copies the assets of the previous build into the next one, so that pages opened before an upgrade can still load more of
 * their files. Leaves out files that were replaced more than a day ago.
 * @param previousFolder folder of the previous web client; it may be missing
 */
export async function copyPreviousAssets(previousFolder: string, newFolder: string, now: Date): Promise<void> {
  const currentNames = new Set(await listNames(path.join(newFolder, ASSETS_FOLDER)));
  const earlierRecord = await readRecord(previousFolder);
  const newRecord: Record<string, string> = {};
  for (const name of await listNames(path.join(previousFolder, ASSETS_FOLDER))) {
    const replacedAt = earlierRecord[name] ?? now.toISOString();
    if (currentNames.has(name) || now.getTime() - Date.parse(replacedAt) > RETENTION_MS) continue;
    await cp(path.join(previousFolder, ASSETS_FOLDER, name), path.join(newFolder, ASSETS_FOLDER, name));
    newRecord[name] = replacedAt;
  }
  await mkdir(path.join(newFolder, path.dirname(RECORD_FILE)), { recursive: true });
  await writeFile(path.join(newFolder, RECORD_FILE), JSON.stringify(newRecord));
}

async function listNames(folder: string): Promise<string[]> {
  return withFallback(readdir(folder), []);
}

async function readRecord(folder: string): Promise<Readonly<Record<string, string>>> {
  return JSON.parse(await withFallback(readFile(path.join(folder, RECORD_FILE), 'utf8'), '{}'));
}

async function withFallback<T>(content: Promise<T>, fallback: T): Promise<T> {
  return content.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return fallback;
  });
}
