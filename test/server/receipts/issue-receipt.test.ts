import { expect, test } from 'vitest';
import { addOrg } from '#test/support/builders/org.ts';
import { type Giving, startGiving } from '#test/support/giving.ts';

const giving: Giving = await startGiving();
const { db, provider } = giving;

async function numbersOf(orgId: string): Promise<number[]> {
  const rows = await db.kysely
    .selectFrom('receipts')
    .select('number')
    .where('org_id', '=', orgId)
    .orderBy('number')
    .execute();
  return rows.map(({ number }) => number);
}

test('every payment has one receipt, numbered from 1 in each organization', async () => {
  const other = await addOrg(db);
  await giving.openPaid();
  await giving.openPaid(other);
  await giving.openPaid();
  expect(await numbersOf(giving.orgId)).toEqual([1, 2]);
  expect(await numbersOf(other)).toEqual([1]);
});

test('payments that arrive at the same time leave no gap and no double among the numbers', async () => {
  const org = await addOrg(db);
  const checkouts = await Promise.all(Array.from({ length: 20 }, () => giving.open(undefined, org)));
  for (const { paymentUrl } of checkouts) await provider.pay(paymentUrl);
  await provider.deliver();
  expect(await numbersOf(org)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  expect(await giving.differences()).toEqual([]);
});

test('a receipt holds who paid and how much, and a key that cannot be guessed', async () => {
  const { id } = await giving.openPaid();
  const receipt = await db.kysely
    .selectFrom('receipts')
    .selectAll()
    .where('checkout_id', '=', id)
    .executeTakeFirstOrThrow();
  expect(receipt).toMatchObject({ email: 'payer@example.org', name: 'Paula Payer', amount_cents: 2500 });
  expect(receipt.key).toMatch(/^[\w-]{22}$/);
  expect(giving.mailed).toContain(receipt.number);
});
