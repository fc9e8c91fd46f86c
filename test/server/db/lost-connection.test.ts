import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/transaction.ts';
import { openTestDatabase } from '#test/support/database.ts';

const { db, location } = await openTestDatabase();

// The embedded database has no connection to lose.
test.runIf(location.databaseUrl)('a connection lost while in use fails only its own transaction', async () => {
  const otherClient = new pg.Client(location.databaseUrl);
  await otherClient.connect();
  const lostTransaction = inTransaction(db, async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    await otherClient.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    // No query is running when the connection ends. Without a listener this would end the process.
    while ((await otherClient.query('select from pg_stat_activity where pid = $1', [rows[0]?.pid])).rowCount);
    await sql`select 1`.execute(tx);
  });
  await expect(lostTransaction).rejects.toThrow();
  await otherClient.end();
  expect((await sql<{ one: number }>`select 1 as one`.execute(db.kysely)).rows).toEqual([{ one: 1 }]);
});
