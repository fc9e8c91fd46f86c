import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { feeLines, payoutLines } from '#domain/books.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { type NewEntry, postEntry } from '#server/features/ledger/post-entry.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createTestDatabase } from '#test/support/database.ts';

const db = await createTestDatabase();
const orgId = await addOrg(db);
let factCount = 0;

function buildEntry(overrides: Partial<NewEntry> = {}): NewEntry {
  factCount += 1;
  const occurredAt = new Date('2026-01-02T03:04:05Z');
  const fact = `fact ${factCount}`;
  return { orgId, kind: 'payment', fact, amount: 2500, carbon: 0, currency: 'usd', occurredAt, ...overrides };
}

const postTestEntry = (overrides?: Partial<NewEntry>) =>
  inTransaction(db, (tx) => postEntry(tx, buildEntry(overrides)));

async function readLines(entryId: string | undefined) {
  const rows = await db.kysely
    .selectFrom('ledger_lines')
    .selectAll()
    .where('entry_id', '=', entryId ?? '')
    .execute();
  return Object.fromEntries(rows.map(({ account, cents }) => [account, cents]));
}

test.each([
  ['payment', 2500, { gifts: -2500, provider: 2500 }],
  ['renewal', 2500, { gifts: -2500, provider: 2500 }],
  ['check', 2500, { gifts: -2500, bank: 2500 }],
  ['refund', -2500, { gifts: 2500, provider: -2500 }],
  ['adjustment', -300, { gifts: 300, opening: -300 }],
  ['adjustment', 0, {}],
] as const)('a %s of %i cents moves money between its accounts', async (kind, amount, lines) => {
  expect(await readLines(await postTestEntry({ kind, amount, carbon: 0, gas: amount === 0 ? 1 : 0 }))).toEqual(lines);
});

test('fees and payouts move money and don’t change the stats', async () => {
  expect(await readLines(await postTestEntry({ kind: 'fee', amount: 0, lines: feeLines(103) }))).toEqual({
    fees: 103,
    provider: -103,
  });
  expect(await readLines(await postTestEntry({ kind: 'payout', amount: 0, lines: payoutLines(2397) }))).toEqual({
    bank: 2397,
    provider: -2397,
  });
});

test.each<[string, Partial<NewEntry>, string]>([
  ['whose lines do not sum to zero', { lines: { gifts: -2500, provider: 2499 } }, 'sum to -1 cents'],
  ['whose gift lines differ from its amount', { lines: { gifts: -2400, provider: 2400 } }, 'its gifts are 2400'],
  ['in a different currency than its organization’s', { currency: 'jpy' }, 'not in the currency of its organization'],
  ['for a payment below zero', { amount: -1 }, 'ledger_entries_sign_check'],
  ['for a refund above zero', { kind: 'refund', amount: 1 }, 'ledger_entries_sign_check'],
  ['for a fee that counts as a gift', { kind: 'fee', amount: 1 }, 'ledger_entries_sign_check'],
  ['for a checkout that does not exist', { checkoutId: 'unknown' }, 'ledger_entries_checkout_fkey'],
  ['for a check that does not exist', { pledgeId: 'unknown' }, 'ledger_entries_pledge_fkey'],
])('the database rejects an entry %s', async (_title, overrides, message) => {
  await expect(postTestEntry(overrides)).rejects.toThrow(message);
});

test('adding a line to an older entry is rejected', async () => {
  const id = (await postTestEntry()) ?? '';
  const insertLine = db.kysely.insertInto('ledger_lines').values({ entry_id: id, account: 'bank', cents: 1 }).execute();
  await expect(insertLine).rejects.toThrow('not to zero');
});

test.each<[string, RawBuilder<unknown>, string]>([
  ['lines changed', sql`update ledger_lines set cents = 1`, 'append-only'],
  ['lines deleted', sql`delete from ledger_lines`, 'append-only'],
  ['lines truncated', sql`truncate ledger_lines`, 'append-only'],
  ['totals deleted', sql`delete from ledger_totals`, 'append-only'],
  ['receipts truncated', sql`truncate receipts cascade`, 'a receipt can be neither changed nor deleted'],
])('the books can’t have their %s', async (_title, statement, message) => {
  await postTestEntry();
  await expect(statement.execute(db.kysely)).rejects.toThrow(message);
});
