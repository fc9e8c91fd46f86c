// @spec decisions.3
// Slow because each gift is paid at the provider before it is refunded or disputed.
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ACCOUNTS, type Account } from '#domain/books.ts';
import { donationItem, offsetItem } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import { recordCharge } from '#server/features/payments/record-charge.ts';
import { refreshFees } from '#server/features/payments/refresh-checkouts.ts';
import { sendReturnedGiftEmail } from '#server/features/receipts/send-returned-gift-email.job.ts';
import { runWithTriggersDisabled } from '#test/support/as-owner.ts';
import { addOffsetter } from '#test/support/builders/story.ts';
import { DAY, MINUTE } from '#test/support/clock.ts';
import { type DonationSetup, type OpenedCheckout, startDonationSetup } from '#test/support/donation-setup.ts';
import { createJobRecorder } from '#test/support/job-recorder.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { pickRunCount } from '#test/support/run-count.ts';

const jobs = createJobRecorder();
const setup: DonationSetup = await startDonationSetup({ jobs });
const { db, provider, orgId, clock } = setup;

async function payCart(cart = [donationItem(100)]): Promise<OpenedCheckout & { charge: string }> {
  const checkout = await setup.openCheckout(cart);
  await provider.pay(checkout.paymentUrl);
  await provider.deliverEvents();
  return { ...checkout, charge: await provider.readChargeId(checkout.paymentUrl) };
}

async function refund(charge: string, dollars?: number) {
  const amount = dollars === undefined ? {} : { amount: dollars * 100 };
  const refund = await provider.stripe.refunds.create({ charge, ...amount });
  await provider.deliverEvents();
  return refund;
}

async function openDispute(charge: string): Promise<string> {
  await provider.submitDashboardForm(`charges/${charge}`, { action: 'dispute' });
  await provider.deliverEvents();
  const { data } = await provider.stripe.disputes.list({ charge });
  return data[0]?.id ?? '';
}

async function decideDispute(disputeId: string, outcome: 'win' | 'lose') {
  await provider.submitDashboardForm(`disputes/${disputeId}`, { outcome });
  await provider.deliverEvents();
}

async function readEntries(checkoutId: string) {
  const rows = await db.kysely
    .selectFrom('ledger_entries')
    .select(['kind', 'amount_cents', 'carbon'])
    .where('checkout_id', '=', checkoutId)
    .orderBy('created_at')
    .orderBy('kind')
    .execute();
  return rows.filter(({ kind }) => kind !== 'fee').map(({ kind, amount_cents }) => [kind, amount_cents]);
}

function readPayment(checkoutId: string) {
  return db.kysely.selectFrom('payments').selectAll().where('checkout_id', '=', checkoutId).executeTakeFirstOrThrow();
}

const readStatus = async (checkoutId: string) =>
  (
    await db.kysely
      .selectFrom('checkouts')
      .select('payment_status')
      .where('id', '=', checkoutId)
      .executeTakeFirstOrThrow()
  ).payment_status;

