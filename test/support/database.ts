import { randomUUID } from 'node:crypto';
import { expect, inject } from 'vitest';
import { type Database, openDatabase } from '#server/db/connection.ts';
import { deferCleanup } from './defer-cleanup.ts';
import { createLogSpy } from './log-spy.ts';
import { copyDatabase, runStatements } from './postgres-server.ts';

/** The location of a test file's database, as `openDatabase` takes it. */
export type DatabaseLocation = { readonly databaseUrl: string; readonly dataDir: string };

/**
 * A migrated, empty database for this test file. Call this at the top of the file. The database is dropped after the
 * last test. The file fails if the database logged a warning.
 */
export async function createTestDatabase(): Promise<Database> {
  return (await openTestDatabase()).db;
}

/** Like `createTestDatabase`, but also returns the location, for tests that open more connections. */
export async function openTestDatabase(): Promise<{ readonly db: Database; readonly location: DatabaseLocation }> {
  const { log, loggedProblems } = createLogSpy();
  const location = await createTestDatabaseLocation();
  // The pool is small because each connection starts a process, which first reads the catalog. On a busy machine, a
  // response can take seconds without an outage.
  const db = await openDatabase({ ...location, log, poolSize: 4, limits: { responseMs: 30_000 } });
  deferCleanup(async () => {
    await db.close();
    expect(loggedProblems).toEqual([]);
  });
  return { db, location };
}

/** The location of a migrated, empty database that isn't open yet. It's dropped after the file's last test. */
export async function createTestDatabaseLocation(): Promise<DatabaseLocation> {
  const server = inject('postgresUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const databaseUrl = await copyDatabase(server, { from: 'template', to: name });
  deferCleanup(() => runStatements(server, `drop database ${name} with (force)`));
  return { databaseUrl, dataDir: '' };
}
