import { randomUUID } from 'node:crypto';
import { afterAll, expect, inject } from 'vitest';
import { type Database, openDatabase } from '#server/db/connection.ts';
import { copyDatabase, runStatements } from './postgres-server.ts';
import { watchedLog } from './watched-log.ts';

/** The location of a test file's database, as `openDatabase` takes it. */
export type DatabasePlace = { readonly databaseUrl: string; readonly dataDir: string };

/**
 * A migrated, empty database for this test file. Call it at the top of the file: it is removed after
 * the last test, which fails if the database logged a warning.
 */
export async function testDatabase(): Promise<Database> {
  return (await openTestDatabase()).db;
}

/** The same with its location, for tests that open further connections. */
export async function openTestDatabase(): Promise<{ readonly db: Database; readonly place: DatabasePlace }> {
  const { log, complaints } = watchedLog();
  const place = await testDatabasePlace();
  const db = await openDatabase({ ...place, log });
  afterAll(async () => {
    await db.close();
    expect(complaints).toEqual([]);
  });
  return { db, place };
}

/** Location of a migrated, empty database that isn't open yet. It is removed after the last test of the file. */
export async function testDatabasePlace(): Promise<DatabasePlace> {
  const server = inject('postgresUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const databaseUrl = await copyDatabase(server, { from: 'template', to: name });
  afterAll(() => runStatements(server, `drop database ${name} with (force)`));
  return { databaseUrl, dataDir: '' };
}
