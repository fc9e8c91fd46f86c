// @spec decisions.3
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { CheckoutRecord, ListedCheckout, PaymentRecord } from '#contract/schemas/checkout-records.ts';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import { MAX_REASON_LENGTH } from '#domain/books.ts';
import { donationItem } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import { readCheckoutRecord } from '#server/features/checkout-search/checkout-records.ts';
import { refundPayment, SAMPLE_CHARGE_PREFIX } from '#server/features/payments/refund-payment.ts';
import { readHistory } from '#server/features/receipts/receipt-document.ts';
import { findReceiptSourceByEntry } from '#server/features/receipts/receipt-sources.store.ts';
import { addGift } from '#test/support/builders/gift.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { DAY } from '#test/support/clock.ts';
import { type DonationSetup, type OpenedCheckout, startDonationSetup } from '#test/support/donation-setup.ts';
import { findTraces } from '#test/support/person-traces.ts';
import { signIn } from '#test/support/sign-in.ts';

const setup: DonationSetup = await startDonationSetup();
const { db, deps, app, orgId, provider } = setup;
const edith = await signIn(deps, { editorOf: [orgId], email: 'edith@example.net', name: 'Edith Editor' });

async function payCart(cart = [donationItem(100)]): Promise<OpenedCheckout> {
  const checkout = await setup.openCheckout(cart);
  await provider.pay(checkout.paymentUrl);
  await provider.deliverEvents();
  return checkout;
}

const readRecord = async (checkoutId: string) =>
  (
    await call(app, 'readCheckoutRecord', { params: { orgid: orgId, checkoutid: checkoutId }, as: edith })
  ).json<CheckoutRecord>();

async function readPayment(checkoutId: string): Promise<PaymentRecord> {
  const [payment] = (await readRecord(checkoutId)).payments;
  if (!payment) throw new Error('The checkout has no payment.');
  return payment;
}

type RefundInput = { entryid?: string; amount?: number; reason?: string; requestid?: string };

async function requestRefund(checkoutId: string, input: RefundInput = {}) {
  const { entryid } = input.entryid === undefined ? await readPayment(checkoutId) : { entryid: input.entryid };
  const body = { requestid: randomUUID(), reason: 'Duplicate gift', ...input, entryid };
  return call(app, 'refundPayment', { params: { orgid: orgId, checkoutid: checkoutId }, as: edith, body });
}

const readRefunds = async ({ paymentUrl }: OpenedCheckout) =>
  (await provider.stripe.refunds.list({ charge: await provider.readChargeId(paymentUrl) })).data.map(
    ({ amount }) => amount,
  );

test('an editor refunds part, then the rest; author, time, and reason are recorded, and the books agree', async () => {
  const initialCents = await setup.readTotalCents();
  const gift = await payCart();
  const fullCheckout = await call(app, 'readCheckout', { params: { orgid: orgId, checkoutid: gift.id } });
  expect(fullCheckout.json<Checkout>()).not.toHaveProperty('isPartlyReturned');
  expect((await requestRefund(gift.id, { amount: 40.07, reason: '  Meant for another fund ' })).json()).toEqual({
    recorded: true,
  });
  expect(await setup.readTotalCents()).toBe(initialCents + 5993);
  expect(await readPayment(gift.id)).toMatchObject({
    amount: 100,
    fee: 3.2,
    net: 96.8,
    refunded: 40.07,
    status: 'succeeded',
    payoutId: null,
    returns: [
      {
        kind: 'refund',
        amount: 40.07,
        status: 'succeeded',
        reason: 'Meant for another fund',
        by: 'Edith Editor',
      },
    ],
  });
  // The checkout's page no longer claims the whole gift's effect.
  const response = await call(app, 'readCheckout', { params: { orgid: orgId, checkoutid: gift.id } });
  expect(response.json<Checkout>()).toMatchObject({ paymentStatus: 'paid', isPartlyReturned: true });
  const results = await call(app, 'searchCheckouts', { params: { orgid: orgId }, as: edith, body: { query: gift.id } });
  expect(results.json<ListedCheckout[]>()).toMatchObject([{ paymentStatus: 'paid', refunded: 40.07 }]);
  expect((await requestRefund(gift.id)).json()).toEqual({ recorded: true });
  expect(await readRefunds(gift)).toEqual([5993, 4007]);
  expect(await readRecord(gift.id)).toMatchObject({ paymentStatus: 'refunded', refunded: 100 });
  // Reports that arrive later aren't counted again.
  await provider.deliverEvents();
  expect(await setup.readTotalCents()).toBe(initialCents);
  expect(await setup.findDifferences()).toEqual([]);
  await call(app, 'deleteCheckout', { params: { orgid: orgId, checkoutid: gift.id }, as: edith });
  expect(await findTraces(db, ['Meant for another fund'])).toEqual({});
});

