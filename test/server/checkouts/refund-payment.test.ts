// @spec decisions.3
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { CheckoutRecord, ListedCheckout, PaymentRecord } from '#contract/schemas/checkout-records.ts';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import { REASON_MAXIMUM } from '#domain/books.ts';
import { donationItem } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import { refundPayment } from '#server/features/payments/refund-payment.ts';
import { historyOf } from '#server/features/receipts/receipt-document.ts';
import { receiptSourceOfEntry } from '#server/features/receipts/receipt-sources.store.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call, outcomeOf } from '#test/support/call.ts';
import { DAY } from '#test/support/clock.ts';
import { type Giving, type OpenedCheckout, startGiving } from '#test/support/giving.ts';
import { findTraces } from '#test/support/person-traces.ts';
import { signIn } from '#test/support/sign-in.ts';

const giving: Giving = await startGiving();
const { db, deps, app, orgId: orgid, provider } = giving;
const edith = await signIn(deps, { editorOf: [orgid], email: 'edith@example.net', name: 'Edith Editor' });

async function payCart(cart = [donationItem(100)]): Promise<OpenedCheckout> {
  const checkout = await giving.open(cart);
  await provider.pay(checkout.paymentUrl);
  await provider.deliver();
  return checkout;
}

const recordOf = async (checkoutid: string) =>
  (await call(app, 'readCheckoutRecord', { params: { orgid, checkoutid }, as: edith })).json<CheckoutRecord>();

async function paymentOf(checkoutid: string): Promise<PaymentRecord> {
  const [payment] = (await recordOf(checkoutid)).payments;
  if (!payment) throw new Error('The checkout has no payment.');
  return payment;
}

type RefundInput = { entryid?: string; amount?: number; reason?: string; requestid?: string };

async function refund(checkoutid: string, input: RefundInput = {}) {
  const { entryid } = input.entryid === undefined ? await paymentOf(checkoutid) : { entryid: input.entryid };
  const body = { requestid: randomUUID(), reason: 'Given twice', ...input, entryid };
  return call(app, 'refundPayment', { params: { orgid, checkoutid }, as: edith, body });
}

const refundsOf = async ({ paymentUrl }: OpenedCheckout) =>
  (await provider.stripe.refunds.list({ charge: await provider.chargeOf(paymentUrl) })).data.map(
    ({ amount }) => amount,
  );

