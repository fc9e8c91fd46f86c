import fs from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { scratchFolder } from '#scripts/scratch-folder.ts';
import { type Database, openDatabase } from '#server/db/connection.ts';
import { migrate } from '#server/db/migrate.ts';
import { emptyDatabase } from './empty-database.ts';
import { watchedLog } from './watched-log.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder with a migrated database, for copying. */
    embeddedTemplate: string;
  }
}

/** Once per run: creates a migrated embedded database for the test files to copy. */
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

/** Two thirds of the files are templates for `create database`. Without them, copying takes a third of the time. */
async function dropSpareDatabases({ pool }: Database): Promise<void> {
  await pool.query('update pg_database set datistemplate = false');
  await pool.query('drop database template0');
  await pool.query('drop database template1');
}
