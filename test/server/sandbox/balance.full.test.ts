// @spec decisions.3
import fc from 'fast-check';
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { cardFee, debitFee } from '#sandbox/balance.ts';
import { pickRunCount } from '#test/support/run-count.ts';
import { CARDS, DAY, idOf, openSandboxAt, type Sandbox, START, unixSeconds } from './open-sandbox-at.ts';

test.each([
  [50, 31],
  [100, 33],
  [1000, 59],
  [1050, 60],
  [2500, 103],
  [99_999_999, 2_900_030],
])('a card payment of %d cents costs %d', (amount, fee) => {
  expect(cardFee(amount)).toBe(fee);
});

test.each([
  [100, 1],
  [2500, 20],
  [62_500, 500],
  [99_999_999, 500],
])('a bank debit of %d cents costs %d', (amount, fee) => {
  expect(debitFee(amount)).toBe(fee);
});

test('a charge gets its balance transaction after it’s reported, as with asynchronous capture', async () => {
  const { stripe, pay, listEvents } = await openSandboxAt();
  const id = await pay(2500);
  const [succeededEvent] = await listEvents('charge.succeeded');
  expect(succeededEvent?.data.object).toMatchObject({ id, balance_transaction: null });
  const [updatedEvent] = await listEvents('charge.updated');
  expect(updatedEvent?.data.previous_attributes).toEqual({ balance_transaction: null });
  const charge = await stripe.charges.retrieve(id, { expand: ['balance_transaction'] });
  expect(charge.balance_transaction).toMatchObject({
    amount: 2500,
    fee: 103,
    net: 2397,
    fee_details: [{ amount: 103, type: 'stripe_fee' }],
    type: 'charge',
    reporting_category: 'charge',
    source: id,
    created: unixSeconds(START),
    available_on: unixSeconds('2026-02-02T00:00:00Z'),
    status: 'pending',
  });
});

test('a bank debit’s balance transaction is a `payment` with the debit fee', async () => {
  const { stripe, payByBank } = await openSandboxAt();
  const charge = await stripe.charges.retrieve(await payByBank(100_000), { expand: ['balance_transaction'] });
  expect(charge.balance_transaction).toMatchObject({ type: 'payment', fee: 500, net: 99_500 });
});

test('balance transactions are found by source, type, time, and page', async () => {
  const { stripe, pay, moveClock } = await openSandboxAt();
  const firstChargeId = await pay(1000);
  await moveClock({ seconds: 3600 });
  await stripe.refunds.create({ charge: firstChargeId, amount: 400 });
  await pay(2000);
  const listAmounts = async (params: Stripe.BalanceTransactionListParams) =>
    (await stripe.balanceTransactions.list(params)).data.map(({ amount }) => amount);
  expect(await listAmounts({})).toEqual([2000, -400, 1000]);
  expect(await listAmounts({ source: firstChargeId })).toEqual([1000]);
  expect(await listAmounts({ type: 'refund' })).toEqual([-400]);
  expect(await listAmounts({ created: { gt: unixSeconds(START) } })).toEqual([2000, -400]);
  expect(await listAmounts({ limit: 1 })).toEqual([2000]);
  const allTransactions = await stripe.balanceTransactions.list({ limit: 1 }).autoPagingToArray({ limit: 10 });
  expect(allTransactions).toHaveLength(3);
  const [refund] = (await stripe.balanceTransactions.list({ type: 'refund', expand: ['data.source'] })).data;
  expect(refund).toMatchObject({ fee: 0, net: -400, source: { object: 'refund', charge: firstChargeId } });
  expect(await stripe.balanceTransactions.retrieve(refund?.id ?? '')).toMatchObject({ amount: -400 });
  await expect(stripe.balanceTransactions.retrieve('txn_none')).rejects.toMatchObject({ code: 'resource_missing' });
  await expect(stripe.balanceTransactions.list({ payout: 'po_none' })).rejects.toThrow(/No such payout/);
});

test('funds become available after two days, are paid out at midnight, and reach the bank a day later', async () => {
  const { stripe, pay, moveClock, listEvents } = await openSandboxAt();
  await pay(2500);
  expect(await stripe.balance.retrieve()).toMatchObject({ available: [{ amount: 0 }], pending: [{ amount: 2397 }] });
  await moveClock({ seconds: 2 * DAY });
  const [payout] = (await stripe.payouts.list()).data;
  expect(payout).toMatchObject({
    amount: 2397,
    automatic: true,
    created: unixSeconds('2026-02-02T00:00:00Z'),
    arrival_date: unixSeconds('2026-02-03T00:00:00Z'),
    status: 'in_transit',
  });
  expect(await stripe.balance.retrieve()).toMatchObject({ available: [{ amount: 0 }], pending: [{ amount: 0 }] });
  const payoutTransactions = await stripe.balanceTransactions.list({ payout: payout?.id ?? '' });
  expect(payoutTransactions.data.map(({ type, net }) => [type, net])).toEqual([
    ['payout', -2397],
    ['charge', 2397],
  ]);
  expect(payoutTransactions.data[0]?.id).toBe(payout?.balance_transaction);
  await moveClock({ seconds: DAY });
  expect(await stripe.payouts.retrieve(payout?.id ?? '')).toMatchObject({ status: 'paid' });
  const [paidEvent] = await listEvents('payout.paid');
  expect(paidEvent?.created).toBe(payout?.arrival_date);
  expect(await listEvents('payout.created')).toHaveLength(1);
});

