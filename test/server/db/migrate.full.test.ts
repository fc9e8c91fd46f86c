import { hash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { openDatabase } from '#server/db/connection.ts';
import { findLastMigration, migrate, readSchemaState } from '#server/db/migrate.ts';
import { openTestDatabase } from '#test/support/database.ts';
import { createLogSpy } from '#test/support/log-spy.ts';

const { db: database, location } = await openTestDatabase();
const { pool } = database;
let folder: string;

beforeEach(async () => {
  folder = await createScratchFolder('migrations');
  // The shared test database is already migrated; these tests start from an empty one.
  await pool.query('drop schema public cascade');
  await pool.query('create schema public');
});
afterEach(() => fs.rm(folder, { recursive: true, force: true }));

const addMigration = (name: string, statements: string) => fs.writeFile(path.join(folder, `${name}.sql`), statements);
const removeMigration = (name: string) => fs.rm(path.join(folder, `${name}.sql`));
const readTables = async () => {
  const { rows } = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migrations' order by 1`,
  );
  return rows.map((row) => row.name);
};

const FRUITS = 'create table fruits (id text primary key);';
const ROOTS = 'create table roots (id text primary key);';
const PRE_RELEASE = "was made by a pre-release version of the program and can't be upgraded.";

test('migrations run once, in name order, and are returned', async () => {
  await addMigration(
    '0002-second',
    'alter table fruits add column color text; create index fruits_by_color on fruits (color);',
  );
  await addMigration('0001-first', FRUITS);
  expect(await migrate(database, { folder })).toEqual(['0001-first', '0002-second']);
  expect(await migrate(database, { folder })).toEqual([]);
  await pool.query(`insert into fruits (id, color) values ('plum', 'blue')`);
});

test('a later version runs only new migrations', async () => {
  await addMigration('0001-first', FRUITS);
  await migrate(database, { folder });
  await addMigration('0002-second', ROOTS);
  expect(await migrate(database, { folder })).toEqual(['0002-second']);
  expect(await readTables()).toEqual(['fruits', 'roots']);
});

test('the error names the failing migration, and every migration in that run is rolled back', async () => {
  await addMigration('0001-first', FRUITS);
  await addMigration('0002-wrong', 'alter table vegetables add column color text');
  await expect(migrate(database, { folder })).rejects.toThrow('The migration 0002-wrong failed.');
  expect(await readTables()).toEqual([]);
});

test('an older version starts on a database migrated by a newer one', async () => {
  await addMigration('0001-first', FRUITS);
  await addMigration('0002-second', ROOTS);
  await migrate(database, { folder });
  await removeMigration('0002-second');
  expect(await migrate(database, { folder })).toEqual([]);
  expect(await readTables()).toEqual(['fruits', 'roots']);
});

test('a migration inserted before an applied one is rejected', async () => {
  await addMigration('0002-second', ROOTS);
  await migrate(database, { folder });
  await addMigration('0001-first', FRUITS);
  await expect(migrate(database, { folder })).rejects.toThrow(PRE_RELEASE);
  expect(await readTables()).toEqual(['roots']);
});

test('a missing applied migration is rejected', async () => {
  await addMigration('0001-first', FRUITS);
  await addMigration('0003-third', ROOTS);
  await migrate(database, { folder });
  await removeMigration('0001-first');
  await expect(migrate(database, { folder })).rejects.toThrow(PRE_RELEASE);
});

test('a database whose applied migration was edited is rejected and left unchanged', async () => {
  await addMigration('0001-baseline', FRUITS);
  await migrate(database, { folder });
  await addMigration('0001-baseline', `${FRUITS}\n${ROOTS}`);
  await addMigration('0002-second', 'create table leaves (id text primary key)');
  await expect(migrate(database, { folder })).rejects.toThrow(
    `This database ${PRE_RELEASE} Use an empty database, or run the version that made it.`,
  );
  expect(await readTables()).toEqual(['fruits']);
  // Commands and the doctor do the same: they compare the database with this program's migrations.
  await expect(readSchemaState(database)).rejects.toThrow(PRE_RELEASE);
});

test('Windows line endings don’t change a migration', async () => {
  await addMigration('0001-first', `${FRUITS}\n${ROOTS}\n`);
  await migrate(database, { folder });
  await addMigration('0001-first', `${FRUITS}\r\n${ROOTS}\r\n`);
  expect(await migrate(database, { folder })).toEqual([]);
});

