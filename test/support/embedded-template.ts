import fs from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { scratchFolder } from '#scripts/scratch-folder.ts';
import { type Database, openDatabase } from '#server/db/connection.ts';
import { migrate } from '#server/db/migrate.ts';
import { emptyDatabase } from './empty-database.ts';
import { watchedLog } from './watched-log.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder with a migrated database in it, to be copied. */
    embeddedTemplate: string;
  }
}

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