test('an editor refunds a part, then the rest, with who, when, and why, and the books agree', async () => {
  const initialCents = await giving.cents();
  const gift = await payCart();
  const fullCheckout = await call(app, 'readCheckout', { params: { orgid, checkoutid: gift.id } });
  expect(fullCheckout.json<Checkout>()).not.toHaveProperty('partlyReturned');
  expect((await refund(gift.id, { amount: 40.07, reason: '  Meant for another fund ' })).json()).toEqual({
    recorded: true,
  });
  expect(await giving.cents()).toBe(initialCents + 5993);
  expect(await paymentOf(gift.id)).toMatchObject({
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
  const response = await call(app, 'readCheckout', { params: { orgid, checkoutid: gift.id } });
  expect(response.json<Checkout>()).toMatchObject({ paymentStatus: 'paid', partlyReturned: true });
  const results = await call(app, 'searchCheckouts', { params: { orgid }, as: edith, body: { query: gift.id } });
  expect(results.json<ListedCheckout[]>()).toMatchObject([{ paymentStatus: 'paid', refunded: 40.07 }]);
  expect((await refund(gift.id)).json()).toEqual({ recorded: true });
  expect(await refundsOf(gift)).toEqual([5993, 4007]);
  expect(await recordOf(gift.id)).toMatchObject({ paymentStatus: 'refunded', refunded: 100 });
  // Later reports are not counted twice.
  await provider.deliver();
  expect(await giving.cents()).toBe(initialCents);
  expect(await giving.differences()).toEqual([]);
  await call(app, 'deleteCheckout', { params: { orgid, checkoutid: gift.id }, as: edith });
  expect(await findTraces(db, ['Meant for another fund'])).toEqual({});
});

test('a double click or a retry after a lost response refunds once', async () => {
  const gift = await payCart();
  const { entryid } = await paymentOf(gift.id);
  const refundRequest = { requestid: randomUUID(), entryid, amount: 30 };
  const responses = await Promise.all([1, 2, 3].map(() => refund(gift.id, refundRequest)));
  expect(responses.map(({ statusCode }) => statusCode)).toContain(200);
  expect((await refund(gift.id, refundRequest)).statusCode).toBe(200);
  expect(await refundsOf(gift)).toEqual([3000]);
  expect(await paymentOf(gift.id)).toMatchObject({ refunded: 30 });
  // The first try may have succeeded, so another amount with the same id isn't a new refund.
  expect(outcomeOf(await refund(gift.id, { ...refundRequest, amount: 31 }))).toEqual([409, 'refund-changed']);
  expect(await refundsOf(gift)).toEqual([3000]);
});

// @asvs 2.3.2
test('no more than the remainder is refunded, even after an unnoticed refund at the provider', async () => {
  const gift = await payCart();
  await provider.stripe.refunds.create({ charge: await provider.chargeOf(gift.paymentUrl), amount: 2500 });
  const response = await refund(gift.id, { amount: 75.01 });
  expect(outcomeOf(response)).toEqual([422, 'refund-too-much']);
  expect(response.json()).toMatchObject({ field: 'amount', detail: 'Only $75.00 of this payment is left to refund.' });
  expect(await paymentOf(gift.id)).toMatchObject({ refunded: 25 });
  expect((await refund(gift.id, { amount: 75 })).statusCode).toBe(200);
  expect(outcomeOf(await refund(gift.id))).toEqual([422, 'refund-too-much']);
  await provider.deliver();
  expect(await giving.differences()).toEqual([]);
});

test('a disputed payment can’t be refunded, and a dispute is shown as open, won, and lost', async () => {
  for (const [outcome, status] of [
    ['win', 'won'],
    ['lose', 'lost'],
  ] as const) {
    const gift = await payCart();
    const charge = await provider.chargeOf(gift.paymentUrl);
    await provider.press(`charges/${charge}`, { action: 'dispute' });
    await provider.deliver();
    expect(await paymentOf(gift.id)).toMatchObject({
      status: 'disputed',
      returns: [{ kind: 'dispute', amount: 100, fee: 15, status: 'open', by: null }],
    });
    expect(outcomeOf(await refund(gift.id))).toEqual([409, 'refund-disputed']);
    const { data } = await provider.stripe.disputes.list({ charge });
    await provider.press(`disputes/${data[0]?.id ?? ''}`, { outcome });
    await provider.deliver();
    expect(await paymentOf(gift.id)).toMatchObject({ returns: [{ kind: 'dispute', status }] });
  }
});

test('a pending refund is shown as pending, then as failed', async () => {
  const gift = await giving.open([donationItem(100)]);
  await provider.payByDebit(gift.paymentUrl);
  await provider.resolveDebits('settle');
  await provider.deliver();
  await refund(gift.id, { amount: 10 });
  expect(await paymentOf(gift.id)).toMatchObject({ refunded: 10, returns: [{ status: 'pending', amount: 10 }] });
  const { data } = await provider.stripe.refunds.list({ charge: await provider.chargeOf(gift.paymentUrl) });
  await provider.press(`refunds/${data[0]?.id ?? ''}`, { outcome: 'fail' });
  await provider.deliver();
  expect(await paymentOf(gift.id)).toMatchObject({ refunded: 0, returns: [{ status: 'failed', amount: 10 }] });
});

test('a refund that the provider’s balance doesn’t cover is posted only when its money leaves', async () => {
  await provider.press('uncovered-refunds', { hold: 'yes' });
  const gift = await payCart();
  const initialCents = await giving.cents();
  expect((await refund(gift.id, { amount: 40 })).statusCode).toBe(200);
  await provider.deliver();
  expect(await paymentOf(gift.id)).toMatchObject({
    refunded: 0,
    refundable: 60,
    returns: [{ status: 'pending', amount: 40 }],
  });
  const { entryid } = await paymentOf(gift.id);
  const source = await receiptSourceOfEntry(db.kysely, orgid, entryid);
  expect(source && (await historyOf(db.kysely, source)).remaining).toBe(10_000);
  expect((await refund(gift.id, { amount: 70 })).json()).toMatchObject({
    detail: 'Only $60.00 of this payment is left to refund.',
  });
  expect(await giving.cents()).toBe(initialCents);
  expect(await giving.differences()).toEqual([]);
  // The gift's own money becomes available and covers its refund.
  await provider.press('clock', { seconds: String((3 * DAY) / 1000) });
  await provider.deliver();
  expect(await paymentOf(gift.id)).toMatchObject({ refunded: 40, returns: [{ status: 'succeeded', amount: 40 }] });
  expect(await giving.cents()).toBe(initialCents - 4000);
  expect(await giving.differences()).toEqual([]);
  await provider.press('uncovered-refunds', { hold: 'no' });
});

test('a refund that failed before it was reported is never posted, and the books agree', async () => {
  const gift = await payCart();
  const initialCents = await giving.cents();
  const { id } = await provider.stripe.refunds.create({
    charge: await provider.chargeOf(gift.paymentUrl),
    amount: 500,
  });
  await provider.press(`refunds/${id}`, { outcome: 'fail' });
  await provider.deliver();
  expect(await paymentOf(gift.id)).toMatchObject({ refunded: 0, returns: [{ status: 'failed', amount: 5 }] });
  expect(await giving.cents()).toBe(initialCents);
  expect(await giving.differences()).toEqual([]);
});

test('the second charge of a monthly gift can be refunded alone', async () => {
  const gift = await payCart([donationItem(25, 'month')]);
  await provider.press('clock', { months: '1' });
  await provider.deliver();
  const [first, second] = (await recordOf(gift.id)).payments;
  if (!first || !second) throw new Error('It was not renewed.');
  expect((await refund(gift.id, { entryid: second.entryid })).statusCode).toBe(200);
  expect((await recordOf(gift.id)).payments.map(({ refunded, status }) => [refunded, status])).toEqual([
    [0, 'succeeded'],
    [25, 'refunded'],
  ]);
  expect(await recordOf(gift.id)).toMatchObject({ paymentStatus: 'paid', refunded: 25 });
  expect(await giving.differences()).toEqual([]);
});

test('an unreachable provider makes no claims, and a reason is required', async () => {
  const gift = await payCart();
  const { entryid } = await paymentOf(gift.id);
  const refundRequest = { requestid: randomUUID(), entryid, reason: 'Given twice' };
  const out = { ...deps, payments: { ...deps.payments, refund: async () => new Failure('payment-unavailable') } };
  const key = { orgId: orgid, checkoutId: gift.id };
  expect(await refundPayment(out, key, refundRequest, edith.userId)).toEqual(new Failure('refund-unavailable'));
  expect(await paymentOf(gift.id)).toMatchObject({ refunded: 0, returns: [] });
  expect(outcomeOf(await refund(gift.id, { reason: ' ' }))).toEqual([422, 'no-reason']);
  const long = 'x'.repeat(REASON_MAXIMUM + 1);
  expect(outcomeOf(await refund(gift.id, { reason: long }))).toEqual([422, 'reason-too-long']);
  expect(await refundsOf(gift)).toEqual([]);
  // The refund succeeded but can't be read from the provider. Its report arrives later.
  const brokenDeps = {
    ...deps,
    payments: { ...deps.payments, readCharge: async () => new Failure('payment-unavailable') },
  };
  expect(await refundPayment(brokenDeps, key, refundRequest, edith.userId)).toEqual({ recorded: false });
  await provider.deliver();
  expect(await paymentOf(gift.id)).toMatchObject({ refunded: 100, returns: [{ by: 'Edith Editor' }] });
});

test('a payment of another, foreign, or deleted checkout isn’t refunded', async () => {
  const [gift, otherGift] = [await payCart(), await payCart()];
  const { entryid } = await paymentOf(gift.id);
  expect(outcomeOf(await refund(otherGift.id, { entryid }))).toEqual([404, 'payment-not-found']);
  const otherOrg = await addOrg(db);
  const elsewhere = await signIn(deps, { editorOf: [otherOrg], email: 'eve@example.net' });
  const body = { requestid: randomUUID(), entryid, reason: 'Given twice' };
  const params = { orgid, checkoutid: gift.id };
  expect(outcomeOf(await call(app, 'refundPayment', { params, as: elsewhere, body }))).toEqual([403, 'forbidden']);
  const byOwn = { params: { orgid: otherOrg, checkoutid: gift.id }, as: elsewhere, body };
  expect(outcomeOf(await call(app, 'refundPayment', byOwn))).toEqual([404, 'payment-not-found']);
  await call(app, 'deleteCheckout', { params, as: edith });
  expect(outcomeOf(await call(app, 'refundPayment', { params, as: edith, body }))).toEqual([404, 'payment-not-found']);
  expect(await refundsOf(gift)).toEqual([]);
});
