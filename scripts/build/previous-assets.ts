import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Files that Vite names by their content: none of them changes under its name. */
const ASSETS = 'assets';
/** When each file of an earlier build was replaced. */
const RECORD = '.vite/replaced.json';
const KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * Copies what the last build had under `assets` into the next one: a page that was opened before an upgrade still loads
 * its other parts from there. What was replaced more than a day ago is left out.
 * @param last a built web client; it may be missing
 */
export async function keepPreviousAssets(last: string, next: string, now: Date): Promise<void> {
  const current = new Set(await namesIn(path.join(next, ASSETS)));
  const earlier = await recordOf(last);
  const replaced: Record<string, string> = {};
  for (const name of await namesIn(path.join(last, ASSETS))) {
    const since = earlier[name] ?? now.toISOString();
    if (current.has(name) || now.getTime() - Date.parse(since) > KEPT_MS) continue;
    await cp(path.join(last, ASSETS, name), path.join(next, ASSETS, name));
    replaced[name] = since;
  }
  await mkdir(path.join(next, path.dirname(RECORD)), { recursive: true });
  await writeFile(path.join(next, RECORD), JSON.stringify(replaced));
}

async function namesIn(folder: string): Promise<string[]> {
  return ifThere(readdir(folder), []);
}

async function recordOf(folder: string): Promise<Readonly<Record<string, string>>> {
  return JSON.parse(await ifThere(readFile(path.join(folder, RECORD), 'utf8'), '{}'));
}

async function ifThere<T>(reading: Promise<T>, otherwise: T): Promise<T> {
  return reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return otherwise;
  });
}
