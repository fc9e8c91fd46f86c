import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { scratchFolder } from '#scripts/scratch-folder.ts';
import { type Database, openDatabase } from '#server/db/connection.ts';
import { migrate } from '#server/db/migrate.ts';
import { watchedLog } from './watched-log.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder with a migrated database in it, to be copied. */
    embeddedTemplate: string;
  }
}

const KEPT = 'build/test-databases';

/** Once a run: a migrated embedded database, closed, for the test files to copy. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await scratchFolder('template');
  await fs.cp(await emptyDatabase(), dataDir, { recursive: true });
  const database = await openDatabase({ dataDir, log: watchedLog().log });
  await migrate(database);
  await dropSpareDatabases(database);
  await database.close();
  project.provide('embeddedTemplate', dataDir);
  return () => fs.rm(dataDir, { recursive: true, force: true });
}

/** Two thirds of the files are databases that only `create database` copies: without them a copy takes a third. */
async function dropSpareDatabases({ pool }: Database): Promise<void> {
  await pool.query('update pg_database set datistemplate = false');
  await pool.query('drop database template0');
  await pool.query('drop database template1');
}

/** A data folder with an empty database, kept from run to run since it takes seconds to make. */
async function emptyDatabase(): Promise<string> {
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
