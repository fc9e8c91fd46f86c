// @spec 7.create-checkout decisions.3
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type CartItem, donationItem, offsetItem, withRecurrence } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import { readCheckoutRecord } from '#server/features/checkout-search/checkout-records.ts';
import { serializeCart } from '#server/features/checkouts/provider-cart.ts';
import { compareWithProvider } from '#server/features/ledger/compare-with-provider.ts';
import { findLostRecords, type LostRecords } from '#server/features/recovery/find-lost-records.ts';
import { recover } from '#server/features/recovery/recover.ts';
import type { PaymentRequest, Payments } from '#server/gateways/payments/payments.ts';
import { createStripePayments } from '#server/gateways/payments/stripe-payments.ts';
import { runWithTriggersDisabled } from '#test/support/as-owner.ts';
import { unreachableProvider } from '#test/support/build-app.ts';
import { INSTALLATION } from '#test/support/card-provider.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';
import { backUpTables } from '#test/support/table-backup.ts';

const setup: DonationSetup = await startDonationSetup({ livemode: false });
const { db, deps, provider } = setup;

const MONTHLY_CAR_OFFSET = withRecurrence(offsetItem('car', 800.1234), 'month');
const MIXED_CART = [donationItem(10, 'month'), donationItem(15), MONTHLY_CAR_OFFSET, offsetItem('air', 1000)];

async function readLostRecords(namedIds?: ReadonlySet<string>): Promise<LostRecords> {
  const lostGifts = await findLostRecords(deps, namedIds);
  if (lostGifts instanceof Failure) throw lostGifts;
  return lostGifts;
}

async function give(
  cart: CartItem[] = [donationItem(25)],
  as?: SignedInPerson,
  coversFee?: boolean,
  language?: string,
) {
  const checkout = await setup.openCheckout(cart, { as, coversFee, language });
  await provider.pay(checkout.paymentUrl);
  await provider.deliverEvents();
  return checkout;
}

async function passMonths(months: number): Promise<void> {
  await provider.submitDashboardForm('clock', { months: String(months) });
  await provider.deliverEvents();
}

/** Everything that a recovery must restore. Receipts are compared only by fields that don't change on reissue. */
async function readBooks() {
  const selectRows = async (query: string) => (await db.pool.query(query)).rows as unknown[];
  return {
    entries:
      await selectRows(`select e.org_id, kind, fact, e.checkout_id, amount_cents, carbon, gas, currency, actor_id, occurred_at,
      (select json_object_agg(account, cents order by account) from ledger_lines where entry_id = e.id) as lines
      from ledger_entries e order by fact`),
    payments: await selectRows(`select checkout_id, session_id, intent_id, charge_id, invoice_id, subscription_id,
      balance_transaction_id, charged_at, amount_cents, covered_fee_cents, returned_cents, fee_cents, net_cents, status, livemode
      from payments order by charge_id`),
    returns: await selectRows(
      'select id, kind, amount_cents, status, reason, occurred_at from payment_returns order by id',
    ),
    checkouts:
      await selectRows(`select id, org_id, cart, total_cents, covered_fee_cents, covered_renewal_fee_cents, carbon, currency, payment_status, display_name, email, user_id,
      provider_session_id, provider_payment_id, provider_customer_id, provider_subscription_id, paid_at, language
      from checkouts order by id`),
    subscriptions:
      await selectRows(`select id, page_key, checkout_id, status, amount_cents, covered_fee_cents, interval_unit, interval_count, canceled_at, next_charge_at
      from subscriptions order by id`),
    totals: await selectRows('select * from ledger_totals order by org_id'),
    receipts: await selectRows(`select checkout_id, email, name, amount_cents, document -> 'lines' as lines,
      document -> 'givenOn' as given from receipts order by checkout_id, document ->> 'givenOn', amount_cents`),
  };
}

const readReceipts = (checkoutId: string) =>
  db.kysely
    .selectFrom('receipts')
    .select(['printed_number', sql<boolean>`coalesce(document ->> 'reissued', '') = 'true'`.as('reissued')])
    .where('checkout_id', '=', checkoutId)
    .orderBy('printed_number')
    .execute();

async function expectMatchingBooks(): Promise<void> {
  expect(await setup.findDifferences()).toEqual([]);
  const comparison = await compareWithProvider(deps);
  expect(comparison).toMatchObject({ differences: [] });
  expect(await readLostRecords()).toMatchObject({ pages: [], charges: [] });
}

