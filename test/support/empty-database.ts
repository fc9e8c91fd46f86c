import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { openDatabase } from '#server/db/connection.ts';
import { watchedLog } from './watched-log.ts';

const KEPT = 'build/test-databases';

/** A data folder with an empty database, kept from run to run since it takes seconds to make. */
export async function emptyDatabase(): Promise<string> {
  const kept = path.join(KEPT, await fingerprint());
  if (await exists(kept)) return kept;
  const beside = `${kept}.new-${process.pid}`;
  const database = await openDatabase({ dataDir: beside, log: watchedLog().log });
  await database.close();
  await fs.rename(beside, kept).catch(() => fs.rm(beside, { recursive: true, force: true }));
  return kept;
}

/** What an empty database depends on. */
async function fingerprint(): Promise<string> {
  const sources = ['package-lock.json', 'src/server/db/prepare-folder.ts', 'src/server/db/embedded-folder.ts'];
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