test('only available funds can be paid out now', async () => {
  const { stripe, pay, post } = await openSandboxAt();
  await pay(2500);
  const response = await post('/sandbox/payouts', {});
  expect(response).toMatchObject({
    status: 400,
    text: expect.stringContaining('Nothing is available to pay out yet.'),
  });
  await pay(1000, CARDS.availableImmediately);
  await post('/sandbox/payouts', {});
  expect((await stripe.payouts.list()).data).toMatchObject([{ amount: 941, status: 'paid' }]);
});

test('a refund larger than the balance reduces later payouts', async () => {
  const { stripe, pay, moveClock } = await openSandboxAt();
  const firstChargeId = await pay(5000);
  await moveClock({ seconds: 5 * DAY });
  await stripe.refunds.create({ charge: firstChargeId });
  await moveClock({ seconds: 5 * DAY });
  expect(await stripe.balance.retrieve()).toMatchObject({ available: [{ amount: -5000 }] });
  await pay(6000);
  await moveClock({ seconds: 5 * DAY });
  expect((await stripe.payouts.list()).data.map(({ amount }) => amount)).toEqual([6000 - 204 - 5000, 5000 - 175]);
});

type Step = { readonly kind: string; readonly index: number; readonly cents: number };

async function takeStep({ kind, index, cents }: Step, sandbox: Sandbox): Promise<void> {
  const { data: charges } = await sandbox.stripe.charges.list({ limit: 100 });
  const charge = charges[index % Math.max(charges.length, 1)];
  const { data: refunds } = await sandbox.stripe.refunds.list();
  const { data: disputes } = await sandbox.stripe.disputes.list();
  if (kind === 'pay') await sandbox.pay(cents);
  else if (kind === 'bank') await sandbox.payByBank(cents);
  else if (kind === 'move') await sandbox.moveClock({ seconds: cents * 20 });
  else if (kind === 'payout') await sandbox.post('/sandbox/payouts', {});
  else if (kind === 'refund')
    await sandbox.stripe.refunds.create({ charge: charge?.id ?? '', amount: cents }).catch(() => {});
  else if (kind === 'fail') await sandbox.post(`/sandbox/refunds/${refunds[index % 3]?.id}`, { outcome: 'fail' });
  else if (kind === 'dispute')
    await sandbox.post(`/sandbox/charges/${charge?.id}`, { action: index % 2 ? 'dispute' : 'return' });
  else await sandbox.post(`/sandbox/disputes/${disputes[0]?.id}`, { outcome: index % 2 ? 'win' : 'lose' });
}

test('the balance is the sum of its transactions, and no payout exceeds the available funds', async () => {
  const kinds = ['pay', 'pay', 'bank', 'move', 'payout', 'refund', 'fail', 'dispute', 'close'];
  const step = fc.record({
    kind: fc.constantFrom(...kinds),
    index: fc.nat(20),
    cents: fc.integer({ min: 50, max: 20_000 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
      const sandbox = await openSandboxAt();
      for (const step of steps) await takeStep(step, sandbox);
      const allTransactions = await sandbox.stripe.balanceTransactions
        .list({ limit: 100 })
        .autoPagingToArray({ limit: 1000 });
      const { available, pending } = await sandbox.stripe.balance.retrieve();
      const sum = allTransactions.reduce((total, { net }) => total + net, 0);
      expect((available[0]?.amount ?? 0) + (pending[0]?.amount ?? 0)).toBe(sum);
      for (const { amount, fee, net } of allTransactions) expect(net).toBe(amount - fee);
      const payouts = await sandbox.stripe.payouts.list({ limit: 100 }).autoPagingToArray({ limit: 1000 });
      for (const { id, amount, created } of payouts) {
        const payoutTransactions = await sandbox.stripe.balanceTransactions.list({ payout: id, limit: 100 });
        expect(payoutTransactions.data.reduce((total, { net }) => total + net, 0)).toBe(0);
        expect(amount).toBeGreaterThan(0);
        for (const { available_on } of payoutTransactions.data) expect(available_on).toBeLessThanOrEqual(created);
      }
      await sandbox.close();
    }),
    { numRuns: pickRunCount(2, 6) },
  );
});

test('charges, payment intents, refunds, and payouts are listed by time', async () => {
  const { stripe, pay, moveClock } = await openSandboxAt();
  const firstChargeId = await pay(1000);
  await stripe.refunds.create({ charge: firstChargeId, amount: 100 });
  await moveClock({ seconds: 3 * DAY });
  const secondChargeId = await pay(2000);
  const createdFilter = { gt: unixSeconds(START) };
  expect((await stripe.charges.list({ created: createdFilter })).data.map(({ id }) => id)).toEqual([secondChargeId]);
  expect((await stripe.paymentIntents.list({ created: createdFilter })).data.map(({ amount }) => amount)).toEqual([
    2000,
  ]);
  expect((await stripe.refunds.list({ created: createdFilter })).data).toEqual([]);
  expect((await stripe.payouts.list({ created: createdFilter, status: 'paid' })).data).toHaveLength(1);
  await expect(stripe.charges.list({ transfer_group: 'x' })).rejects.toThrow(/does not support `transfer_group`/);
});

test('each sandbox file is a separate account', async () => {
  const [firstSandbox, secondSandbox] = [await openSandboxAt(), await openSandboxAt()];
  const { id } = await firstSandbox.stripe.accounts.retrieveCurrent();
  expect(id).toMatch(/^acct_sandbox\w{12}$/);
  expect(idOf(await firstSandbox.stripe.accounts.retrieveCurrent())).toBe(id);
  expect(idOf(await secondSandbox.stripe.accounts.retrieveCurrent())).not.toBe(id);
});