test('after a restore, everything since the backup is rebuilt once from the provider', async () => {
  const ada = await signIn(deps);
  const [oldGift, monthlyGift] = [await give(), await give(MIXED_CART)];
  const disputedGift = await give();
  const restore = await backUpTables(db);

  const [newGift, newMonthlyGift] = [
    await give([offsetItem('home', 1234.5678), donationItem(7)], ada),
    await give(MIXED_CART, undefined, true, 'es'),
  ];
  await passMonths(1);
  const [page, debit] = [await setup.openCheckout(), await setup.openCheckout()];
  await provider.payByDebit(debit.paymentUrl);
  await provider.stripe.refunds.create({ charge: await provider.readChargeId(oldGift.paymentUrl), amount: 700 });
  await provider.stripe.refunds.create({ charge: await provider.readChargeId(newGift.paymentUrl) });
  const disputedCharge = await provider.readChargeId(disputedGift.paymentUrl);
  await provider.submitDashboardForm(`charges/${disputedCharge}`, { action: 'dispute' });
  const [dispute] = (await provider.stripe.disputes.list({ charge: disputedCharge })).data;
  await provider.submitDashboardForm(`disputes/${dispute?.id}`, { outcome: 'lose' });
  await provider.deliverEvents();
  await expectMatchingBooks();
  const initialBooks = await readBooks();
  const printedNumbers = (await readReceipts(newMonthlyGift.id)).map(({ printed_number }) => printed_number);

  await restore();
  const restoredBooks = await readBooks();
  const lostGifts = await readLostRecords();
  expect(lostGifts.pages.map(({ session, isExact }) => [session.checkoutId, isExact])).toEqual(
    [newGift, newMonthlyGift, page, debit].map(({ id }) => [id, true]),
  );
  expect(await readBooks()).toEqual(restoredBooks);

  const emailCount = setup.queuedReceipts.length;
  expect(await recover(deps, lostGifts)).toMatchObject({ problems: [], skippedNumbers: { last: expect.any(Number) } });
  expect(await readBooks()).toEqual(initialBooks);
  await expectMatchingBooks();
  const rebuiltReceipts = await readReceipts(newMonthlyGift.id);
  expect(rebuiltReceipts).toHaveLength(2);
  for (const { printed_number, reissued } of rebuiltReceipts) {
    expect(printedNumbers).not.toContain(printed_number);
    expect(reissued).toBe(true);
  }
  // Two new gifts and a renewal of each recurring one. The bank debit is pending.
  expect(setup.queuedReceipts.length - emailCount).toBe(4);
  expect(await readReceipts(oldGift.id)).toMatchObject([{ reissued: false }]);
  expect(await readReceipts(monthlyGift.id)).toHaveLength(2);

  expect(await recover(deps, await readLostRecords())).toEqual({ skippedNumbers: undefined, problems: [] });
  expect(await readBooks()).toEqual(initialBooks);
  await provider.pay(page.paymentUrl);
  await provider.deliverEvents();
  expect(await setup.readCheckout(page.id)).toMatchObject({ paymentStatus: 'paid' });
  expect(await readReceipts(page.id)).toMatchObject([{ reissued: false }]);
  await expectMatchingBooks();
});

test('a dispute lost during the outage is found', async () => {
  const charge = await provider.readChargeId((await give()).paymentUrl);
  await provider.submitDashboardForm(`charges/${charge}`, { action: 'dispute' });
  await provider.deliverEvents();
  const [dispute] = (await provider.stripe.disputes.list({ charge })).data;
  await provider.submitDashboardForm(`disputes/${dispute?.id}`, { outcome: 'lose' });
  expect(await recover(deps, await readLostRecords())).toEqual({ skippedNumbers: undefined, problems: [] });
  expect((await readBooks()).entries).toContainEqual(
    expect.objectContaining({ fact: `dispute:${dispute?.id}:verdict:1`, amount_cents: -2500 }),
  );
});