test('a database from before the baseline is rejected and left unchanged', async () => {
  await pool.query('create table kysely_migration (name text primary key)');
  await expect(migrate(database)).rejects.toThrow(`This database ${PRE_RELEASE}`);
  await expect(readSchemaState(database)).rejects.toThrow(PRE_RELEASE);
  expect(await readTables()).toEqual(['kysely_migration']);
});

test('two simultaneous starts migrate once', async () => {
  await addMigration('0001-first', FRUITS);
  const names = await Promise.all([migrate(database, { folder }), migrate(database, { folder })]);
  expect(names.flat()).toEqual(['0001-first']);
});

test('a start waits for another process’s first migration, even beyond the lock timeout, and finds it applied', async () => {
  const waitingDatabase = await openDatabase({ ...location, log: createLogSpy().log, limits: { lockMs: 1 } });
  onTestFinished(() => waitingDatabase.close());
  await addMigration('0001-first', FRUITS);
  const otherClient = await pool.connect();
  await otherClient.query('begin');
  await otherClient.query(`select pg_advisory_xact_lock(hashtextextended('migrations', 0))`);
  const pendingMigration = migrate(waitingDatabase, { folder });
  const countWaiting = async () => {
    const { rowCount } = await otherClient.query(`select from pg_locks where locktype = 'advisory' and not granted`);
    return rowCount;
  };
  await expect.poll(countWaiting).toBe(1);
  await otherClient.query(FRUITS);
  await otherClient.query(`create table migrations (
    name text primary key, fingerprint text not null, applied_at timestamptz(3) not null default now())`);
  await otherClient.query('insert into migrations (name, fingerprint) values ($1, $2)', [
    '0001-first',
    hash('sha256', FRUITS),
  ]);
  await otherClient.query('commit');
  otherClient.release();
  expect(await pendingMigration).toEqual([]);
});

test('a backup is restored with the schema version of its database', async () => {
  await addMigration('0001-first', FRUITS);
  await addMigration('0002-second', ROOTS);
  await migrate(database, { folder, to: '0001-first' });
  expect(await readTables()).toEqual(['fruits']);
  const { rows: backup } = await pool.query('select name, fingerprint from migrations');
  expect(await findLastMigration(backup, folder)).toBe('0001-first');
});

test('a backup of a pre-release or later version is rejected', async () => {
  await addMigration('0001-first', FRUITS);
  await migrate(database, { folder });
  const { rows: appliedMigrations } = await pool.query('select name, fingerprint from migrations');
  const readLastMigration = (...migrations: unknown[]) =>
    findLastMigration(migrations as typeof appliedMigrations, folder);
  const rejection = `This backup ${PRE_RELEASE} Use a backup made by a release, or run the version that made it.`;
  await expect(readLastMigration({ ...appliedMigrations[0], fingerprint: 'another' })).rejects.toThrow(rejection);
  // The format from before the baseline.
  await expect(readLastMigration('0001-foundation', '0002-people')).rejects.toThrow(rejection);
  await expect(readLastMigration(appliedMigrations[0], { name: '0002-second', fingerprint: 'f' })).rejects.toThrow(
    'This backup was made by a later version of the program (migration 0002-second).',
  );
});

test('a migration waits briefly for a lock, retries, and then reports what holds it', async () => {
  await addMigration('0001-first', FRUITS);
  await migrate(database, { folder });
  await addMigration('0002-second', 'alter table fruits add column color text');
  const reader = await pool.connect();
  onTestFinished(() => reader.release(true));
  await reader.query(`set application_name to 'a long report'`);
  await reader.query('begin');
  await reader.query('select * from fruits');
  // Long enough to check the locks on a busy machine.
  const blockedMigration = migrate(database, { folder, lockMs: 2000, maxAttempts: 2 });
  await expect(blockedMigration).rejects.toThrow(
    /^The migration 0002-second needs a lock that process \d+ \(postgres\) of a long report, idle in transaction since [\d:]+ UTC holds\. It failed 2 times/,
  );
  const laterMigration = migrate(database, { folder, lockMs: 300, maxAttempts: 20 });
  await reader.query('rollback');
  expect(await laterMigration).toEqual(['0002-second']);
});

// @asvs 6.3.2
test('the migrations set up an empty database', async () => {
  expect(await readSchemaState(database)).toMatchObject({ isEmpty: true, pending: ['0001-baseline'] });
  expect(await migrate(database)).toEqual(['0001-baseline']);
  expect(await readSchemaState(database)).toEqual({ isEmpty: false, pending: [] });
  // No users exist yet, not even an admin.
  expect((await pool.query('select id from users union all select id from accounts')).rows).toEqual([]);
});
