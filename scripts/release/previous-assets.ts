import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Folder of files that Vite names by their content, so they never change. */
const ASSETS = 'assets';
/** File that stores when each file of an earlier build was replaced. */
const RECORD = '.vite/replaced.json';
const RETENTION_MS = 24 * 60 * 60 * 1000;

/**
 * Copies the assets of the previous build into the next one, so that pages opened before an upgrade can still load more of
 * their files. Leaves out files that were replaced more than a day ago.
 * @param previousFolder folder of the previous web client; it may be missing
 */
export async function copyPreviousAssets(last: string, next: string, now: Date): Promise<void> {
  const current = new Set(await namesIn(path.join(next, ASSETS)));
  const earlierRecord = await recordOf(last);
  const replaced: Record<string, string> = {};
  for (const name of await namesIn(path.join(last, ASSETS))) {
    const since = earlierRecord[name] ?? now.toISOString();
    if (current.has(name) || now.getTime() - Date.parse(since) > RETENTION_MS) continue;
    await cp(path.join(last, ASSETS, name), path.join(next, ASSETS, name));
    replaced[name] = since;
  }
  await mkdir(path.join(next, path.dirname(RECORD)), { recursive: true });
  await writeFile(path.join(next, RECORD), JSON.stringify(replaced));
}

async function namesIn(folder: string): Promise<string[]> {
  return ifExists(readdir(folder), []);
}

async function recordOf(folder: string): Promise<Readonly<Record<string, string>>> {
  return JSON.parse(await ifExists(readFile(path.join(folder, RECORD), 'utf8'), '{}'));
}

async function ifExists<T>(content: Promise<T>, fallback: T): Promise<T> {
  return content.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return fallback;
  });
}
