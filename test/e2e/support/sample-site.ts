import { cpSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { scratchFolder } from '#scripts/scratch-folder.ts';
import { emptyDatabase } from '#test/support/empty-database.ts';
import { type OwnServer, startServer } from '#test/support/own-server.ts';

/** Where the workers find the data folder that is made before they start. */
const SAMPLE_DATA = 'SAMPLE_DATA';

/**
 * Makes a data folder with the sample organization, once a run: that takes ten times as long as to copy it.
 * @returns what takes it away again
 */
export async function makeSampleData(): Promise<() => Promise<void>> {
  const empty = await scratchFolder('empty');
  cpSync(await emptyDatabase(), path.join(empty, 'db'), { recursive: true });
  const site = await startServer({ from: empty });
  await rm(empty, { recursive: true, force: true });
  await site.stop();
  if (site.errors.length > 0) throw new Error(`The sample could not be made:\n${site.errors.join('\n')}`);
  process.env[SAMPLE_DATA] = site.dataDir;
  return () => site.clean();
}

/** Starts the program with its own sample data. */
export async function startSampleSite(env: Readonly<Record<string, string>>): Promise<OwnServer> {
  return startServer({ env, from: process.env[SAMPLE_DATA] });
}