/** Balance of a ledger account, in cents. */
async function readBalance(account: string): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(cents), 0)::int8 as cents from ledger_lines where account = ${account}`.execute(db.kysely);
  return rows[0]?.cents ?? 0;
}

/** Balance at the provider, in cents. */
async function readProviderBalance(): Promise<number> {
  let sum = 0;
  for await (const { net } of provider.stripe.balanceTransactions.list({ limit: 100 })) sum += net;
  return sum;
}

async function expectBooksToAgree(): Promise<void> {
  expect(await readBalance('provider')).toBe(await readProviderBalance());
  expect(await setup.findDifferences()).toEqual([]);
}

test('a charge is stored with its ids, and its fee is posted once known', async () => {
  const { id, charge } = await payCart();
  expect(await readPayment(id)).toMatchObject({
    charge_id: charge,
    intent_id: expect.stringMatching(/^pi_/),
    amount_cents: 10_000,
    returned_cents: 0,
    fee_cents: 320,
    net_cents: 9680,
    status: 'succeeded',
    livemode: false,
  });
  await expectBooksToAgree();
});

test('a partial refund subtracts its money and share of carbon from the stats', async () => {
  const initialStats = await setup.readStats();
  const { id, charge } = await payCart([offsetItem('air', 4000), donationItem(50)]);
  await refund(charge, 40);
  const finalStats = await setup.readStats();
  expect(finalStats.funds - initialStats.funds).toBeCloseTo(60, 10);
  expect(finalStats.co2 - initialStats.co2).toBe(2400);
  expect(await readEntries(id)).toEqual([
    ['payment', 10_000],
    ['refund', -4000],
  ]);
  expect(await readStatus(id)).toBe('paid');
  expect(await readPayment(id)).toMatchObject({ returned_cents: 4000, status: 'succeeded' });
  await refund(charge);
  expect((await setup.readStats()).co2).toBe(initialStats.co2);
  expect(await readStatus(id)).toBe('refunded');
  expect(await setup.readCheckout(id)).toMatchObject({ paymentStatus: 'refunded' });
  await expectBooksToAgree();
});

test('a charge with more than one page of refunds at the provider counts every refund', async () => {
  const initialCents = await setup.readTotalCents();
  const { id, paymentUrl } = await setup.openAndPay();
  const charge = await provider.readChargeId(paymentUrl);
  for (let refundCount = 0; refundCount < 11; refundCount += 1)
    await provider.stripe.refunds.create({ charge, amount: 100 });
  await recordCharge(setup.deps, charge);
  expect(await setup.readTotalCents()).toBe(initialCents + 1400);
  expect(await readPayment(id)).toMatchObject({ returned_cents: 1100 });
});

test('a refund reported before its payment is counted with it', async () => {
  const initialCents = await setup.readTotalCents();
  const { id, paymentUrl } = await setup.openCheckout([donationItem(100)]);
  await provider.pay(paymentUrl);
  const charge = await provider.readChargeId(paymentUrl);
  await provider.stripe.refunds.create({ charge, amount: 2500 });
  expect(await recordCharge(setup.deps, charge)).toMatchObject({ outcome: 'recorded', checkoutId: id });
  expect(await setup.readTotalCents()).toBe(initialCents + 7500);
  await provider.deliverEvents();
  expect(await setup.readTotalCents()).toBe(initialCents + 7500);
  await expectBooksToAgree();
});

test.each([
  ['once', donationItem(100)],
  ['monthly', donationItem(100, 'month')],
])('a refund counts with its payment even if the session id was never stored: %s', async (_title, item) => {
  const initialCents = await setup.readTotalCents();
  const { id, paymentUrl } = await setup.openCheckout([item]);
  // Simulates a server that stopped before the provider's response arrived.
  await db.kysely.updateTable('checkouts').set({ provider_session_id: null }).where('id', '=', id).execute();
  await provider.pay(paymentUrl);
  const charge = await provider.readChargeId(paymentUrl);
  await provider.stripe.refunds.create({ charge, amount: 4000 });
  expect(await recordCharge(setup.deps, charge)).toMatchObject({ outcome: 'recorded', checkoutId: id });
  expect(await setup.readTotalCents()).toBe(initialCents + 6000);
  await provider.deliverEvents();
  expect(await setup.readTotalCents()).toBe(initialCents + 6000);
});

test('a pending bank debit refund that fails restores the gift and its story', async () => {
  const initialCents = await setup.readTotalCents();
  const { id, paymentUrl } = await setup.openCheckout([donationItem(100)]);
  await provider.payByDebit(paymentUrl);
  await provider.resolveDebits('settle');
  await provider.deliverEvents();
  const offsetterId = await addOffsetter(db, orgId, { checkout_id: id });
  const readStory = () =>
    db.kysely.selectFrom('offsetters').select('status').where('id', '=', offsetterId).executeTakeFirst();
  const { id: refundId, status } = await refund(await provider.readChargeId(paymentUrl));
  expect([status, await setup.readTotalCents(), await readStatus(id)]).toEqual(['pending', initialCents, 'refunded']);
  expect(await readStory()).toEqual({ status: 'hidden' });
  await provider.submitDashboardForm(`refunds/${refundId}`, { outcome: 'fail' });
  await provider.deliverEvents();
  expect([await setup.readTotalCents(), await readStatus(id)]).toEqual([initialCents + 10_000, 'paid']);
  expect(await readStory()).toEqual({ status: 'published' });
  expect(await readEntries(id)).toEqual([
    ['payment', 10_000],
    ['refund', -10_000],
    ['reversal', 10_000],
  ]);
  await expectBooksToAgree();
});

test('a story hidden by an editor stays hidden when a dispute of its gift is won', async () => {
  const { id, charge } = await payCart();
  const offsetterId = await addOffsetter(db, orgId, { checkout_id: id, status: 'hidden' });
  await decideDispute(await openDispute(charge), 'win');
  const story = await db.kysely
    .selectFrom('offsetters')
    .select(['status', 'hidden_by_refund'])
    .where('id', '=', offsetterId)
    .executeTakeFirst();
  expect(story).toEqual({ status: 'hidden', hidden_by_refund: false });
});

test('dispute entries are dated when the money moves, so a later ruling doesn’t change earlier months', async () => {
  const { charge } = await payCart();
  const openedAt = clock.now();
  const disputeId = await openDispute(charge);
  clock.advance(60 * DAY);
  await decideDispute(disputeId, 'win');
  const { rows } = await db.pool.query<{ occurred_at: Date }>(
    `select occurred_at from ledger_entries where fact like 'dispute:' || $1 || ':%' order by occurred_at`,
    [disputeId],
  );
  expect(rows).toHaveLength(2);
  expect(rows[0]?.occurred_at.getTime()).toBe(Math.floor(openedAt.getTime() / 1000) * 1000);
  expect(rows[1]?.occurred_at.getTime()).toBeGreaterThanOrEqual(openedAt.getTime() + 59 * DAY);
});

test('a dispute holds the money, a won dispute returns it, and the gift counts throughout', async () => {
  const [centsBefore, disputedBefore] = [await setup.readTotalCents(), await readBalance('disputed')];
  const { id, charge } = await payCart();
  const disputeId = await openDispute(charge);
  expect([await readStatus(id), await readBalance('disputed')]).toEqual(['disputed', disputedBefore + 10_000]);
  expect(await setup.readTotalCents()).toBe(centsBefore + 10_000);
  await expectBooksToAgree();
  await decideDispute(disputeId, 'win');
  expect([await readStatus(id), await readBalance('disputed')]).toEqual(['paid', disputedBefore]);
  expect(await setup.readTotalCents()).toBe(centsBefore + 10_000);
  await expectBooksToAgree();
});

test('a lost dispute removes the gift from the stats, but its fee remains', async () => {
  const [centsBefore, feesBefore] = [await setup.readTotalCents(), await readBalance('fees')];
  const { id, charge } = await payCart();
  await decideDispute(await openDispute(charge), 'lose');
  expect([await readStatus(id), await setup.readTotalCents()]).toEqual(['disputed', centsBefore]);
  expect(await readBalance('fees')).toBe(feesBefore + 320 + 1500);
  expect(await readPayment(id)).toMatchObject({ status: 'lost', returned_cents: 10_000 });
  await expectBooksToAgree();
});

test('a stale provider response from before a dispute’s decision changes nothing', async () => {
  const { id, charge } = await payCart();
  const disputeId = await openDispute(charge);
  const earlierCharge = await provider.payments.readCharge(charge);
  await decideDispute(disputeId, 'lose');
  const [cents, entries] = [await setup.readTotalCents(), await readEntries(id)];
  const payments = { ...setup.deps.payments, readCharge: async () => earlierCharge };
  await recordCharge({ ...setup.deps, payments }, charge);
  expect([await setup.readTotalCents(), await readEntries(id)]).toEqual([cents, entries]);
  const { status } = await db.kysely
    .selectFrom('payment_returns')
    .select('status')
    .where('id', '=', disputeId)
    .executeTakeFirstOrThrow();
  expect(status).toBe('lost');
});

test('a bank debit that the bank returns is marked disputed and leaves the totals', async () => {
  const initialCents = await setup.readTotalCents();
  const { id, paymentUrl } = await setup.openCheckout([donationItem(100)]);
  await provider.payByDebit(paymentUrl);
  await provider.resolveDebits('settle');
  await provider.deliverEvents();
  await provider.submitDashboardForm(`charges/${await provider.readChargeId(paymentUrl)}`, { action: 'return' });
  await provider.deliverEvents();
  expect([await readStatus(id), await setup.readTotalCents()]).toEqual(['disputed', initialCents]);
  expect(await readPayment(id)).toMatchObject({ status: 'lost', returned_cents: 10_000 });
  await expectBooksToAgree();
});

test('a gift recorded before its charge was known gets its charge and fee, and can be refunded', async () => {
  const initialCents = await setup.readTotalCents();
  const { id, charge } = await payCart();
  // Simulates a dispute that names only the payment intent.
  const { balance_transaction_id } = await readPayment(id);
  await runWithTriggersDisabled(db, async (tx) => {
    const fee = tx.selectFrom('ledger_entries').select('id').where('fact', '=', `fee:${balance_transaction_id}`);
    await tx.deleteFrom('ledger_lines').where('entry_id', 'in', fee).execute();
    await tx.deleteFrom('ledger_entries').where('fact', '=', `fee:${balance_transaction_id}`).execute();
    await tx.updateTable('ledger_totals').set({ entries: sql`entries - 1` }).where('org_id', '=', orgId).execute();
    const unsettledColumns = { charge_id: null, balance_transaction_id: null, fee_cents: null, net_cents: null };
    await tx.updateTable('payments').set(unsettledColumns).where('checkout_id', '=', id).execute();
  });
  const { log, loggedProblems } = createLogSpy();
  await refreshFees(setup.deps, log);
  expect(await readPayment(id)).toMatchObject({ charge_id: null });
  setup.clock.advance(10 * MINUTE);
  await refreshFees(setup.deps, log);
  expect(await readPayment(id)).toMatchObject({ charge_id: charge, fee_cents: 320 });
  await refund(charge);
  expect(await setup.readTotalCents()).toBe(initialCents);
  await expectBooksToAgree();
  expect(loggedProblems).toEqual([]);
});

test('another program’s refund is ignored', async () => {
  const initialCents = await setup.readTotalCents();
  const session = await provider.stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'https://elsewhere.example',
    line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: 900, product_data: { name: 'Mug' } } }],
  });
  await provider.pay(session.url ?? '');
  const charge = await provider.readChargeId(session.url ?? '');
  await provider.stripe.refunds.create({ charge });
  expect(await recordCharge(setup.deps, charge)).toEqual({ outcome: 'ignored' });
  expect(await setup.readTotalCents()).toBe(initialCents);
  // The money is in the provider's balance but not in our books.
  await provider.deliverEvents();
});

test('if the provider is unreachable, nothing is recorded; an unknown charge is a valid response', async () => {
  const unreachablePayments = { ...setup.deps.payments, readCharge: async () => new Failure('payment-unavailable') };
  expect(await recordCharge({ ...setup.deps, payments: unreachablePayments }, 'ch_1')).toEqual(
    new Failure('payment-unavailable'),
  );
  expect(await recordCharge(setup.deps, 'ch_unknown')).toEqual({ outcome: 'unknown' });
});

type Step = { readonly do: 'refund' | 'dispute' | 'win' | 'lose' | 'again'; readonly dollars: number };

test('refunds, disputes, and repeated reports in any order match the provider, and donors are notified once', async () => {
  const step = fc.record({
    do: fc.constantFrom<Step['do']>('refund', 'dispute', 'win', 'lose', 'again'),
    dollars: fc.integer({ min: 1, max: 60 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const books = await snapshotBooks();
      const { charge } = await payCart();
      for (const { do: action, dollars } of steps) await takeStep(action, charge, dollars);
      await provider.deliverEvents();
      await books.expectToAgree(charge);
    }),
    { numRuns: pickRunCount(1, 6) },
  );
}, 120_000);

async function snapshotBooks() {
  const emailCountBefore = jobs.findPayloads(sendReturnedGiftEmail).length;
  const [balance, providerCents, cents] = [
    await readProviderBalance(),
    await readBalance('provider'),
    await setup.readTotalCents(),
  ];
  return {
    expectToAgree: async (chargeId: string) => {
      expect((await readBalance('provider')) - providerCents).toBe((await readProviderBalance()) - balance);
      const charge = await provider.stripe.charges.retrieve(chargeId);
      const { data } = await provider.stripe.disputes.list({ charge: chargeId });
      const lostCents = data.filter(({ status }) => status === 'lost').reduce((sum, { amount }) => sum + amount, 0);
      // A refund plus a lost dispute of the whole charge returns more than was given; the excess is posted as a fee.
      expect((await setup.readTotalCents()) - cents).toBe(
        Math.max(0, charge.amount - charge.amount_refunded - lostCents),
      );
      expect(await setup.findDifferences()).toEqual([]);
      const refunds = (await provider.stripe.refunds.list({ charge: chargeId })).data;
      const finishedReturns = [...refunds, ...data].filter(({ status }) => status === 'succeeded' || status === 'lost');
      const emailedReturns = jobs.findPayloads(sendReturnedGiftEmail).map(({ returnId }) => returnId);
      expect(emailedReturns.slice(emailCountBefore).toSorted()).toEqual(finishedReturns.map(({ id }) => id).toSorted());
    },
  };
}

/** Takes a step; the provider may reject it in this state, which changes nothing. */
async function takeStep(action: Step['do'], charge: string, dollars: number): Promise<void> {
  const { data } = await provider.stripe.disputes.list({ charge });
  const id = data[0]?.id ?? '';
  const ignoreRejection = () => undefined;
  if (action === 'refund')
    await provider.stripe.refunds.create({ charge, amount: dollars * 100 }).catch(ignoreRejection);
  else if (action === 'dispute')
    await provider.submitDashboardForm(`charges/${charge}`, { action: 'dispute' }).catch(ignoreRejection);
  else if (action === 'again') await recordCharge(setup.deps, charge);
  else await provider.submitDashboardForm(`disputes/${id}`, { outcome: action }).catch(ignoreRejection);
  if (dollars % 2 === 0) await provider.deliverEvents();
}

test('a partial refund plus a lost dispute of the whole charge is a loss for the fund', async () => {
  const { id, charge } = await payCart();
  await refund(charge, 20);
  const [giftCentsBefore, feesBefore] = [await setup.readTotalCents(), await readBalance('fees')];
  const chargeFacts = await setup.deps.payments.readCharge(charge);
  if (chargeFacts === 'unknown' || chargeFacts instanceof Failure) throw new Error('no such charge');
  const lostDispute = { disputeId: `du_${id}`, amount: 10_000, status: 'lost', occurredAt: clock.now() } as const;
  const withdrawal = { id: `txn_${id}`, amount: -10_000, fee: 0, settledAt: clock.now() };
  const disputes = [{ ...lostDispute, balanceChanges: [withdrawal] }];
  const payments = { ...setup.deps.payments, readCharge: async () => ({ ...chargeFacts, disputes }) };
  for (let attempt = 0; attempt < 2; attempt += 1) await recordCharge({ ...setup.deps, payments }, charge);
  expect(await setup.readTotalCents()).toBe(giftCentsBefore - 8000);
  expect(await readBalance('fees')).toBe(feesBefore + 2000);
  expect(await readPayment(id)).toMatchObject({ returned_cents: 12_000, status: 'lost' });
  expect(await setup.findDifferences()).toEqual([]);
});

type Decision = 'open' | 'won' | 'lost';

/** For a $100 gift, in dollars after each report: the dispute's movements so far, and the account balances. */
test.each<
  [string, readonly (readonly [Decision, moved: readonly number[], after: Partial<Record<Account, number>>])[]]
>([
  [
    'nothing was withdrawn yet',
    [
      ['open', [], { gifts: -100, disputed: 0 }],
      ['open', [-100], { gifts: -100, disputed: 100 }],
    ],
  ],
  ['no response is allowed', [['lost', [-100], { gifts: 0, disputed: 0, fees: 0 }]]],
  ['a partial dispute is lost', [['lost', [-40], { gifts: -60, disputed: 0, fees: 0 }]]],
  [
    'part of the money is returned, then the dispute is lost',
    [
      ['open', [-100], { gifts: -100, disputed: 100 }],
      ['lost', [-100, 40], { gifts: -40, disputed: 0, fees: 0 }],
    ],
  ],
  [
    'part of the money is returned after a loss',
    [
      ['lost', [-100], { gifts: 0, disputed: 0 }],
      ['lost', [-100, 40], { gifts: -40, disputed: 0, fees: 0 }],
    ],
  ],
  [
    'a dispute is lost, appealed, and won',
    [
      ['lost', [-100], { gifts: 0, disputed: 0 }],
      ['won', [-100, 100], { gifts: -100, disputed: 0, fees: 0 }],
    ],
  ],
  [
    'a dispute is won, appealed by the bank, and lost',
    [
      ['won', [-100, 100], { gifts: -100, disputed: 0 }],
      ['lost', [-100, 100, -100], { gifts: 0, disputed: 0, fees: 0 }],
    ],
  ],
  [
    'the exchange rate drops between withdrawal and return',
    [
      ['open', [-102], { gifts: -100, disputed: 102 }],
      ['won', [-102, 99], { gifts: -100, disputed: 0, fees: 3 }],
    ],
  ],
  [
    'three renewals are disputed together',
    [
      ['lost', [-300], { gifts: 0, disputed: 0, fees: 200 }],
      ['won', [-300, 300], { gifts: -100, disputed: 0, fees: 0 }],
    ],
  ],
])('the books of a disputed gift match its movements: %s', async (_name, reports) => {
  const { id, charge } = await payCart();
  const chargeFacts = await setup.deps.payments.readCharge(charge);
  if (chargeFacts === 'unknown' || chargeFacts instanceof Failure) throw new Error('no such charge');
  const fees = (await readAccounts(id)).fees;
  for (const [status, moves, balances] of reports) {
    const balanceChanges = moves.map((dollars, index) => ({
      id: `txn_${id}_${index}`,
      amount: dollars * 100,
      fee: 0,
      settledAt: new Date(clock.now().getTime() + index),
    }));
    const disputes = [{ disputeId: `du_${id}`, amount: 10_000, status, occurredAt: clock.now(), balanceChanges }];
    const payments = { ...setup.deps.payments, readCharge: async () => ({ ...chargeFacts, disputes }) };
    for (let attempt = 0; attempt < 2; attempt += 1) await recordCharge({ ...setup.deps, payments }, charge);
    const { gifts, disputed, fees: totalFees } = await readAccounts(id);
    expect({ gifts, disputed, fees: totalFees - fees }).toMatchObject(
      Object.fromEntries(Object.entries(balances).map(([account, dollars]) => [account, dollars * 100])),
    );
  }
  // A stale response changes nothing.
  const initialAccounts = await readAccounts(id);
  const payments = { ...setup.deps.payments, readCharge: async () => ({ ...chargeFacts, disputes: [] }) };
  await recordCharge({ ...setup.deps, payments }, charge);
  expect(await readAccounts(id)).toEqual(initialAccounts);
  expect(await setup.findDifferences()).toEqual([]);
});

/** How much a checkout's entries change each account, in cents. */
async function readAccounts(checkoutId: string): Promise<Record<Account, number>> {
  const { rows } = await db.pool.query<{ account: Account; cents: number }>(
    `select account, sum(cents)::int8 as cents from ledger_lines l join ledger_entries e on e.id = l.entry_id
     where e.checkout_id = $1 group by account`,
    [checkoutId],
  );
  const zeroBalances = Object.fromEntries(ACCOUNTS.map((account) => [account, 0])) as Record<Account, number>;
  return { ...zeroBalances, ...Object.fromEntries(rows.map(({ account, cents }) => [account, Number(cents)])) };
}
