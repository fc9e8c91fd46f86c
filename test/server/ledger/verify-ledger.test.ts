import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/transaction.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { asOwner } from '#test/support/as-owner.ts';
import { type Giving, startGiving } from '#test/support/giving.ts';

const giving: Giving = await startGiving();
const { db, orgId } = giving;

/** Spoils something, looks, and puts it back: the database is as before for the next test. */
async function differencesAfter(spoil: RawBuilder<unknown>): Promise<readonly string[]> {
  const found = await spoiled(spoil);
  expect(await giving.differences()).toEqual([]);
  return found;
}

async function spoiled(spoil: RawBuilder<unknown>): Promise<readonly string[]> {
  const before = await db.kysely.selectFrom('checkouts').selectAll().execute();
  const totals = await db.kysely.selectFrom('ledger_totals').selectAll().execute();
  const receipts = await db.kysely.selectFrom('receipts').selectAll().execute();
  await asOwner(db, (tx) => spoil.execute(tx));
  const found = (await giving.differences()).map(({ subject, problem }) => `${subject} ${problem}`);
  for (const { id, payment_status, total_cents, carbon } of before) {
    await db.kysely
      .updateTable('checkouts')
      .set({ payment_status, total_cents, carbon })
      .where('id', '=', id)
      .execute();
  }
  for (const { org_id, ...sums } of totals) {
    await db.kysely.updateTable('ledger_totals').set(sums).where('org_id', '=', org_id).execute();
  }
  await asOwner(db, async (tx) => {
    await tx.deleteFrom('receipts').execute();
    const kept = receipts.map(({ printed_number, document, ...row }) => ({
      ...row,
      document: JSON.stringify(document),
    }));
    await tx.insertInto('receipts').values(kept).execute();
  });
  return found;
}

const gifts = [await giving.openPaid(), await giving.openPaid(), await giving.openPaid()];
const unpaid = await giving.open();
const first = gifts[0]?.id ?? '';

test('nothing differs after honest gifts', async () => {
  expect(await giving.differences()).toEqual([]);
});

test.each([
  ['a total', sql`update ledger_totals set amount_cents = amount_cents + 1`, /^totals kept 7501 cents/],
  ['the carbon of the totals', sql`update ledger_totals set carbon = carbon + 1`, /^totals kept/],
  ['the count of the totals', sql`update ledger_totals set entries = entries - 1`, /^totals kept/],
  ['a checkout’s sum', sql`update checkouts set total_cents = 1 where id = ${first}`, /differs from checkout/],
  ['a checkout’s carbon', sql`update checkouts set carbon = 1 where id = ${first}`, /differs from checkout/],
  ['a paid checkout', sql`update checkouts set payment_status = 'failed' where id = ${first}`, /differs from checkout/],
  [
    'an unpaid checkout',
    sql`update checkouts set payment_status = 'paid' where id = ${unpaid.id}`,
    /is paid, and has 0 payment entries/,
  ],
  ['a missing receipt', sql`delete from receipts where number = 3`, /has no receipt/],
  ['a receipt’s sum', sql`update receipts set amount_cents = 1 where number = 1`, /differs from receipt 1/],
  ['a gap between receipts', sql`update receipts set number = 7 where number = 3`, /^receipts 3 of them, .* 1 to 7/],
  [
    'the last receipt',
    sql`delete from receipts where number = 3`,
    /^test receipts 2 of them, numbered from 1001 to 1002/,
  ],
  [
    'a gap between the donee’s numbers',
    sql`update receipts set donee_number = 1009 where number = 2`,
    /^test receipts 3 of them, numbered from 1001 to 1009; 1001 to 1003 were given out/,
  ],
  [
    'a receipt with a number that an organization printed before',
    sql`update receipts set series = null, donee_number = null, number = 1002 where number = 2`,
    /^receipt 1002 has a number of the donee/,
  ],
  [
    'the sum on a document',
    sql`update receipts set document = document || '{"amount": 1}'`,
    /differs from its document/,
  ],
  ['the donor on a document', sql`update receipts set document = document || '{"donor": "Eve"}'`, /differs from its/],
  ['a missing document', sql`update receipts set document = null where number = 1`, /^receipt 1001 has no document/],
])('%s that was tampered with is found', async (_what, spoil, problem) => {
  expect(await differencesAfter(spoil)).toContainEqual(expect.stringMatching(problem));
});

test('a payment without a checkout is found', async () => {
  const occurredAt = new Date();
  await inTransaction(db, (tx) =>
    postEntry(tx, { orgId, kind: 'payment', fact: 'made up', amount: 1, carbon: 0, currency: 'usd', occurredAt }),
  );
  const problems = (await giving.differences()).map(({ problem }) => problem);
  expect(problems).toEqual(['has no checkout', 'has no receipt']);
});