test('a refund that failed and a dispute that was won during the outage are found', async () => {
  const [refundedCharge, disputedCharge] = [
    await provider.readChargeId((await give()).paymentUrl),
    await provider.readChargeId((await give()).paymentUrl),
  ];
  const restore = await backUpTables(db);
  const { id } = await provider.stripe.refunds.create({ charge: refundedCharge });
  await provider.submitDashboardForm(`refunds/${id}`, { outcome: 'fail' });
  await provider.submitDashboardForm(`charges/${disputedCharge}`, { action: 'dispute' });
  const [dispute] = (await provider.stripe.disputes.list({ charge: disputedCharge })).data;
  await provider.submitDashboardForm(`disputes/${dispute?.id}`, { outcome: 'win' });
  await provider.deliverEvents();
  const initialBooks = await readBooks();
  await restore();
  expect(await recover(deps, await readLostRecords())).toEqual({ skippedNumbers: undefined, problems: [] });
  expect(await readBooks()).toEqual(initialBooks);
  await expectMatchingBooks();
});

test('events about payments that a restore lost need attention until they’re recovered', async () => {
  const restore = await backUpTables(db);
  const checkout = await setup.openCheckout(MIXED_CART);
  await provider.pay(checkout.paymentUrl);
  await restore();
  await provider.deliverEvents();
  await passMonths(1);
  const readAttentionItems = () =>
    db.kysely.selectFrom('attention_items').selectAll().where('checkout_id', '=', checkout.id).execute();
  expect((await readAttentionItems()).map(({ resolved_at }) => resolved_at)).toEqual([null, null]);
  expect(await setup.findDifferences()).toEqual([]);
  expect(await compareWithProvider(deps)).not.toMatchObject({ differences: [] });
  await recover(deps, await readLostRecords());
  expect((await readAttentionItems()).map(({ note }) => note)).toEqual(['Counted later.', 'Counted later.']);
  await expectMatchingBooks();
});

test('recovery rebuilds a lost checkout row without a second ledger entry or receipt', async () => {
  const checkout = await give(MIXED_CART);
  await provider.stripe.refunds.create({ charge: await provider.readChargeId(checkout.paymentUrl) });
  await provider.deliverEvents();
  const initialBooks = await readBooks();
  await runWithTriggersDisabled(db, (tx) => sql`delete from checkouts where id = ${checkout.id}`.execute(tx));
  expect(await setup.findDifferences()).not.toEqual([]);
  expect(await recover(deps, await readLostRecords())).toEqual({ skippedNumbers: undefined, problems: [] });
  expect(await readBooks()).toEqual(initialBooks);
  expect(await readReceipts(checkout.id)).toMatchObject([{ reissued: false }]);
  await expectMatchingBooks();
});

const readLastReceiptNumber = async () =>
  (await db.kysely.selectFrom('receipt_numbers').select('last').where('series', '=', 'test').executeTakeFirstOrThrow())
    .last;

test('recovery skips one receipt number per successful charge, and repeating the recovery skips none', async () => {
  await recover(deps, await readLostRecords());
  const restore = await backUpTables(db);
  const lastNumber = await readLastReceiptNumber();
  await give();
  const monthlyGift = await give([donationItem(10, 'month')]);
  await passMonths(1);
  const debit = await setup.openCheckout();
  await provider.payByDebit(debit.paymentUrl);
  await provider.deliverEvents();
  await provider.resolveDebits('fail');
  await provider.payByDebit((await setup.openCheckout()).paymentUrl);
  await provider.deliverEvents();
  const printedCount = (await readLastReceiptNumber()) - lastNumber;
  expect(await readReceipts(monthlyGift.id)).toHaveLength(2);

  await restore();
  const lostGifts = await readLostRecords();
  // A recovery that stops halfway only skips receipt numbers.
  const stoppedRecovery = await recover({ ...deps, payments: unreachableProvider }, lostGifts);
  expect(stoppedRecovery.skippedNumbers).toEqual({ first: lastNumber + 1, last: lastNumber + printedCount });
  const secondRecovery = await recover(deps, await readLostRecords());
  expect(secondRecovery).toEqual({ skippedNumbers: undefined, problems: [] });
  expect(await recover(deps, await readLostRecords())).toEqual({ skippedNumbers: undefined, problems: [] });
  expect(await readLastReceiptNumber()).toBe(lastNumber + 2 * printedCount);
  await expectMatchingBooks();
  await provider.resolveDebits('fail');
  await provider.deliverEvents();
});

