// @spec decisions.3
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '#server/db/new-id.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { issueReceipt } from '#server/features/receipts/issue-receipt.ts';
import { findReceiptSource } from '#server/features/receipts/receipt-sources.store.ts';
import { insertReceiptNote, listReceiptNotes } from '#server/features/receipts/receipts.store.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';

const setup: DonationSetup = await startDonationSetup();
const { db, deps, provider } = setup;

const readReceipts = (orgId: string) =>
  db.kysely.selectFrom('receipts').selectAll().where('org_id', '=', orgId).orderBy('number').execute();
const readPrintedNumbers = async (orgId: string) =>
  (await readReceipts(orgId)).map(({ printed_number }) => printed_number);

test('every payment has one receipt, numbered across the legal donee’s organizations', async () => {
  const otherOrgId = await addOrg(db);
  await setup.openAndPay();
  await setup.openAndPay({ orgId: otherOrgId });
  await setup.openAndPay();
  expect(await readPrintedNumbers(setup.orgId)).toEqual([1001, 1003]);
  expect(await readPrintedNumbers(otherOrgId)).toEqual([1002]);
});

// @asvs 2.3.4
test('simultaneous payments leave no gaps or duplicates in the numbers', async () => {
  const orgs = [await addOrg(db), await addOrg(db)];
  const checkouts = await Promise.all(
    Array.from({ length: 20 }, (_, n) => setup.openCheckout(undefined, { orgId: orgs[n % 2] })),
  );
  for (const { paymentUrl } of checkouts) await provider.pay(paymentUrl);
  await provider.deliverEvents();
  const numbers = (await Promise.all(orgs.map(readPrintedNumbers))).flat().toSorted((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, n) => (numbers[0] ?? 0) + n));
  expect(await setup.findDifferences()).toEqual([]);
});

test('a rolled-back receipt takes no number', async () => {
  const orgId = await addOrg(db);
  const initialNumbers = await db.kysely.selectFrom('receipt_numbers').selectAll().execute();
  const rolledBackIssue = inTransaction(db, async (tx) => {
    const check = { kind: 'check', checkNumber: null } as const;
    const entry = { orgId, amount: 100, currency: 'usd' };
    const newEntry = { ...entry, kind: 'check', fact: 'rolled back', carbon: 0, occurredAt: deps.now() } as const;
    const ledgerEntryId = (await postEntry(tx, newEntry)) ?? '';
    await issueReceipt(tx, deps, {
      ...entry,
      ledgerEntryId,
      email: undefined,
      name: 'Eve',
      paymentMethod: check,
      givenAt: deps.now(),
    });
    throw new Error('changed my mind');
  });
  await expect(rolledBackIssue).rejects.toThrow('changed my mind');
  expect(await db.kysely.selectFrom('receipt_numbers').selectAll().execute()).toEqual(initialNumbers);
});

test('test payments have their own numbers', async () => {
  const liveReceipt = await issueCheckReceipt(await addOrg(db), deps.now());
  expect(liveReceipt).toMatchObject({ series: 'live', printed_number: 1001, document: { testPaymentNotice: null } });
});

/** Issues a receipt for a check received outside the sandbox. */
async function issueCheckReceipt(orgId: string, givenAt: Date, livemode?: boolean) {
  const amount = 12_345;
  await inTransaction(db, async (tx) => {
    const entry = { orgId, amount, currency: 'usd' };
    const newEntry = { ...entry, kind: 'check', fact: newId(), carbon: 0, occurredAt: givenAt, livemode } as const;
    const ledgerEntryId = (await postEntry(tx, newEntry)) ?? '';
    const numberedCheck = { kind: 'check', checkNumber: '77' } as const;
    const receipt = {
      ...entry,
      ledgerEntryId,
      email: 'paula@example.org',
      name: 'Paula Payer',
      paymentMethod: numberedCheck,
      givenAt,
    };
    await issueReceipt(tx, { ...deps, sandbox: false }, receipt);
  });
  const [receipt] = await readReceipts(orgId);
  return receipt;
}

test('simultaneous receipts for payments in the other payment mode have different numbers', async () => {
  await db.kysely.insertInto('payment_mode').values({ livemode: false }).execute();
  onTestFinished(async () => void (await db.kysely.deleteFrom('payment_mode').execute()));
  const orgId = await addOrg(db);
  await Promise.all(Array.from({ length: 4 }, () => issueCheckReceipt(orgId, deps.now(), true)));
  expect((await readReceipts(orgId)).map(({ number }) => number)).toEqual([1, 2, 3, 4]);
});

