import fs from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { inTransaction } from '#server/db/transaction.ts';
import { OutsideTransactionError } from '#server/db/transaction-guard.ts';
import { testDatabase } from '#test/support/database.ts';

const database = await testDatabase();
const { kysely, pool } = database;
await pool.query('create table notes (id int4 primary key)');
beforeEach(() => pool.query('truncate notes'));

const note = (executor: typeof kysely, id: number) => sql`insert into notes values (${id})`.execute(executor);
const notes = async () =>
  (await pool.query<{ id: number }>('select id from notes order by id')).rows.map((row) => row.id);
/** PostgreSQL's error codes for an aborted transaction. */
const conflict = (code: string) => Object.assign(new Error('given up for another'), { code });

test('a transaction commits, and its result is returned', async () => {
  const response = await inTransaction(database, async (tx) => {
    await note(tx, 1);
    await note(tx, 2);
    return 'done';
  });
  expect(response).toBe('done');
  expect(await notes()).toEqual([1, 2]);
});

// @asvs 2.3.3 16.5.3
test('a failed transaction is rolled back, and its error is thrown', async () => {
  const failing = inTransaction(database, async (tx) => {
    await note(tx, 1);
    throw new Error('the mail is gone');
  });
  await expect(failing).rejects.toThrow('the mail is gone');
  expect(await notes()).toEqual([]);
});

test.each([
  ['the query builder', () => kysely.selectNoFrom(sql`1`.as('one')).execute()],
  ['raw sql', () => sql`select 1`.execute(kysely)],
  ['the pool', () => pool.query('select 1')],
  ['a client of the pool', () => pool.connect().then((client) => client.release())],
  ['another transaction', () => inTransaction(database, (tx) => note(tx, 2))],
])('%s on the database itself is rejected inside a transaction instead of deadlocking', async (_name, use) => {
  const mistakenWork = inTransaction(database, async (tx) => {
    await note(tx, 1);
    await use();
  });
  await expect(mistakenWork).rejects.toThrow(OutsideTransactionError);
  expect(await notes()).toEqual([]);
});

test('it’s rejected at any call depth and after any wait', async () => {
  const deep = async (): Promise<unknown> => {
    await nextTurn();
    return Promise.all([nextTurn().then(() => kysely.selectNoFrom(sql`1`.as('one')).execute())]);
  };
  await expect(inTransaction(database, deep)).rejects.toThrow(OutsideTransactionError);
});

test('work left running by a transaction may use the database after it ends', async () => {
  const started = Promise.withResolvers<void>();
  const lateWork = await inTransaction(database, async (tx) => {
    await note(tx, 1);
    return { work: started.promise.then(() => notes()) };
  });
  started.resolve();
  expect(await lateWork.work).toEqual([1]);
});

test('other requests use the database while a transaction is open', async () => {
  const openTransaction = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const slow = inTransaction(database, async (tx) => {
    await note(tx, 1);
    openTransaction.resolve();
    await finish.promise;
  });
  await openTransaction.promise;
  expect(await notes()).toEqual([]);
  finish.resolve();
  await slow;
});

test.each(['40001', '40P01'])('a transaction that fails with %s is retried until it succeeds', async (code) => {
  let attempts = 0;
  await inTransaction(database, async (tx) => {
    attempts += 1;
    await note(tx, attempts);
    if (attempts < 3) throw conflict(code);
  });
  expect(attempts).toBe(3);
  expect(await notes()).toEqual([3]);
});

test('a transaction that always conflicts is tried five times', async () => {
  let attempts = 0;
  const hopeless = inTransaction(database, async () => {
    attempts += 1;
    throw conflict('40001');
  });
  await expect(hopeless).rejects.toThrow('given up for another');
  expect(attempts).toBe(5);
});

test('other failures aren’t retried', async () => {
  let attempts = 0;
  const twice = inTransaction(database, async (tx) => {
    attempts += 1;
    await note(tx, 1);
    await note(tx, 1);
  });
  await expect(twice).rejects.toMatchObject({ code: '23505' });
  expect(attempts).toBe(1);
});

test('concurrent transactions that read and write the same row succeed without lost updates', async () => {
  await pool.query('create table counters (id int4 primary key, value int8 not null)');
  await pool.query('insert into counters values (1, 0)');
  // All transactions read before one writes.
  let toRead = 4;
  const allHaveRead = Promise.withResolvers<void>();
  const step = () =>
    inTransaction(
      database,
      async (tx) => {
        const { rows } = await sql<{ value: number }>`select value from counters where id = 1`.execute(tx);
        toRead -= 1;
        if (toRead === 0) allHaveRead.resolve();
        await allHaveRead.promise;
        await sql`update counters set value = ${(rows[0]?.value ?? 0) + 1} where id = 1`.execute(tx);
      },
      'serializable',
    );
  // Of several conflicting transactions, one succeeds each time, so four finish within the five attempts.
  await Promise.all([step(), step(), step(), step()]);
  const { rows } = await pool.query('select value from counters where id = 1');
  expect(rows).toEqual([{ value: 4 }]);
});

test('server files open transactions only through inTransaction', async () => {
  const files = await fs.readdir('src/server', { recursive: true });
  const sources = files.filter((file) => file.endsWith('.ts') && file !== path.join('db', 'transaction.ts'));
  const opening = await Promise.all(
    sources.map(async (file) => opensTransaction(await fs.readFile(path.join('src/server', file), 'utf8')) && file),
  );
  expect(sources.length).toBeGreaterThan(20);
  expect(opening.filter(Boolean)).toEqual([]);
  expect(opensTransaction('await db.kysely.transaction().execute(work);')).toBe(true);
});

function opensTransaction(source: string): boolean {
  return /\.(?:transaction|startTransaction)\(\)/.test(source);
}
