import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newId } from '#server/db/new-id.ts';
import { endLease, repeatExclusively, takeLease } from '#server/jobs/leases.ts';
import { createTestDatabase } from '#test/support/database.ts';

const db = await createTestDatabase();

const passTime = (name: string, column: 'held_until' | 'due_at') =>
  sql`update leases set ${sql.ref(column)} = now() where name = ${name}`.execute(db.kysely);

test('only one of many concurrent processes gets the lease', async () => {
  const name = newId();
  const claims = await Promise.all(['a', 'b', 'c', 'd'].map((holder) => takeLease(db, { name, holder })));
  expect(claims.filter(Boolean)).toHaveLength(1);
  // Ignoring the schedule doesn't interrupt work that is still running.
  expect(await takeLease(db, { name, holder: 'e', ignoresSchedule: true })).toBe(false);
});

test('after a release, another process can take the lease when it’s due, and a new process immediately', async () => {
  const name = newId();
  expect(await takeLease(db, { name, holder: 'a' })).toBe(true);
  await endLease(db, { name, holder: 'a', dueInMs: 60_000 });
  expect(await takeLease(db, { name, holder: 'b' })).toBe(false);
  expect(await takeLease(db, { name, holder: 'c', ignoresSchedule: true })).toBe(true);
  await endLease(db, { name, holder: 'c', dueInMs: 60_000 });
  await passTime(name, 'due_at');
  expect(await takeLease(db, { name, holder: 'b' })).toBe(true);
});

test('a dead process’s lease is taken over, and its late release has no effect', async () => {
  const name = newId();
  await takeLease(db, { name, holder: 'dead' });
  await passTime(name, 'held_until');
  expect(await takeLease(db, { name, holder: 'b' })).toBe(true);
  await endLease(db, { name, holder: 'dead', dueInMs: 0 });
  expect(await takeLease(db, { name, holder: 'c', ignoresSchedule: true })).toBe(false);
});

test('if two processes find a lease free, the second doesn’t get it', async () => {
  const name = newId();
  const countLockWaits = async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::int from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`.execute(db.kysely);
    return rows[0]?.count;
  };
  const firstTransaction = await db.kysely.startTransaction().execute();
  expect(await takeLease({ kysely: firstTransaction }, { name, holder: 'a' })).toBe(true);
  // The second process found the lease free and waits for the first transaction.
  const secondClaim = takeLease(db, { name, holder: 'b' });
  await expect.poll(countLockWaits).toBe(1);
  await firstTransaction.commit().execute();
  expect(await secondClaim).toBe(false);
});

test('repeated work runs in one process at a time', async () => {
  const name = newId();
  let runningCount = 0;
  let maxRunning = 0;
  let roundCount = 0;
  const enoughRounds = Promise.withResolvers<void>();
  const runRound = async () => {
    runningCount += 1;
    maxRunning = Math.max(maxRunning, runningCount);
    // Takes long enough for another process to try.
    await db.pool.query('select 1');
    await db.pool.query('select 1');
    runningCount -= 1;
    roundCount += 1;
    if (roundCount >= 4) enoughRounds.resolve();
  };
  const runners = [1, 2, 3, 4].map(() => repeatExclusively(db, name, runRound, { initialDelayMs: 0, intervalMs: 1 }));
  await enoughRounds.promise;
  await Promise.all(runners.map((runner) => runner.stop()));
  expect(maxRunning).toBe(1);
});
