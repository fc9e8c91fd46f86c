import { randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import fs from 'node:fs/promises';
import pg from 'pg';
import { afterAll, expect, inject } from 'vitest';
import { scratchFolder } from '#scripts/scratch-folder.ts';
import { type Database, openDatabase } from '#server/db/connection.ts';
import { watchedLog } from './watched-log.ts';

/** Where a migrated database of this file's own is: what `openDatabase` takes beside a log. */
export type DatabasePlace = { readonly databaseUrl?: string; readonly dataDir: string };

/**
 * A migrated, empty database for this test file, on the engine that TEST_ENGINE names. Call it at the top of the file:
 * it is closed and removed after the last test, which fails if the database complained of anything meanwhile.
 */
export async function testDatabase(): Promise<Database> {
  return (await openTestDatabase()).db;
}

/** The same, and where it is: for a test that comes to it from another side as well. */
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

/** The same, not opened: for a test that opens it itself, perhaps more than once. It is removed after the last test. */
export async function testDatabasePlace(): Promise<DatabasePlace> {
  return process.env.TEST_ENGINE === 'postgres' ? placeOnServer() : placeInFolder();
}

async function placeInFolder(): Promise<DatabasePlace> {
  const dataDir = await scratchFolder('test');
  // Some four hundred small files: one after another is twice as fast as by promises.
  cpSync(inject('embeddedTemplate'), dataDir, { recursive: true });
  afterAll(() => fs.rm(dataDir, { recursive: true, force: true }));
  return { dataDir };
}

async function placeOnServer(): Promise<DatabasePlace> {
  const url = new URL(inject('postgresUrl'));
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onServer(`create database ${name} template template`);
  afterAll(() => onServer(`drop database ${name} with (force)`));
  url.pathname = `/${name}`;
  return { databaseUrl: url.href, dataDir: '' };
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client(inject('postgresUrl'));
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