test('a double click or a retry after a lost response refunds once', async () => {
  const gift = await payCart();
  const { entryid } = await readPayment(gift.id);
  const refundRequest = { requestid: randomUUID(), entryid, amount: 30 };
  const responses = await Promise.all([1, 2, 3].map(() => requestRefund(gift.id, refundRequest)));
  expect(responses.map(({ statusCode }) => statusCode)).toContain(200);
  expect((await requestRefund(gift.id, refundRequest)).statusCode).toBe(200);
  expect(await readRefunds(gift)).toEqual([3000]);
  expect(await readPayment(gift.id)).toMatchObject({ refunded: 30 });
  // The first attempt may have succeeded, so a new amount with the same id isn't a new refund.
  expect(readOutcome(await requestRefund(gift.id, { ...refundRequest, amount: 31 }))).toEqual([409, 'refund-changed']);
  expect(await readRefunds(gift)).toEqual([3000]);
});

// @asvs 2.3.2
test('no more than the remaining amount is refunded, even after an unnoticed refund at the provider', async () => {
  const gift = await payCart();
  await provider.stripe.refunds.create({ charge: await provider.readChargeId(gift.paymentUrl), amount: 2500 });
  const response = await requestRefund(gift.id, { amount: 75.01 });
  expect(readOutcome(response)).toEqual([422, 'refund-too-much']);
  expect(response.json()).toMatchObject({ field: 'amount', detail: 'Only $75.00 of this payment is left to refund.' });
  expect(await readPayment(gift.id)).toMatchObject({ refunded: 25 });
  expect((await requestRefund(gift.id, { amount: 75 })).statusCode).toBe(200);
  expect(readOutcome(await requestRefund(gift.id))).toEqual([422, 'refund-too-much']);
  await provider.deliverEvents();
  expect(await setup.findDifferences()).toEqual([]);
});

test('a disputed payment can’t be refunded, and a dispute is shown as open, won, and lost', async () => {
  for (const [outcome, status] of [
    ['win', 'won'],
    ['lose', 'lost'],
  ] as const) {
    const gift = await payCart();
    const charge = await provider.readChargeId(gift.paymentUrl);
    await provider.submitDashboardForm(`charges/${charge}`, { action: 'dispute' });
    await provider.deliverEvents();
    expect(await readPayment(gift.id)).toMatchObject({
      status: 'disputed',
      returns: [{ kind: 'dispute', amount: 100, fee: 15, status: 'open', dueTimestamp: expect.any(String), by: null }],
    });
    expect(readOutcome(await requestRefund(gift.id))).toEqual([409, 'refund-disputed']);
    const { data } = await provider.stripe.disputes.list({ charge });
    await provider.submitDashboardForm(`disputes/${data[0]?.id ?? ''}`, { outcome });
    await provider.deliverEvents();
    expect(await readPayment(gift.id)).toMatchObject({ returns: [{ kind: 'dispute', status }] });
  }
});

