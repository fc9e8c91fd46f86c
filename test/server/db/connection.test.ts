import { expect, test } from 'vitest';
import { openDatabase } from '#server/db/connection.ts';
import { createLogger } from '#server/log.ts';
import { createTestDatabaseLocation } from '#test/support/database.ts';
import { createLogSpy } from '#test/support/log-spy.ts';

const location = await createTestDatabaseLocation();

test('data persists after reopening', async () => {
  const first = await openDatabase({ ...location, log: createLogSpy().log });
  await first.kysely.insertInto('users').values({ id: 'u1', email: 'ann@example.org' }).execute();
  await first.close();
  const second = await openDatabase({ ...location, log: createLogSpy().log });
  const users = await second.kysely.selectFrom('users').select(['id', 'email', 'admin']).execute();
  await second.close();
  expect(users).toEqual([{ id: 'u1', email: 'ann@example.org', admin: false }]);
});

test('closing twice is allowed, and running queries finish first', async () => {
  const database = await openDatabase({ ...location, log: createLogSpy().log });
  const query = database.pool.query('select 1 as one');
  await Promise.all([database.close(), database.close()]);
  expect((await query).rows).toEqual([{ one: 1 }]);
});

test('after a failed query, the next query works, inside and outside a transaction', async () => {
  const { log, loggedProblems } = createLogSpy();
  const database = await openDatabase({ ...location, log });
  for (let round = 0; round < 3; round += 1) {
    await expect(database.pool.query('select nothing')).rejects.toMatchObject({ code: '42703' });
    const client = await database.pool.connect();
    await client.query('begin');
    await expect(client.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
    await expect(client.query('select 1')).rejects.toMatchObject({ code: '25P02' });
    await client.query('rollback');
    client.release();
    expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  }
  await database.close();
  expect(loggedProblems).toEqual([]);
});

test('a connection dropped by the server is replaced and logged', async () => {
  const lines: string[] = [];
  const log = createLogger('warn', { write: (line) => void lines.push(line) });
  const database = await openDatabase({ ...location, log });
  const otherDatabase = await openDatabase({ ...location, log: createLogSpy().log });
  const connectionError = new Promise((resolve) => database.pool.once('error', resolve));
  await otherDatabase.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await connectionError;
  expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  expect(lines).toEqual([expect.stringContaining('a connection to the database was lost')]);
  // The driver adds the whole connection to its error, including the key for canceling queries.
  expect(lines.join()).not.toContain('secretKey');
  await Promise.all([database.close(), otherDatabase.close()]);
});

test.each([
  ['unreachable', 'postgres://fund:hunter2@127.0.0.1:1/fund'],
  ['not an address', 'postgres://fund:hunter2@127.0.0.1:port/fund'],
])('the error for a server that is %s does not contain the password', async (_name, databaseUrl) => {
  const error = await openDatabase({ databaseUrl, dataDir: '', log: createLogSpy().log }).catch((reason) => reason);
  expect(String(error)).toMatch(/^Error: The PostgreSQL server that DATABASE_URL names cannot be used: \S/);
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('hunter2');
});
