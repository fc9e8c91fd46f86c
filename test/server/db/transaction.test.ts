import fs from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { inTransaction } from '#server/db/transaction.ts';
import { OutsideTransactionError } from '#server/db/transaction-guard.ts';
import { createTestDatabase } from '#test/support/database.ts';

const database = await createTestDatabase();
const { kysely, pool } = database;
await pool.query('create table notes (id int4 primary key)');
beforeEach(() => pool.query('truncate notes'));

const insertNote = (executor: typeof kysely, id: number) => sql`insert into notes values (${id})`.execute(executor);
const readNotes = async () =>
  (await pool.query<{ id: number }>('select id from notes order by id')).rows.map((row) => row.id);
/** Creates an error like PostgreSQL's for an aborted transaction. */
const createConflict = (code: string) => Object.assign(new Error('aborted by a conflict'), { code });

test('a transaction commits, and its result is returned', async () => {
  const response = await inTransaction(database, async (tx) => {
    await insertNote(tx, 1);
    await insertNote(tx, 2);
    return 'done';
  });
  expect(response).toBe('done');
  expect(await readNotes()).toEqual([1, 2]);
});

// @asvs 2.3.3 16.5.3
test('a failed transaction is rolled back, and its error is thrown', async () => {
  const transaction = inTransaction(database, async (tx) => {
    await insertNote(tx, 1);
    throw new Error('the mail is gone');
  });
  await expect(transaction).rejects.toThrow('the mail is gone');
  expect(await readNotes()).toEqual([]);
});

test.each([
  ['the query builder', () => kysely.selectNoFrom(sql`1`.as('one')).execute()],
  ['raw sql', () => sql`select 1`.execute(kysely)],
  ['the pool', () => pool.query('select 1')],
  ['a client of the pool', () => pool.connect().then((client) => client.release())],
  ['another transaction', () => inTransaction(database, (tx) => insertNote(tx, 2))],
])('%s on the database itself is rejected inside a transaction instead of deadlocking', async (_name, useDatabase) => {
  const transaction = inTransaction(database, async (tx) => {
    await insertNote(tx, 1);
    await useDatabase();
  });
  await expect(transaction).rejects.toThrow(OutsideTransactionError);
  expect(await readNotes()).toEqual([]);
});

test('direct database access is rejected at any call depth and after any delay', async () => {
  const useDatabaseLater = async (): Promise<unknown> => {
    await nextTurn();
    return Promise.all([nextTurn().then(() => kysely.selectNoFrom(sql`1`.as('one')).execute())]);
  };
  await expect(inTransaction(database, useDatabaseLater)).rejects.toThrow(OutsideTransactionError);
});

test('a promise left running by a transaction may use the database after it ends', async () => {
  const transactionEnd = Promise.withResolvers<void>();
  const lateWork = await inTransaction(database, async (tx) => {
    await insertNote(tx, 1);
    return { work: transactionEnd.promise.then(() => readNotes()) };
  });
  transactionEnd.resolve();
  expect(await lateWork.work).toEqual([1]);
});

test('other requests use the database while a transaction is open', async () => {
  const transactionStart = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const slowTransaction = inTransaction(database, async (tx) => {
    await insertNote(tx, 1);
    transactionStart.resolve();
    await finish.promise;
  });
  await transactionStart.promise;
  expect(await readNotes()).toEqual([]);
  finish.resolve();
  await slowTransaction;
});

test.each(['40001', '40P01'])('a transaction that fails with %s is retried until it succeeds', async (code) => {
  let attempts = 0;
  await inTransaction(database, async (tx) => {
    attempts += 1;
    await insertNote(tx, attempts);
    if (attempts < 3) throw createConflict(code);
  });
  expect(attempts).toBe(3);
  expect(await readNotes()).toEqual([3]);
});

test('a transaction that always conflicts is tried five times', async () => {
  let attempts = 0;
  const transaction = inTransaction(database, async () => {
    attempts += 1;
    throw createConflict('40001');
  });
  await expect(transaction).rejects.toThrow('aborted by a conflict');
  expect(attempts).toBe(5);
});

test('other failures aren’t retried', async () => {
  let attempts = 0;
  const transaction = inTransaction(database, async (tx) => {
    attempts += 1;
    await insertNote(tx, 1);
    await insertNote(tx, 1);
  });
  await expect(transaction).rejects.toMatchObject({ code: '23505' });
  expect(attempts).toBe(1);
});

test('concurrent transactions that read and write the same row succeed without lost updates', async () => {
  await pool.query('create table counters (id int4 primary key, value int8 not null)');
  await pool.query('insert into counters values (1, 0)');
  // All transactions read before any of them writes.
  let pendingReads = 4;
  const allReads = Promise.withResolvers<void>();
  const increment = () =>
    inTransaction(
      database,
      async (tx) => {
        const { rows } = await sql<{ value: number }>`select value from counters where id = 1`.execute(tx);
        pendingReads -= 1;
        if (pendingReads === 0) allReads.resolve();
        await allReads.promise;
        await sql`update counters set value = ${(rows[0]?.value ?? 0) + 1} where id = 1`.execute(tx);
      },
      'serializable',
    );
  // One conflicting transaction succeeds per round, so four finish within five attempts.
  await Promise.all([increment(), increment(), increment(), increment()]);
  const { rows } = await pool.query('select value from counters where id = 1');
  expect(rows).toEqual([{ value: 4 }]);
});

test('server files open transactions only through inTransaction', async () => {
  const files = await fs.readdir('src/server', { recursive: true });
  const sources = files.filter((file) => file.endsWith('.ts') && file !== path.join('db', 'transaction.ts'));
  const filesWithTransactions = await Promise.all(
    sources.map(async (file) => opensTransaction(await fs.readFile(path.join('src/server', file), 'utf8')) && file),
  );
  expect(sources.length).toBeGreaterThan(20);
  expect(filesWithTransactions.filter(Boolean)).toEqual([]);
  expect(opensTransaction('await db.kysely.transaction().execute(work);')).toBe(true);
});

function opensTransaction(source: string): boolean {
  return /\.(?:transaction|startTransaction)\(\)/.test(source);
}