test('a pending refund is shown as pending, then as failed', async () => {
  const gift = await setup.openCheckout([donationItem(100)]);
  await provider.payByDebit(gift.paymentUrl);
  await provider.resolveDebits('settle');
  await provider.deliverEvents();
  await requestRefund(gift.id, { amount: 10 });
  expect(await readPayment(gift.id)).toMatchObject({ refunded: 10, returns: [{ status: 'pending', amount: 10 }] });
  const { data } = await provider.stripe.refunds.list({ charge: await provider.readChargeId(gift.paymentUrl) });
  await provider.submitDashboardForm(`refunds/${data[0]?.id ?? ''}`, { outcome: 'fail' });
  await provider.deliverEvents();
  expect(await readPayment(gift.id)).toMatchObject({ refunded: 0, returns: [{ status: 'failed', amount: 10 }] });
});

test('a refund that the provider’s balance doesn’t cover is posted only when its money leaves', async () => {
  await provider.submitDashboardForm('uncovered-refunds', { hold: 'yes' });
  const gift = await payCart();
  const initialCents = await setup.readTotalCents();
  expect((await requestRefund(gift.id, { amount: 40 })).statusCode).toBe(200);
  await provider.deliverEvents();
  expect(await readPayment(gift.id)).toMatchObject({
    refunded: 0,
    refundable: 60,
    isSample: false,
    returns: [{ status: 'pending', amount: 40 }],
  });
  const heldRefundResponse = await call(app, 'readCheckout', { params: { orgid: orgId, checkoutid: gift.id } });
  expect(heldRefundResponse.json<Checkout>()).toMatchObject({ paymentStatus: 'paid', isPartlyReturned: true });
  const { entryid } = await readPayment(gift.id);
  const source = await findReceiptSourceByEntry(db.kysely, orgId, entryid);
  expect(source && (await readHistory(db.kysely, source)).remaining).toBe(10_000);
  expect((await requestRefund(gift.id, { amount: 70 })).json()).toMatchObject({
    detail: 'Only $60.00 of this payment is left to refund.',
  });
  expect(await setup.readTotalCents()).toBe(initialCents);
  expect(await setup.findDifferences()).toEqual([]);
  // The gift's own money becomes available and covers its refund.
  await provider.submitDashboardForm('clock', { seconds: String((3 * DAY) / 1000) });
  await provider.deliverEvents();
  expect(await readPayment(gift.id)).toMatchObject({ refunded: 40, returns: [{ status: 'succeeded', amount: 40 }] });
  expect(await setup.readTotalCents()).toBe(initialCents - 4000);
  expect(await setup.findDifferences()).toEqual([]);
  await provider.submitDashboardForm('uncovered-refunds', { hold: 'no' });
});

test('a refund that failed before it was reported is never posted, and the books agree', async () => {
  const gift = await payCart();
  const initialCents = await setup.readTotalCents();
  const { id } = await provider.stripe.refunds.create({
    charge: await provider.readChargeId(gift.paymentUrl),
    amount: 500,
  });
  await provider.submitDashboardForm(`refunds/${id}`, { outcome: 'fail' });
  await provider.deliverEvents();
  expect(await readPayment(gift.id)).toMatchObject({ refunded: 0, returns: [{ status: 'failed', amount: 5 }] });
  expect(await setup.readTotalCents()).toBe(initialCents);
  expect(await setup.findDifferences()).toEqual([]);
});

test('the second charge of a monthly gift can be refunded alone', async () => {
  const gift = await payCart([donationItem(25, 'month')]);
  await provider.submitDashboardForm('clock', { months: '1' });
  await provider.deliverEvents();
  const [first, second] = (await readRecord(gift.id)).payments;
  if (!first || !second) throw new Error('The gift was not renewed.');
  expect((await requestRefund(gift.id, { entryid: second.entryid })).statusCode).toBe(200);
  expect((await readRecord(gift.id)).payments.map(({ refunded, status }) => [refunded, status])).toEqual([
    [0, 'succeeded'],
    [25, 'refunded'],
  ]);
  expect(await readRecord(gift.id)).toMatchObject({ paymentStatus: 'paid', refunded: 25 });
  expect(await setup.findDifferences()).toEqual([]);
});

