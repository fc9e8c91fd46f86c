import fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { scratchFolder } from '#scripts/scratch-folder.ts';
import { migrate } from '#server/db/migrate.ts';
import { testDatabase } from '#test/support/database.ts';

const database = await testDatabase();
const { pool } = database;
let folder: string;

beforeEach(async () => {
  folder = await scratchFolder('migrations');
  // The database comes migrated; these tests begin with one that is not.
  await pool.query('drop schema public cascade');
  await pool.query('create schema public');
});
afterEach(() => fs.rm(folder, { recursive: true, force: true }));

const add = (name: string, statement: string) => {
  const execute = `db.executeQuery({ sql: ${JSON.stringify(statement)}, parameters: [], query: {}, queryId: {} })`;
  return fs.writeFile(path.join(folder, `${name}.ts`), `export async function up(db: any) { await ${execute}; }\n`);
};
const tables = async () => {
  const { rows } = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%' order by 1`,
  );
  return rows.map((row) => row.name);
};

test('migrations run once, in the order of their names, which are returned', async () => {
  await add('0002-second', 'alter table fruits add column colour text');
  await add('0001-first', 'create table fruits (id text primary key)');
  expect(await migrate(database, { folder })).toEqual(['0001-first', '0002-second']);
  expect(await migrate(database, { folder })).toEqual([]);
  await pool.query(`insert into fruits (id, colour) values ('plum', 'blue')`);
});

test('a later version runs only new migrations', async () => {
  await add('0001-first', 'create table fruits (id text primary key)');
  await migrate(database, { folder });
  await add('0002-second', 'create table roots (id text primary key)');
  expect(await migrate(database, { folder })).toEqual(['0002-second']);
  expect(await tables()).toEqual(['fruits', 'roots']);
});

test('a failing migration is named, and the whole start is rolled back', async () => {
  await add('0001-first', 'create table fruits (id text primary key)');
  await add('0002-wrong', 'alter table vegetables add column colour text');
  await expect(migrate(database, { folder })).rejects.toThrow('The migration 0002-wrong failed.');
  expect(await tables()).toEqual([]);
});

test('an older version starts on a database that a newer one has migrated', async () => {
  await add('0001-first', 'create table fruits (id text primary key)');
  await add('0002-second', 'create table roots (id text primary key)');
  await migrate(database, { folder });
  await fs.rm(path.join(folder, '0002-second.ts'));
  expect(await migrate(database, { folder })).toEqual([]);
  expect(await tables()).toEqual(['fruits', 'roots']);
});

test('a migration inserted before one that has run is refused', async () => {
  await add('0002-second', 'create table roots (id text primary key)');
  await migrate(database, { folder });
  await add('0001-first', 'create table fruits (id text primary key)');
  await expect(migrate(database, { folder })).rejects.toThrow('The database could not be migrated.');
  expect(await tables()).toEqual(['roots']);
});

test('a missing migration that has run is refused', async () => {
  await add('0001-first', 'create table fruits (id text primary key)');
  await add('0003-third', 'create table roots (id text primary key)');
  await migrate(database, { folder });
  await fs.rm(path.join(folder, '0001-first.ts'));
  await expect(migrate(database, { folder })).rejects.toThrow('The database could not be migrated.');
});

test('two starts at once migrate once', async () => {
  await add('0001-first', 'create table fruits (id text primary key)');
  const names = await Promise.all([migrate(database, { folder }), migrate(database, { folder })]);
  expect(names.flat()).toEqual(['0001-first']);
});

test('a migration waits only briefly for a lock, tries again, and then names what holds it', async () => {
  await add('0001-first', 'create table fruits (id text primary key)');
  await migrate(database, { folder });
  await add('0002-second', 'alter table fruits add column colour text');
  const reader = await pool.connect();
  onTestFinished(() => reader.release(true));
  await reader.query(`set application_name to 'a long report'`);
  await reader.query('begin');
  await reader.query('select * from fruits');
  // Long enough that even a busy machine looks at the locks meanwhile.
  const migrating = migrate(database, { folder, lockMs: 2000, tries: 2 });
  await expect(migrating).rejects.toThrow(
    /^The migration 0002-second needs a lock that process \d+ \(postgres\) of a long report, idle in transaction since [\d:]+ UTC holds\. It was tried 2 times/,
  );
  const later = migrate(database, { folder, lockMs: 300, tries: 20 });
  await reader.query('rollback');
  expect(await later).toEqual(['0002-second']);
});

test('the migrations of this program set up an empty database', async () => {
  const names = await migrate(database);
  expect(names[0]).toBe('0001-foundation');
  expect(await tables()).toEqual(
    expect.arrayContaining(['checkouts', 'ledger_entries', 'offsetters', 'orgs', 'users']),
  );
  // Nobody is in it, not even an admin.
  expect((await pool.query('select id from users union all select id from accounts')).rows).toEqual([]);
});