test('recovery skips receipt numbers up to the highest known one', async () => {
  const lastNumber = await readLastReceiptNumber();
  const recovery = await recover(deps, await readLostRecords(), lastNumber + 3);
  expect(recovery.skippedNumbers).toEqual({ first: lastNumber + 1, last: lastNumber + 3 });
  expect(await recover(deps, await readLostRecords(), lastNumber + 3)).toMatchObject({ skippedNumbers: undefined });
  await give();
  expect(await readLastReceiptNumber()).toBe(lastNumber + 4);
  await expectMatchingBooks();
});

let openedCount = 0;

/** Pays for a checkout that exists at the provider but not in this database. */
async function payElsewhere(overrides: Partial<PaymentRequest> = {}, payments: Payments = provider.payments) {
  openedCount += 1;
  const id = `elsewhere-${openedCount}`;
  const page = await payments.createSession({
    orgId: setup.orgId,
    orgName: 'Ithaca Climate Fund',
    checkoutId: id,
    lines: [{ name: 'Car travel', description: 'Offset 1,600 lbs carbon', amount: 2000 }],
    cart: '',
    userId: undefined,
    giftKey: `key-${openedCount}`,
    successUrl: 'https://fund.example/',
    cancelUrl: 'https://fund.example/',
    expiresAt: new Date(setup.clock.now().getTime() + 3_600_000),
    ...overrides,
  });
  if (page instanceof Failure) throw page;
  await provider.pay(page.url);
  return { id, sessionId: page.sessionId };
}

