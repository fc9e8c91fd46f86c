// @spec decisions.3
import { sql, type Transaction } from 'kysely';
import { expect, test } from 'vitest';
import { actAs } from '#server/db/author.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { orgStats } from '#server/features/ledger/org-stats.ts';
import { type NewEntry, postEntry } from '#server/features/ledger/post-entry.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { testDatabase } from '#test/support/database.ts';

const db = await testDatabase();
const orgId = await addOrg(db);

function entry(fact: string, overrides: Partial<NewEntry> = {}): NewEntry {
  const occurredAt = new Date('2026-01-02T03:04:05Z');
  return {
    orgId,
    kind: 'adjustment',
    fact,
    amount: 2500,
    carbon: 20_000_000,
    currency: 'usd',
    occurredAt,
    reason: 'Gifts at the fair',
    actorId: 'an-editor',
    ...overrides,
  };
}

function post(...entries: NewEntry[]) {
  const work = async (tx: Transaction<Tables>) => {
    const ids = [];
    for (const each of entries) ids.push(await postEntry(tx, each));
    return ids;
  };
  return actAs({ userId: 'an-editor', ipAddress: '127.0.0.1' }, () => inTransaction(db, work));
}

test.each([
  ['changed', sql`update ledger_entries set amount_cents = 1`],
  ['deleted', sql`delete from ledger_entries`],
  ['emptied', sql`truncate ledger_entries cascade`],
])('the ledger can’t be %s', async (_how, statement) => {
  await post(entry(`append-only ${_how}`));
  await expect(statement.execute(db.kysely)).rejects.toThrow('append-only');
});

test('a fact posted twice counts once', async () => {
  const org = await addOrg(db);
  const [first] = await post(entry('once', { orgId: org }));
  const [second] = await post(entry('once', { orgId: org, amount: 9900 }));
  expect(first).toBeDefined();
  expect(second).toBeUndefined();
  expect(await orgStats(db, org)).toEqual({ co2: 2000, gas: 102, funds: 25, grants: 0 });
});

test('a rolled-back posting leaves no entry and no total', async () => {
  const org = await addOrg(db);
  const posting = inTransaction(db, async (tx) => {
    await postEntry(tx, entry('rolled back', { orgId: org }));
    throw new Error('changed my mind');
  });
  await expect(posting).rejects.toThrow('changed my mind');
  expect(await orgStats(db, org)).toEqual({ co2: 0, gas: 0, funds: 0, grants: 0 });
  expect(await post(entry('rolled back', { orgId: org }))).toEqual([expect.any(String)]);
});

test('many simultaneous postings add up', async () => {
  const org = await addOrg(db);
  const postings = Array.from({ length: 40 }, (_, n) => entry(`at once ${n % 20}`, { orgId: org }));
  await Promise.all(postings.map((each) => post(each)));
  expect(await orgStats(db, org)).toMatchObject({ funds: 500, co2: 40_000 });
  expect(await verifyLedger(db)).toEqual([]);
});

test('stats are the ledger, its adjustments, and a grant for each published awardee', async () => {
  const org = await addOrg(db);
  const adjustment = { kind: 'adjustment', amount: -500, carbon: 0, gas: 15_000, grants: 3 } as const;
  await post(entry('gift', { orgId: org }), entry('correction', { orgId: org, ...adjustment }));
  const awardee = { org_id: org, name: 'Ada', story: 'A warm home' };
  await db.kysely
    .insertInto('awardees')
    .values([
      { ...awardee, id: `${org}-1`, status: 'published' },
      { ...awardee, id: `${org}-2`, status: 'draft' },
    ])
    .execute();
  expect(await orgStats(db, org)).toEqual({ co2: 2000, gas: 103.5, funds: 20, grants: 4 });
  expect(await orgStats(db, await addOrg(db))).toEqual({ co2: 0, gas: 0, funds: 0, grants: 0 });
});
