import { expect, test } from 'vitest';
import { runUpkeep } from '#server/db/embedded.ts';
import { testDatabase } from '#test/support/database.ts';

const { pool } = await testDatabase();
await pool.query('create table "Odd ""Name" (id int4, filler text)');

async function writtenSinceCheckpoint(): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    'select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::int8 as bytes from pg_control_checkpoint()',
  );
  return rows[0]?.bytes ?? 0;
}

async function statistics() {
  const { rows } = await pool.query(
    'select n_dead_tup as dead, last_analyze is not null as analyzed from pg_stat_user_tables where relname = $1',
    ['Odd "Name'],
  );
  return rows;
}

test('a little work needs no checkpoint', async () => {
  await pool.query('insert into "Odd ""Name" select 1 from generate_series(1, 20)');
  const before = await writtenSinceCheckpoint();
  await runUpkeep(pool);
  expect(await writtenSinceCheckpoint()).toBeGreaterThanOrEqual(before);
  expect(await statistics()).toEqual([{ dead: 0, analyzed: false }]);
});

test('a lot of work is checkpointed, vacuumed and analyzed', async () => {
  await pool.query(`insert into "Odd ""Name" select i, repeat('x', 500) from generate_series(1, 20000) i`);
  await pool.query('delete from "Odd ""Name" where id % 2 = 0');
  expect(await writtenSinceCheckpoint()).toBeGreaterThan(8 * 1024 * 1024);
  // Otherwise the statistics are reported once a second.
  await pool.query('select pg_stat_force_next_flush()');
  await runUpkeep(pool);
  expect(await writtenSinceCheckpoint()).toBeLessThan(8 * 1024 * 1024);
  expect(await statistics()).toEqual([{ dead: 0, analyzed: true }]);
});