test('a payment page without a stored cart is rebuilt from its lines and marked as inexact', async () => {
  const { id } = await payElsewhere({ userId: 'whose-account-is-gone' });
  await recover(deps, await readLostRecords());
  const checkout = await db.kysely.selectFrom('checkouts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  expect(checkout).toMatchObject({ payment_status: 'paid', carbon: 16_000_000, recovered_exactly: false });
  expect(checkout.cart).toMatchObject([{ type: 'offset', offsetType: 'car', cost: 20, carbon: 1600, recurring: 'no' }]);
  const record = await readCheckoutRecord(deps, { orgId: setup.orgId, checkoutId: id });
  expect(record).toMatchObject({
    history: expect.arrayContaining([expect.objectContaining({ kind: 'recovered', exactly: false })]),
  });
  await expectMatchingBooks();
});

test('the card fee is rebuilt from its line', async () => {
  const fee = { name: 'Card fee', description: 'Covers the card fee, so your whole gift goes to homes', amount: 330 };
  const { id } = await payElsewhere({ lines: [{ name: 'Donation', description: 'Donation', amount: 10_000 }, fee] });
  await recover(deps, await readLostRecords());
  const columns = ['total_cents', 'covered_fee_cents', 'covered_renewal_fee_cents', 'cart'] as const;
  expect(await db.kysely.selectFrom('checkouts').select(columns).where('id', '=', id).executeTakeFirst()).toMatchObject(
    {
      total_cents: 10_330,
      covered_fee_cents: 330,
      covered_renewal_fee_cents: 0,
      cart: [{ type: 'donation', cost: 100 }],
    },
  );
  await expectMatchingBooks();
});

test('a stored cart or lines that differ from the payment aren’t used', async () => {
  const cart = serializeCart([offsetItem('car', 800), donationItem(11)]);
  const { sessionId } = await payElsewhere({ cart });
  expect((await readLostRecords()).pages).toMatchObject([{ isExact: false, cart: [{ carbon: 1600 }] }]);
  const wrongPayments = {
    ...provider.payments,
    readSessionLines: async () => [{ name: 'Donation', description: '', amount: 1 }],
  };
  const lostGifts = await findLostRecords({ ...deps, payments: wrongPayments });
  const reason = 'its lines don’t add up to the amount paid';
  expect(lostGifts).toMatchObject({
    pages: [],
    charges: [],
    unrecoveredItems: [{ id: sessionId, reason, amount: 2000 }],
  });
  await db.kysely.updateTable('orgs').set({ currency: 'eur' }).where('id', '=', setup.orgId).execute();
  expect(await readLostRecords()).toMatchObject({ pages: [], unrecoveredItems: [{ id: sessionId }] });
  await db.kysely.updateTable('orgs').set({ currency: 'usd' }).where('id', '=', setup.orgId).execute();
  await recover(deps, await readLostRecords());
  await expectMatchingBooks();
});

test('skipped receipt numbers are recorded as one range', async () => {
  const update = sql`update receipt_numbers set last = last + 7`.execute(db.kysely);
  await expect(update).rejects.toThrow('must be consecutive');
  await expect(sql`delete from receipt_number_gaps`.execute(db.kysely)).rejects.toThrow('neither changed nor deleted');
  await expect(sql`update receipt_number_gaps set last = last + 1`.execute(db.kysely)).rejects.toThrow(
    'neither changed',
  );
});

test('uncertain and manually resolved payments are skipped unless named', async () => {
  const settledPayment = await payElsewhere();
  await provider.deliverEvents();
  const resolution = { resolved_at: setup.clock.now(), resolution: 'manual', note: 'Entered by hand' } as const;
  await db.kysely.updateTable('attention_items').set(resolution).where('checkout_id', '=', settledPayment.id).execute();
  await payElsewhere({}, createStripePayments({ ...provider.options, installation: 'another' }));
  const unknownOrgPayment = await payElsewhere({ orgId: 'nowhere' });
  const initialCents = await setup.readTotalCents();
  const lostGifts = await readLostRecords();
  expect(lostGifts).toMatchObject({ pages: [], charges: [], otherInstallations: { pages: 1, charges: 1 } });
  expect(lostGifts.unrecoveredItems.map(({ id, reason }) => [id, reason])).toEqual([
    [unknownOrgPayment.sessionId, 'there is no organization nowhere'],
    [settledPayment.sessionId, 'it was resolved manually'],
  ]);
  await recover(deps, lostGifts);
  expect(await setup.readTotalCents()).toBe(initialCents);
  await recover(deps, await readLostRecords(new Set([settledPayment.sessionId, unknownOrgPayment.sessionId])));
  expect(await setup.readTotalCents()).toBe(initialCents + 2000);
  expect(await setup.findDifferences()).toEqual([]);
  expect((await readLostRecords()).unrecoveredItems.map(({ id }) => id)).toEqual([unknownOrgPayment.sessionId]);
});

test('a second payment of a paid checkout needs attention again after a restore', async () => {
  const { id } = await give();
  const metadata = { orgId: setup.orgId, checkoutId: id, installation: INSTALLATION };
  const price_data = { currency: 'usd', unit_amount: 2500, product_data: { name: 'Donation' } };
  const secondSession = await provider.stripe.checkout.sessions.create({
    mode: 'payment',
    metadata,
    payment_intent_data: { metadata },
    line_items: [{ quantity: 1, price_data }],
    success_url: 'https://fund.example/',
  });
  await provider.pay(secondSession.url ?? '');
  const initialCents = await setup.readTotalCents();
  const { problems } = await recover(deps, await readLostRecords());
  expect(problems).toEqual([{ id: secondSession.id, problem: 'needs attention: session' }]);
  const lostGifts = await readLostRecords();
  expect(lostGifts).toMatchObject({ pages: [], charges: [] });
  const reason = 'it needs attention, and its checkout is in the database';
  expect(lostGifts.unrecoveredItems).toContainEqual({ id: secondSession.id, reason, amount: 2500, currency: 'usd' });
  expect(await setup.readTotalCents()).toBe(initialCents);
  await runWithTriggersDisabled(db, (tx) => sql`delete from checkouts where id = ${id}`.execute(tx));
  const { pages } = await readLostRecords();
  expect(pages).toMatchObject([{ isPosted: true }, { isPosted: false, session: { sessionId: secondSession.id } }]);
  // The order of the pages must not decide which payment paid the checkout.
  const secondRecovery = await recover(deps, { ...(await readLostRecords()), pages: pages.toReversed() });
  expect(secondRecovery.problems).toEqual([{ id: secondSession.id, problem: 'needs attention: session' }]);
  expect(await setup.readTotalCents()).toBe(initialCents);
});

test('recovery fails and changes nothing if the provider is unreachable', async () => {
  const offlinePayments = { ...provider.payments, listMovements: async () => new Failure('payment-unavailable') };
  expect(await findLostRecords({ ...deps, payments: offlinePayments })).toEqual(new Failure('payment-unavailable'));
  expect(await findLostRecords({ ...deps, payments: unreachableProvider })).toEqual(new Failure('payment-unavailable'));
});
