import { randomUUID } from 'node:crypto';
import { expect, inject } from 'vitest';
import { type Database, openDatabase } from '#server/db/connection.ts';
import { deferCleanup } from './defer-cleanup.ts';
import { createLogSpy } from './log-spy.ts';
import { copyDatabase, runStatements } from './postgres-server.ts';

/** The location of a test file's database, as `openDatabase` takes it. */
export type DatabaseLocation = { readonly databaseUrl: string; readonly dataDir: string };

/**
 * A migrated, empty database for this test file. Call this at the top of the file. The database is removed after the
 * last test, which fails if it logged a warning.
 */
export async function createTestDatabase(): Promise<Database> {
  return (await openTestDatabase()).db;
}

/** The same database with its location, for tests that open more connections. */
export async function openTestDatabase(): Promise<{ readonly db: Database; readonly location: DatabaseLocation }> {
  const { log, loggedProblems } = createLogSpy();
  const location = await createTestDatabaseLocation();
  // Each connection costs a process, which first reads the catalog. A busy machine may take seconds to respond, which
  // isn't an outage.
  const db = await openDatabase({ ...location, log, poolSize: 4, limits: { responseMs: 30_000 } });
  deferCleanup(async () => {
    await db.close();
    expect(loggedProblems).toEqual([]);
  });
  return { db, location };
}

/** The location of a migrated, empty database that isn't open yet. It's removed after the file's last test. */
export async function createTestDatabaseLocation(): Promise<DatabaseLocation> {
  const server = inject('postgresUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const databaseUrl = await copyDatabase(server, { from: 'template', to: name });
  deferCleanup(() => runStatements(server, `drop database ${name} with (force)`));
  return { databaseUrl, dataDir: '' };
}
