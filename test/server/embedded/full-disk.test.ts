import nodeFs from 'node:fs';
import { sql } from 'kysely';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { openDatabase } from '#server/db/connection.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { isUnavailable } from '#server/db/unavailable.ts';
import { testDatabasePlace } from '#test/support/database.ts';
import { watchedLog } from '#test/support/watched-log.ts';

const { log, complaints: logged } = watchedLog();
const db = await openDatabase({ ...(await testDatabasePlace()), log });
afterAll(() => db.close());
const { pool } = db;
await pool.query('create table kept (number int4 primary key)');

afterEach(() => vi.restoreAllMocks());

/** From now on nothing can be written, as on a full disk. */
function fillDisk(): () => void {
  const full = () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  };
  vi.spyOn(nodeFs, 'writeSync').mockImplementation(full);
  vi.spyOn(nodeFs.promises, 'writeFile').mockImplementation(async () => full());
  return () => void vi.restoreAllMocks();
}

const keep = (number: number) =>
  inTransaction(db, async (tx) => {
    await sql`insert into kept values (${number})`.execute(tx);
  });

async function keptNumbers(): Promise<number[]> {
  const { rows } = await pool.query<{ number: number }>('select number from kept order by number');
  return rows.map(({ number }) => number);
}

/** What a call found, or that it was refused for the moment. */
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (isUnavailable(error) ? 'unavailable' : error),
  );

test.each(['a commit', 'a checkpoint'])(
  'after %s without room on the disk all is refused at once, and served again once there is room',
  async (failing) => {
    const before = await keptNumbers();
    const next = (before.at(-1) ?? 0) + 10;
    await keep(next);
    const heard = vi.fn();
    const stop = await db.listen('news', heard);
    const empty = fillDisk();
    expect(await outcome(failing === 'a commit' ? keep(next + 1) : pool.query('checkpoint'))).toBe('unavailable');
    // Also what was waiting for the connection.
    expect(await Promise.all([keep(next + 2), keptNumbers(), pool.query('select 1')].map(outcome))).toEqual(
      Array.from({ length: 3 }, () => 'unavailable'),
    );
    empty();
    await vi.waitFor(() => keep(next + 3), { timeout: 20_000, interval: 20 });
    // Whether the refused commit counts is only known afterwards, like one whose connection was lost.
    expect((await keptNumbers()).filter((number) => number !== next + 1)).toEqual([...before, next, next + 3]);
    heard.mockClear();
    await pool.query(`notify news, 'again'`);
    expect(heard).toHaveBeenCalledWith('again');
    stop();
    expect(logged.slice(-2)).toEqual([
      expect.stringMatching(/^the embedded database ended, as it does on a full disk/),
      'the embedded database runs again',
    ]);
  },
);

test('each answer belongs to its question, also after questions that failed', async () => {
  const asked = Array.from({ length: 60 }, (_, number) =>
    pool.query<{ number: number }>('select 60 / ($1::int4 % 3) * 0 + $1::int4 as number', [number]).then(
      ({ rows }) => rows[0]?.number,
      () => 'division by zero',
    ),
  );
  expect(await Promise.all(asked)).toEqual(
    Array.from({ length: 60 }, (_, number) => (number % 3 === 0 ? 'division by zero' : number)),
  );
});