test('dates use the organization’s time zone', async () => {
  const newYearsEve = new Date('2026-01-01T00:05:00Z');
  const receipt = await issueCheckReceipt(await addOrg(db), newYearsEve);
  expect(receipt?.document).toMatchObject({ givenOn: '2025-12-31' });
  const kiribatiOrgId = await addOrg(db);
  await db.kysely
    .updateTable('orgs')
    .set({ time_zone: 'Pacific/Kiritimati' })
    .where('id', '=', kiribatiOrgId)
    .execute();
  expect((await issueCheckReceipt(kiribatiOrgId, newYearsEve))?.document).toMatchObject({ givenOn: '2026-01-01' });
});

test('an issued receipt is unchanged after the organization is renamed', async () => {
  const orgId = await addOrg(db);
  const firstReceipt = await issueCheckReceipt(orgId, deps.now());
  await db.kysely.updateTable('orgs').set({ name: 'Another name' }).where('id', '=', orgId).execute();
  const source = await findReceiptSource(db.kysely, { orgId, number: 1 });
  expect(source?.document).toEqual(firstReceipt?.document);
  expect(firstReceipt?.document).toEqual({
    number: firstReceipt?.printed_number,
    donee: deps.parent,
    orgName: 'Ithaca Climate Fund',
    donor: 'Paula Payer',
    givenOn: expect.stringMatching(/^2026-/),
    issuedOn: expect.stringMatching(/^2026-/),
    lines: [{ text: 'Donation by check no. 77', amount: 12_345 }],
    amount: 12_345,
    currency: 'usd',
    statement: 'No goods or services were provided in exchange for this gift.',
    renewal: [],
    testPaymentNotice: null,
    effect: '$123.45 funds about 5 tons of grant work.',
  });
});

test.each([
  ['the number', { printed_number: 7 }],
  ['the donor', { name: 'Eve' }],
  ['the document', { document: JSON.stringify({ amount: 1 }) }],
  ['the sum', { amount_cents: 1 }],
])('the database rejects changing %s of a receipt', async (_what, change) => {
  await setup.openAndPay();
  const update = db.kysely.updateTable('receipts').set(change).where('org_id', '=', setup.orgId).execute();
  await expect(update).rejects.toThrow('a receipt can be neither changed nor deleted');
});

test('erasing the payer removes only the name from the document', async () => {
  const orgId = await addOrg(db);
  const firstReceipt = await issueCheckReceipt(orgId, deps.now());
  await db.kysely.updateTable('receipts').set({ email: null, name: null }).where('org_id', '=', orgId).execute();
  const [erasedReceipt] = await readReceipts(orgId);
  expect(erasedReceipt?.document).toEqual({ ...firstReceipt?.document, donor: null });
  expect(erasedReceipt).toMatchObject({ delivery: 'no-address' });
  expect(await setup.findDifferences()).not.toContainEqual(
    expect.objectContaining({ problem: expect.stringMatching(/document/) }),
  );
});

test('a receipt has its payer, amount, and an unguessable key', async () => {
  const { id } = await setup.openAndPay();
  const receipt = await db.kysely
    .selectFrom('receipts')
    .selectAll()
    .where('checkout_id', '=', id)
    .executeTakeFirstOrThrow();
  expect(receipt).toMatchObject({ email: 'payer@example.org', name: 'Paula Payer', amount_cents: 2500 });
  expect(receipt.key).toMatch(/^[\w-]{22}$/);
  expect(setup.queuedReceipts).toContain(receipt.number);
});

test('a note is added to a receipt once and doesn’t change the document', async () => {
  const orgId = await addOrg(db);
  const firstReceipt = await issueCheckReceipt(orgId, deps.now());
  const note = { fact: newId(), org_id: orgId, number: 1, noted_on: '2026-03-20', text: 'Refunded $5.00' };
  for (const _try of [1, 2]) await inTransaction(db, (tx) => insertReceiptNote(tx, note));
  expect(await listReceiptNotes(db.kysely, { orgId, number: 1 })).toEqual([
    { date: '2026-03-20', text: 'Refunded $5.00' },
  ]);
  expect((await readReceipts(orgId))[0]?.document).toEqual(firstReceipt?.document);
});
