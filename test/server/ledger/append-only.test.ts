// @spec decisions.3
import { sql, type Transaction } from 'kysely';
import { expect, test } from 'vitest';
import { runAsAuthor } from '#server/db/author.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { readOrgStats } from '#server/features/ledger/org-stats.ts';
import { type NewEntry, postEntry } from '#server/features/ledger/post-entry.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createTestDatabase } from '#test/support/database.ts';

const db = await createTestDatabase();
const orgId = await addOrg(db);

function buildEntry(fact: string, overrides: Partial<NewEntry> = {}): NewEntry {
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

function postEntries(...entries: NewEntry[]) {
  const insertEntries = async (tx: Transaction<Tables>) => {
    const ids = [];
    for (const newEntry of entries) ids.push(await postEntry(tx, newEntry));
    return ids;
  };
  return runAsAuthor({ userId: 'an-editor', ipAddress: '127.0.0.1' }, () => inTransaction(db, insertEntries));
}

test.each([
  ['changed', sql`update ledger_entries set amount_cents = 1`],
  ['deleted', sql`delete from ledger_entries`],
  ['truncated', sql`truncate ledger_entries cascade`],
])('the ledger can’t be %s', async (action, statement) => {
  await postEntries(buildEntry(`append-only ${action}`));
  await expect(statement.execute(db.kysely)).rejects.toThrow('append-only');
});

test('a fact posted twice counts once', async () => {
  const org = await addOrg(db);
  const [first] = await postEntries(buildEntry('once', { orgId: org }));
  const [second] = await postEntries(buildEntry('once', { orgId: org, amount: 9900 }));
  expect(first).toBeDefined();
  expect(second).toBeUndefined();
  expect(await readOrgStats(db, org)).toEqual({ co2: 2000, gas: 102, funds: 25, grants: 0 });
});

test('a rolled-back posting leaves no entry and no total', async () => {
  const org = await addOrg(db);
  const transaction = inTransaction(db, async (tx) => {
    await postEntry(tx, buildEntry('rolled back', { orgId: org }));
    throw new Error('changed my mind');
  });
  await expect(transaction).rejects.toThrow('changed my mind');
  expect(await readOrgStats(db, org)).toEqual({ co2: 0, gas: 0, funds: 0, grants: 0 });
  expect(await postEntries(buildEntry('rolled back', { orgId: org }))).toEqual([expect.any(String)]);
});

test('many simultaneous postings add up', async () => {
  const org = await addOrg(db);
  const postings = Array.from({ length: 40 }, (_, index) => buildEntry(`at once ${index % 20}`, { orgId: org }));
  await Promise.all(postings.map((newEntry) => postEntries(newEntry)));
  expect(await readOrgStats(db, org)).toMatchObject({ funds: 500, co2: 40_000 });
  expect(await verifyLedger(db)).toEqual([]);
});

test('stats are the ledger, its adjustments, and a grant for each published awardee', async () => {
  const org = await addOrg(db);
  const adjustment = { kind: 'adjustment', amount: -500, carbon: 0, gas: 15_000, grants: 3 } as const;
  await postEntries(buildEntry('gift', { orgId: org }), buildEntry('correction', { orgId: org, ...adjustment }));
  const awardee = { org_id: org, name: 'Ada', story: 'A warm home' };
  await db.kysely
    .insertInto('awardees')
    .values([
      { ...awardee, id: `${org}-1`, status: 'published' },
      { ...awardee, id: `${org}-2`, status: 'draft' },
    ])
    .execute();
  expect(await readOrgStats(db, org)).toEqual({ co2: 2000, gas: 103.5, funds: 20, grants: 4 });
  expect(await readOrgStats(db, await addOrg(db))).toEqual({ co2: 0, gas: 0, funds: 0, grants: 0 });
});
