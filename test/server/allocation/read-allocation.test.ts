import { expect, test } from 'vitest';
import { checkLines, type LedgerKind, type Lines, refundLines, reverseLines } from '#domain/books.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { readAllocation } from '#server/features/allocation/read-allocation.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { addCheck, addGift } from '#test/support/builders/gift.ts';
import { addGrant } from '#test/support/builders/grant.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createTestDatabase } from '#test/support/database.ts';

const db = await createTestDatabase();

type TestEntry = { readonly kind: LedgerKind; readonly fact: string; readonly amount: number; readonly lines: Lines };

function postTestEntry(orgId: string, { ids, ...entry }: TestEntry & { readonly ids?: object }) {
  const defaults = { orgId, carbon: 0, currency: 'usd', occurredAt: new Date('2026-04-02T12:00:00Z') };
  return inTransaction(db, (tx) => postEntry(tx, { ...defaults, ...entry, ...ids }));
}

/** For each gift: cents paid, received, unallocated, and allocated. */
async function readShares(orgId: string) {
  const { gifts } = await readAllocation(db, orgId);
  return [...gifts.values()].map(({ paid, share }) => [
    paid,
    share.cents,
    share.unallocatedCents,
    ...share.parts.map(({ cents }) => cents),
  ]);
}

async function readPaymentEntryId(grantId: string): Promise<string> {
  const row = await db.kysely
    .selectFrom('grants')
    .select('paid_entry_id')
    .where('id', '=', grantId)
    .executeTakeFirstOrThrow();
  return row.paid_entry_id ?? '';
}

test('gifts fill paid grants by date, and the processor’s fee isn’t allocated', async () => {
  const orgId = await addOrg(db);
  const { ledgerEntryId } = await addGift(db, orgId);
  await db.kysely.updateTable('payments').set({ fee_cents: 103 }).where('entry_id', '=', ledgerEntryId).execute();
  await addCheck(db, orgId, 'payer@example.org');
  await addGrant(db, orgId, { stage: 'paid', cents: 5000, stageDate: '2026-04-01' });
  expect(await readShares(orgId)).toEqual([
    [2500, 2397, 0, 2397],
    [10_000, 10_000, 7397, 2603],
  ]);
});

test('grants that are only applied for or promised stay unfilled', async () => {
  const orgId = await addOrg(db);
  await addCheck(db, orgId, 'payer@example.org');
  await addGrant(db, orgId);
  await addGrant(db, orgId, { stage: 'promised' });
  expect(await readShares(orgId)).toEqual([[10_000, 10_000, 10_000]]);
});

test('a refund takes money from its own gift, and a failed refund returns it', async () => {
  const orgId = await addOrg(db);
  const { ledgerEntryId, checkoutId } = await addGift(db, orgId);
  await addGift(db, orgId, { id: `second-${checkoutId}` });
  await addGrant(db, orgId, { stage: 'paid', cents: 2500, stageDate: '2026-04-01' });
  const references = { ids: { checkoutId, paymentEntryId: ledgerEntryId } };
  const refundRow = { id: `re_${checkoutId}`, entry_id: ledgerEntryId, kind: 'refund' as const, amount_cents: 1000 };
  const occurredAt = new Date('2026-04-02T12:00:00Z');
  await db.kysely
    .insertInto('payment_returns')
    .values({ ...refundRow, status: 'succeeded', reason: null, occurred_at: occurredAt })
    .execute();
  const [first = [], second = []] = await readShares(orgId);
  const filledGift = first.length === 4 ? first : second;
  expect(filledGift).toEqual([2500, 2500, 0, 2500]);
  await postTestEntry(orgId, {
    kind: 'refund',
    fact: `refund:${refundRow.id}`,
    amount: -1000,
    lines: refundLines(1000),
    ...references,
  });
  const { gifts } = await readAllocation(db, orgId);
  expect(gifts.get(ledgerEntryId)).toMatchObject({ paid: 2500, returned: 1000, share: { cents: 1500 } });
  const reversal = { kind: 'reversal', fact: `refund:${refundRow.id}:failed`, amount: 1000 } as const;
  await postTestEntry(orgId, { ...reversal, lines: refundLines(-1000), ...references });
  expect((await readAllocation(db, orgId)).gifts.get(ledgerEntryId)).toMatchObject({
    returned: 0,
    share: { cents: 2500 },
  });
});

test('a bounced check no longer fills a grant', async () => {
  const orgId = await addOrg(db);
  const pledgeId = await addCheck(db, orgId, 'payer@example.org');
  await addGrant(db, orgId, { stage: 'paid', cents: 5000, stageDate: '2026-04-01' });
  const [entryId = ''] = (await readAllocation(db, orgId)).gifts.keys();
  const fact = `check-reversal:${entryId}`;
  const lines = checkLines(-10_000);
  const ids = { pledgeId, reversedEntryId: entryId };
  await postTestEntry(orgId, { kind: 'reversal', fact, amount: -10_000, lines, ids });
  expect(await readShares(orgId)).toEqual([[10_000, 0, 0]]);
});

test('reversing a grant payment releases its gifts', async () => {
  const orgId = await addOrg(db);
  await addCheck(db, orgId, 'payer@example.org');
  const grantId = await addGrant(db, orgId, { stage: 'paid', cents: 5000, stageDate: '2026-04-01' });
  const lines = reverseLines({ bank: -5000, grants: 5000 });
  const reversedEntryId = await readPaymentEntryId(grantId);
  const fact = `grant-reversal:${reversedEntryId}`;
  await postTestEntry(orgId, { kind: 'grant', fact, amount: 0, lines, ids: { grantId, reversedEntryId } });
  expect(await readShares(orgId)).toEqual([[10_000, 10_000, 10_000]]);
});

test('an allocation is cached until its organization changes', async () => {
  const orgId = await addOrg(db);
  const first = await readAllocation(db, orgId);
  expect(await readAllocation(db, orgId)).toBe(first);
  await addCheck(db, orgId, 'payer@example.org');
  expect((await readAllocation(db, orgId)).gifts.size).toBe(1);
});
