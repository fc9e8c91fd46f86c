// @spec decisions.3
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { CARDS, DAY, idOf, openSandboxAt, typesOf, unixSeconds } from './open-sandbox-at.ts';

const MONEY_EVENT = /^(charge\.(refund|dispute)|refund)/;
const moneyEventTypes = (events: readonly Stripe.Event[]): string[] =>
  typesOf(events).filter((type) => MONEY_EVENT.test(type));

test('a card refund is deducted from the balance, and the fee isn’t returned', async () => {
  const { stripe, pay, readCharge, listEvents } = await openSandboxAt();
  const id = await pay(2500);
  const refund = await stripe.refunds.create({ charge: id, amount: 1000, expand: ['balance_transaction'] });
  expect(refund).toMatchObject({
    status: 'succeeded',
    balance_transaction: { amount: -1000, fee: 0, net: -1000, type: 'refund', source: refund.id },
  });
  expect(await readCharge(id)).toMatchObject({ amount_refunded: 1000, refunded: false });
  const [refundedEvent] = await listEvents('charge.refunded');
  expect(refundedEvent?.data.previous_attributes).toEqual({ amount_refunded: 0 });
  const createdFilter = { gte: refund.created };
  expect((await stripe.refunds.list({ created: createdFilter })).data).toHaveLength(1);
  expect((await stripe.refunds.list({ created: { gt: refund.created } })).data).toEqual([]);
});

test('a refund of a bank debit is pending for five days', async () => {
  const { stripe, payByBank, moveClock, listEvents } = await openSandboxAt();
  const refund = await stripe.refunds.create({ charge: await payByBank(2500) });
  expect(refund).toMatchObject({ status: 'pending', pending_reason: 'processing' });
  await moveClock({ seconds: 5 * DAY - 1 });
  expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({ status: 'pending' });
  await moveClock({ seconds: 1 });
  expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({ status: 'succeeded' });
  expect(moneyEventTypes(await listEvents())).toEqual([
    'refund.created',
    'charge.refunded',
    'refund.updated',
    'charge.refund.updated',
  ]);
});

test('a failed pending refund restores the money', async () => {
  const { stripe, payByBank, post, readCharge, listEvents, moveClock } = await openSandboxAt();
  const id = await payByBank(2500);
  const refund = await stripe.refunds.create({ charge: id });
  await post(`/sandbox/refunds/${refund.id}`, { outcome: 'fail' });
  const failedRefund = await stripe.refunds.retrieve(refund.id, { expand: ['failure_balance_transaction'] });
  expect(failedRefund).toMatchObject({
    status: 'failed',
    failure_balance_transaction: { amount: 2500, net: 2500, type: 'payment_refund', source: refund.id },
  });
  expect(await readCharge(id)).toMatchObject({ amount_refunded: 0, refunded: false });
  expect(moneyEventTypes(await listEvents()).slice(2)).toEqual([
    'refund.updated',
    'charge.refund.updated',
    'refund.failed',
  ]);
  await moveClock({ months: 1 });
  expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({ status: 'failed' });
});

test('a refund the balance doesn’t cover stays pending until the balance covers it', async () => {
  const { stripe, pay, post, moveClock, readCharge, listEvents } = await openSandboxAt();
  const id = await pay(2500);
  await post('/sandbox/uncovered-refunds', { hold: 'yes' });
  const refund = await stripe.refunds.create({ charge: id, amount: 2000 });
  expect(refund).toMatchObject({ status: 'pending', pending_reason: 'insufficient_funds', balance_transaction: null });
  expect(await readCharge(id)).toMatchObject({ amount_refunded: 2000 });
  const [available] = (await stripe.balance.retrieve()).available;
  expect(available?.amount).toBe(0);
  // The charge becomes available and covers the refund before being paid out.
  await moveClock({ seconds: 2 * DAY });
  expect(await stripe.refunds.retrieve(refund.id, { expand: ['balance_transaction'] })).toMatchObject({
    status: 'succeeded',
    balance_transaction: { amount: -2000, created: unixSeconds('2026-02-02T00:00:00Z'), type: 'refund' },
  });
  expect(moneyEventTypes(await listEvents())).toEqual([
    'refund.created',
    'charge.refunded',
    'refund.updated',
    'charge.refund.updated',
  ]);
});

test('an uncovered refund fails without moving money if the payment is disputed', async () => {
  const { stripe, pay, post, readCharge, listEvents } = await openSandboxAt();
  const id = await pay(2500);
  await post('/sandbox/uncovered-refunds', { hold: 'yes' });
  const { id: refundId } = await stripe.refunds.create({ charge: id });
  await post(`/sandbox/charges/${id}`, { action: 'dispute' });
  const refund = await stripe.refunds.retrieve(refundId);
  expect(refund).toMatchObject({
    status: 'failed',
    failure_reason: 'charge_for_pending_refund_disputed',
    balance_transaction: null,
  });
  expect(refund).not.toHaveProperty('failure_balance_transaction');
  expect(await readCharge(id)).toMatchObject({ amount_refunded: 0, refunded: false, disputed: true });
  expect(moneyEventTypes(await listEvents()).slice(-3)).toEqual([
    'refund.failed',
    'charge.dispute.created',
    'charge.dispute.funds_withdrawn',
  ]);
});

