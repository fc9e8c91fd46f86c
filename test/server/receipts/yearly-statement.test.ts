// @spec decisions.3
import { expect, test } from 'vitest';
import type { Giving as GivingResponse } from '#contract/schemas/users.ts';
import { checkLines } from '#domain/books.ts';
import { buildFact } from '#domain/facts.ts';
import { newId } from '#server/db/new-id.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { issueReceipt } from '#server/features/receipts/issue-receipt.ts';
import { readGivingYears } from '#server/features/receipts/yearly-statement.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';

const setup: DonationSetup = await startDonationSetup({ sandbox: false });
const { db, deps, app } = setup;

/** Adds a check whose receipt goes to this email address. */
async function addCheckReceipt(orgId: string, email: string, givenOn: string, { sandbox = false } = {}): Promise<void> {
  const entry = { orgId, amount: 2500, currency: 'usd' };
  const givenAt = new Date(givenOn);
  await inTransaction(db, async (tx) => {
    const postedEntry = { ...entry, kind: 'check', fact: newId(), carbon: 0, occurredAt: givenAt } as const;
    const ledgerEntryId = (await postEntry(tx, postedEntry)) ?? '';
    const check = { kind: 'check', checkNumber: null } as const;
    const receipt = { ...entry, ledgerEntryId, email, name: 'Paula Payer', paymentMethod: check, givenAt };
    await issueReceipt(tx, { ...deps, sandbox }, receipt);
  });
}

const readYears = async (donor: SignedInPerson) =>
  (await call(app, 'readGiving', { params: { userid: donor.userId }, as: donor })).json<GivingResponse>().years;
const downloadStatement = (donor: SignedInPerson, year: string) =>
  call(app, 'downloadStatement', { params: { userid: donor.userId, year }, as: donor });

test('a gift belongs to the year in the organization’s time zone', async () => {
  const donor = await signIn(deps, { email: 'paula@example.org' });
  const orgId = await addOrg(db);
  await addCheckReceipt(orgId, donor.email, '2026-01-01T00:05:00Z');
  await addCheckReceipt(orgId, donor.email, '2026-01-01T05:00:00Z');
  await addCheckReceipt(await addOrg(db), donor.email, '2026-07-01T12:00:00Z');
  await addCheckReceipt(orgId, 'somebody@example.org', '2026-07-01T12:00:00Z');
  expect(await readYears(donor)).toEqual([
    { year: '2026', gifts: 2, amount: 50, returned: 0, pendingReturn: 0 },
    { year: '2025', gifts: 1, amount: 25, returned: 0, pendingReturn: 0 },
  ]);
  const response = await downloadStatement(donor, '2026');
  expect(response.headers['content-disposition']).toBe('attachment; filename="giving-2026.pdf"');
  expect(response.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  const params = { userid: donor.userId, year: '2026' };
  const spanishResponse = await call(app, 'downloadStatement', { params, as: donor, language: 'es' });
  expect(spanishResponse.rawPayload.toString('latin1')).toContain('/Lang (es-US)');
  expect(spanishResponse.headers['content-disposition']).toBe('attachment; filename="donaciones-2026.pdf"');
  expect(readOutcome(await downloadStatement(donor, '2024'))).toEqual([404, 'receipt-not-found']);
});

test('a statement for a donor without a name has the name of the newest receipt', async () => {
  const donor = await signIn(deps, { email: 'nameless@example.org', name: '' });
  await addCheckReceipt(await addOrg(db), donor.email, '2026-07-01T12:00:00Z');
  const { rawPayload } = await downloadStatement(donor, '2026');
  await db.kysely.updateTable('users').set({ display_name: 'Paula Payer' }).where('id', '=', donor.userId).execute();
  expect(rawPayload.equals((await downloadStatement(donor, '2026')).rawPayload)).toBe(true);
});

test('refunds and disputes are shown', async () => {
  // Every payment in the sandbox is a test payment.
  const sandboxDeps = { ...deps, sandbox: true };
  const email = 'payer@example.org';
  const { provider } = setup;
  const [refundedGift, disputedGift] = [await setup.openAndPay(), await setup.openAndPay(), await setup.openAndPay()];
  await provider.stripe.refunds.create({ charge: await provider.readChargeId(refundedGift.paymentUrl), amount: 500 });
  const disputedCharge = await provider.readChargeId(disputedGift.paymentUrl);
  // The dispute covers the whole charge, including the refunded part.
  await provider.stripe.refunds.create({ charge: disputedCharge, amount: 500 });
  await provider.submitDashboardForm(`charges/${disputedCharge}`, { action: 'dispute' });
  await provider.deliverEvents();
  const user = { userId: 'nobody', email, displayName: 'Paula Payer', language: 'en' } as const;
  const year = { year: '2026', gifts: 3, amount: 75, returned: 30 };
  expect(await readGivingYears(sandboxDeps, user)).toEqual([{ ...year, pendingReturn: 20 }]);
  const [dispute] = (await provider.stripe.disputes.list({ charge: disputedCharge })).data;
  await provider.submitDashboardForm(`disputes/${dispute?.id}`, { outcome: 'lose' });
  await provider.deliverEvents();
  expect(await readGivingYears(sandboxDeps, user)).toEqual([{ ...year, pendingReturn: 0 }]);
  const donor = await signIn(deps, { email });
  const { gifts } = (
    await call(app, 'readGiving', { params: { userid: donor.userId }, as: donor })
  ).json<GivingResponse>();
  const lostGift = gifts.find(({ checkoutid }) => checkoutid === disputedGift.id);
  expect(lostGift).toMatchObject({ amount: 25, returned: 25, pendingReturn: 0 });
});

test('a bounced check is excluded', async () => {
  const donor = await signIn(deps, { email: 'bounced@example.org' });
  const orgId = await addOrg(db);
  await addCheckReceipt(orgId, donor.email, '2026-07-01T12:00:00Z');
  const entry = db.kysely.selectFrom('ledger_entries').select('id').where('org_id', '=', orgId);
  const { id } = await entry.executeTakeFirstOrThrow();
  const reversal = {
    orgId,
    kind: 'reversal',
    fact: buildFact('check-reversal', id),
    lines: checkLines(-2500),
  } as const;
  const amounts = { amount: -2500, carbon: 0, currency: 'usd', occurredAt: new Date('2026-07-09T12:00:00Z') };
  await inTransaction(db, (tx) => postEntry(tx, { ...reversal, ...amounts }));
  expect(await readYears(donor)).toEqual([]);
});

test('test payments are not gifts', async () => {
  const donor = await signIn(deps, { email: 'tester@example.org' });
  const orgId = await addOrg(db);
  await addCheckReceipt(orgId, donor.email, '2026-07-01T12:00:00Z', { sandbox: true });
  expect(await readYears(donor)).toEqual([]);
  await addCheckReceipt(orgId, donor.email, '2026-07-01T12:00:00Z');
  expect(await readYears(donor)).toEqual([{ year: '2026', gifts: 1, amount: 25, returned: 0, pendingReturn: 0 }]);
});
