import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { openDatabase } from '#server/db/connection.ts';
import { watchedLog } from './watched-log.ts';

const CACHE = 'build/test-databases';

/** A data folder with an empty database, cached across runs because creating it takes seconds. */
export async function emptyDatabase(): Promise<string> {
  const cached = path.join(CACHE, await fingerprint());
  if (await exists(cached)) return cached;
  const draft = `${cached}.new-${process.pid}`;
  const database = await openDatabase({ dataDir: draft, log: watchedLog().log });
  await database.close();
  await fs.rename(draft, cached).catch(() => fs.rm(draft, { recursive: true, force: true }));
  return cached;
}

/** A hash of what the empty database depends on. */
async function fingerprint(): Promise<string> {
  const sources = ['package-lock.json', 'src/server/db/prepare-folder.ts', 'src/server/db/embedded.ts'];
  const hash = createHash('sha256');
  for (const source of sources) hash.update(await fs.readFile(source));
  return hash.digest('hex').slice(0, 16);
}

function exists(folder: string): Promise<boolean> {
  return fs.access(folder).then(
    () => true,
    () => false,
  );
}