test('an unreachable provider leaves the refund unrecorded, and a reason is required', async () => {
  const gift = await payCart();
  const { entryid } = await readPayment(gift.id);
  const refundRequest = { requestid: randomUUID(), entryid, reason: 'Duplicate gift' };
  const depsWithFailure = {
    ...deps,
    payments: { ...deps.payments, refund: async () => new Failure('payment-unavailable') },
  };
  const key = { orgId, checkoutId: gift.id };
  expect(await refundPayment(depsWithFailure, key, refundRequest, edith.userId)).toEqual(
    new Failure('refund-unavailable'),
  );
  expect(await readPayment(gift.id)).toMatchObject({ refunded: 0, returns: [] });
  expect(readOutcome(await requestRefund(gift.id, { reason: ' ' }))).toEqual([422, 'no-reason']);
  const longReason = 'x'.repeat(MAX_REASON_LENGTH + 1);
  expect(readOutcome(await requestRefund(gift.id, { reason: longReason }))).toEqual([422, 'reason-too-long']);
  expect(await readRefunds(gift)).toEqual([]);
  // The refund succeeded but can't be read from the provider. Its report arrives later.
  const brokenDeps = {
    ...deps,
    payments: { ...deps.payments, readCharge: async () => new Failure('payment-unavailable') },
  };
  expect(await refundPayment(brokenDeps, key, refundRequest, edith.userId)).toEqual({ recorded: false });
  await provider.deliverEvents();
  expect(await readPayment(gift.id)).toMatchObject({ refunded: 100, returns: [{ by: 'Edith Editor' }] });
});

test('a gift of the sample can’t be refunded, and the provider isn’t asked', async () => {
  const sampleOrg = await addOrg(db);
  const { checkoutId, ledgerEntryId: entryid } = await addGift(db, sampleOrg);
  const charge_id = `${SAMPLE_CHARGE_PREFIX}maya`;
  await db.kysely.updateTable('payments').set({ charge_id }).where('entry_id', '=', entryid).execute();
  const unusedDeps = { ...deps, payments: { ...deps.payments, refund: () => Promise.reject(new Error('unexpected')) } };
  const request = { requestid: randomUUID(), entryid, reason: 'Duplicate gift' };
  const key = { orgId: sampleOrg, checkoutId };
  expect(await refundPayment(unusedDeps, key, request, edith.userId)).toEqual(new Failure('refund-of-sample'));
  expect(await readCheckoutRecord({ db }, key)).toMatchObject({ payments: [{ isSample: true }] });
});

test('a payment can’t be refunded through a different, deleted, or other organization’s checkout', async () => {
  const [gift, otherGift] = [await payCart(), await payCart()];
  const { entryid } = await readPayment(gift.id);
  expect(readOutcome(await requestRefund(otherGift.id, { entryid }))).toEqual([404, 'payment-not-found']);
  const otherOrg = await addOrg(db);
  const otherEditor = await signIn(deps, { editorOf: [otherOrg], email: 'eve@example.net' });
  const body = { requestid: randomUUID(), entryid, reason: 'Duplicate gift' };
  const params = { orgid: orgId, checkoutid: gift.id };
  expect(readOutcome(await call(app, 'refundPayment', { params, as: otherEditor, body }))).toEqual([403, 'forbidden']);
  const otherOrgRequest = { params: { orgid: otherOrg, checkoutid: gift.id }, as: otherEditor, body };
  expect(readOutcome(await call(app, 'refundPayment', otherOrgRequest))).toEqual([404, 'payment-not-found']);
  await call(app, 'deleteCheckout', { params, as: edith });
  expect(readOutcome(await call(app, 'refundPayment', { params, as: edith, body }))).toEqual([
    404,
    'payment-not-found',
  ]);
  expect(await readRefunds(gift)).toEqual([]);
});
