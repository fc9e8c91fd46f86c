import nodeFs from 'node:fs';
import { beforeEach, expect, test, vi } from 'vitest';
import { testDatabase } from '#test/support/database.ts';

const { pool } = await testDatabase();
await pool.query('create table rows (id int4)');
const sync = vi.spyOn(nodeFs, 'fsyncSync');
beforeEach(() => {
  sync.mockClear();
});

test('each commit reaches the disk before it is acknowledged', async () => {
  for (let id = 1; id <= 10; id += 1) {
    await pool.query('insert into rows values ($1)', [id]);
    expect(sync.mock.calls.length).toBeGreaterThanOrEqual(id);
  }
});

test('reading does not wait for the disk', async () => {
  await pool.query('select count(*) from rows');
  expect(sync).not.toHaveBeenCalled();
});

test('a checkpoint writes the tables to the disk', async () => {
  await pool.query('insert into rows select generate_series(1, 5000)');
  sync.mockClear();
  await pool.query('checkpoint');
  // The table, the transaction log's state, the control file: more than the write-ahead log alone.
  expect(sync.mock.calls.length).toBeGreaterThan(3);
});
