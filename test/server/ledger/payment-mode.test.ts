import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { runAsAuthor } from '#server/db/author.ts';
import { isInPaymentMode } from '#server/db/payment-mode.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { readOrgStats } from '#server/features/ledger/org-stats.ts';
import { setPaymentMode } from '#server/features/ledger/payment-mode.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createLogSpy } from '#test/support/log-spy.ts';

const db = await createTestDatabase();
const orgId = await addOrg(db);
let factCount = 0;

function postAdjustment(amount: number, livemode?: boolean) {
  factCount += 1;
  const fact = `fact ${factCount}`;
  const entry = { orgId, fact, amount, carbon: 0, currency: 'usd', occurredAt: new Date('2026-01-02') };
  const adjustment = { ...entry, kind: 'adjustment', reason: 'Cash', actorId: 'an-editor', livemode } as const;
  return runAsAuthor({ userId: 'an-editor', ipAddress: '127.0.0.1' }, () =>
    inTransaction(db, (tx) => postEntry(tx, adjustment)),
  );
}

const readFunds = async () => (await readOrgStats(db, orgId)).funds;

test('test money is in the ledger but in no live total', async () => {
  const { log, loggedProblems } = createLogSpy();
  // An entry posted before the mode was set counts in both modes.
  await postAdjustment(100);
  await setPaymentMode(db, false, log);
  await postAdjustment(2000);
  await postAdjustment(300, false);
  expect(await readFunds()).toBe(24);
  expect(await verifyLedger(db)).toEqual([]);

  await setPaymentMode(db, true, log);
  expect(await readFunds()).toBe(1);
  await postAdjustment(5000, true);
  // A late report of a test payment.
  await postAdjustment(700, false);
  expect(await readFunds()).toBe(51);
  expect(await verifyLedger(db)).toEqual([]);

  await setPaymentMode(db, true, log);
  await setPaymentMode(db, false, log);
  expect(await readFunds()).toBe(31);
  expect(await verifyLedger(db)).toEqual([]);
  expect(loggedProblems).toEqual(Array(2).fill('switched between test and live payments: recomputed all totals'));
});

test('PostgreSQL expects that at least half of the money counts, so it doesn’t join a whole ledger row by row', async () => {
  await sql`create table money (livemode boolean)`.execute(db.kysely);
  await sql`insert into money select false from generate_series(1, 1000)`.execute(db.kysely);
  await db.pool.query('analyze money');
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    explain (format json) select from money where ${isInPaymentMode('money.livemode')}`.execute(db.kysely);
  expect(rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows']).toBeGreaterThanOrEqual(500);
});