test('an uncovered refund of a bank debit fails, and a card refund can overdraw the balance once uncovered refunds aren’t held', async () => {
  const { stripe, pay, payByBank, post, readCharge } = await openSandboxAt();
  const [cardCharge, bankCharge] = [await pay(2500), await payByBank(2500)];
  await post('/sandbox/uncovered-refunds', { hold: 'yes' });
  const refund = await stripe.refunds.create({ charge: bankCharge });
  expect(refund).toMatchObject({ status: 'failed', failure_reason: 'insufficient_funds', balance_transaction: null });
  expect(await readCharge(bankCharge)).toMatchObject({ amount_refunded: 0 });
  const heldRefund = await stripe.refunds.create({ charge: cardCharge });
  await post('/sandbox/uncovered-refunds', { hold: 'no' });
  expect(await stripe.refunds.retrieve(heldRefund.id)).toMatchObject({ status: 'succeeded' });
});

test.each([
  [CARDS.refundPending, 'pending', 'succeeded'],
  [CARDS.refundFails, 'succeeded', 'failed'],
])('a refund to the card %s is %s and then %s', async (card, initialStatus, finalStatus) => {
  const { stripe, pay, moveClock } = await openSandboxAt();
  const refund = await stripe.refunds.create({ charge: await pay(2500, card) });
  expect(refund.status).toBe(initialStatus);
  await moveClock({ seconds: 6 * DAY });
  expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({ status: finalStatus });
});

test('4000 0000 0000 0259 pays, and the payment is disputed', async () => {
  const { stripe, pay, readCharge, listEvents } = await openSandboxAt();
  const id = await pay(2500, CARDS.disputed);
  expect(moneyEventTypes(await listEvents())).toEqual(['charge.dispute.created', 'charge.dispute.funds_withdrawn']);
  const [dispute] = (await stripe.disputes.list({ charge: id })).data;
  expect(dispute).toMatchObject({
    amount: 2500,
    status: 'needs_response',
    reason: 'fraudulent',
    balance_transactions: [
      { amount: -2500, fee: 1500, net: -4000, type: 'adjustment', reporting_category: 'dispute', source: dispute?.id },
    ],
  });
  expect(await stripe.disputes.retrieve(dispute?.id ?? '')).toEqual(expect.objectContaining({ id: dispute?.id }));
  expect(await readCharge(id)).toMatchObject({ disputed: true });
  await expect(stripe.refunds.create({ charge: id })).rejects.toMatchObject({ code: 'charge_disputed' });
});

test.each([
  ['win', 'won', ['charge.dispute.funds_reinstated', 'charge.dispute.closed'], -1500],
  ['lose', 'lost', ['charge.dispute.closed'], -4000],
])('a dispute with the outcome "%s" is %s', async (outcome, status, closingEvents, net) => {
  const { stripe, pay, post, listEvents } = await openSandboxAt();
  const id = await pay(2500);
  await post(`/sandbox/charges/${id}`, { action: 'dispute' });
  const [openDispute] = (await stripe.disputes.list()).data;
  await post(`/sandbox/disputes/${openDispute?.id}`, { outcome });
  const dispute = await stripe.disputes.retrieve(openDispute?.id ?? '');
  expect(dispute.status).toBe(status);
  expect(dispute.balance_transactions.reduce((sum, transaction) => sum + transaction.net, 0)).toBe(net);
  expect(moneyEventTypes(await listEvents()).slice(2)).toEqual(closingEvents);
  expect(await post(`/sandbox/disputes/${openDispute?.id}`, { outcome })).toMatchObject({ status: 400 });
});

test('a dispute of a partly refunded charge covers the whole charge', async () => {
  const { stripe, pay, post } = await openSandboxAt();
  const id = await pay(2500);
  await stripe.refunds.create({ charge: id, amount: 1000 });
  await post(`/sandbox/charges/${id}`, { action: 'dispute' });
  const [dispute] = (await stripe.disputes.list()).data;
  expect(dispute?.amount).toBe(2500);
  await post(`/sandbox/disputes/${dispute?.id}`, { outcome: 'win' });
  expect(await stripe.refunds.create({ charge: id })).toMatchObject({ amount: 1500 });
});

test('a bank return of a settled debit becomes a dispute that is lost immediately', async () => {
  const { stripe, payByBank, post, listEvents } = await openSandboxAt();
  const id = await payByBank(2500);
  await post(`/sandbox/charges/${id}`, { action: 'return' });
  expect(moneyEventTypes(await listEvents())).toEqual([
    'charge.dispute.created',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.closed',
  ]);
  expect((await stripe.disputes.list()).data).toMatchObject([{ status: 'lost', reason: 'insufficient_funds' }]);
});

test.each([
  ['a refunded payment', { action: 'dispute' }, /A refunded payment cannot be disputed/],
  ['a card payment as a debit', { action: 'return' }, /Only a bank debit can be returned/],
  ['an unknown action', { action: 'frown' }, /Choose refund, dispute, return, or warn/],
  ['a non-numeric amount', { action: 'refund', amount: 'all' }, /Enter an amount such as 12\.50/],
  ['an amount above the charge', { action: 'refund', amount: '25.01' }, /greater than unrefunded amount/],
])('the dashboard rejects %s', async (caseName, form, message) => {
  const { stripe, pay, post } = await openSandboxAt();
  const id = await pay(2500);
  if (caseName === 'a refunded payment') await stripe.refunds.create({ charge: id });
  const response = await post(`/sandbox/charges/${id}`, form);
  expect(response).toMatchObject({ status: 400, text: expect.stringMatching(message) });
  expect((await stripe.disputes.list()).data).toEqual([]);
  expect(idOf(await stripe.charges.retrieve(id))).toBe(id);
});
