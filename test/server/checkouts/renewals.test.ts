// @spec decisions.3
// Slow because each gift is paid and renewed at the provider.
import { afterEach, expect, test } from 'vitest';
import type { CheckoutSums, ListedCheckout } from '#contract/schemas/checkout-records.ts';
import { donationItem, offsetItem, withRecurrence } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import { recordInvoice } from '#server/features/payments/record-invoice.ts';
import { call } from '#test/support/call.ts';
import { PAYER, parseSessionId } from '#test/support/card-provider.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';
import { signIn } from '#test/support/sign-in.ts';

const setup: DonationSetup = await startDonationSetup();
const { db, provider } = setup;

const MONTHLY_CART = [donationItem(10, 'month'), donationItem(15), withRecurrence(offsetItem('car', 800), 'month')];

async function giveMonthly(cart = MONTHLY_CART) {
  const checkout = await setup.openCheckout(cart);
  await provider.pay(checkout.paymentUrl);
  await provider.deliverEvents();
  return checkout;
}

async function passMonths(months: number): Promise<void> {
  await provider.submitDashboardForm('clock', { months: String(months) });
  await provider.deliverEvents();
}

function readEntries(checkoutId: string) {
  return db.kysely
    .selectFrom('ledger_entries')
    .leftJoin('receipts', 'receipts.ledger_entry_id', 'ledger_entries.id')
    .leftJoin('payments', 'payments.entry_id', 'ledger_entries.id')
    .select([
      'kind',
      'ledger_entries.amount_cents',
      'carbon',
      'fact',
      'occurred_at',
      'receipts.number',
      'receipts.email',
    ])
    .select(['charge_id', 'payments.invoice_id', 'fee_cents', 'next_charge_at'])
    .where('ledger_entries.checkout_id', '=', checkoutId)
    .where('kind', '!=', 'fee')
    .orderBy('occurred_at')
    .execute();
}

/** Reads one checkout, because moving the clock renews every test's gifts. */
async function readCents(checkoutId: string): Promise<number> {
  const entries = await readEntries(checkoutId);
  return entries.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}

// Moving the clock would renew the gifts of all earlier tests.
afterEach(async () => {
  await provider.endSubscriptions();
  await provider.deliverEvents();
});

test('each renewal counts its recurring items and gets one receipt', async () => {
  const initialCents = await setup.readTotalCents();
  const emailCount = setup.queuedReceipts.length;
  const { id } = await giveMonthly();
  await passMonths(3);
  const entries = await readEntries(id);
  expect(entries.map(({ kind, amount_cents, carbon }) => [kind, amount_cents, carbon])).toEqual([
    ['payment', 3500, 8_000_000],
    ...Array(3).fill(['renewal', 2000, 8_000_000]),
  ]);
  expect(new Set(entries.map(({ charge_id }) => charge_id)).size).toBe(4);
  expect(entries.map(({ email }) => email)).toEqual(Array(4).fill(PAYER.email));
  expect(entries.map(({ fee_cents }) => fee_cents)).toEqual([132, 88, 88, 88]);
  expect(setup.queuedReceipts.length).toBe(emailCount + 4);
  expect(await setup.readTotalCents()).toBe(initialCents + 3500 + 3 * 2000);
  const months = entries.map(({ occurred_at }) => occurred_at.toISOString().slice(0, 7));
  expect(new Set(months).size).toBe(4);
  expect(await setup.findDifferences()).toEqual([]);
});

test('a renewal is dated by its charge, and its receipt names the next one', async () => {
  const { id } = await giveMonthly([donationItem(25, 'year')]);
  await passMonths(12);
  const [first, second] = await readEntries(id);
  expect(second?.occurred_at).toEqual(first?.next_charge_at);
  const years = (second?.next_charge_at?.getUTCFullYear() ?? 0) - (first?.next_charge_at?.getUTCFullYear() ?? 0);
  expect(years).toBe(1);
});

test('a renewal reported again or before its first payment counts once', async () => {
  const { id, paymentUrl } = await setup.openCheckout([donationItem(25, 'month')]);
  await provider.pay(paymentUrl);
  await provider.submitDashboardForm('clock', { months: '1' });
  const { data } = await provider.stripe.invoices.list({ limit: 2 });
  const renewal = data.find(({ billing_reason }) => billing_reason === 'subscription_cycle')?.id ?? '';
  for (let attempt = 0; attempt < 2; attempt += 1) {
    expect(await recordInvoice(setup.deps, renewal)).toEqual({ outcome: 'recorded', checkoutId: id });
    expect(await readCents(id)).toBe(5000);
  }
  await provider.deliverEvents();
  expect(await readCents(id)).toBe(5000);
  expect(await setup.findDifferences()).toEqual([]);
});

test('the seventh payment of a recurring gift can be refunded without the others', async () => {
  const { id } = await giveMonthly([donationItem(25, 'month')]);
  await passMonths(6);
  const seventhEntry = (await readEntries(id)).at(-1);
  await provider.stripe.refunds.create({ charge: seventhEntry?.charge_id ?? '' });
  await provider.deliverEvents();
  expect(await readCents(id)).toBe(6 * 2500);
  expect(await setup.readCheckout(id)).toMatchObject({ paymentStatus: 'paid' });
  const statuses = await db.kysely.selectFrom('payments').select('status').where('checkout_id', '=', id).execute();
  expect(statuses.filter(({ status }) => status === 'refunded')).toHaveLength(1);
  expect(statuses).toHaveLength(7);
});

test('the editors’ list shows each payment’s own status, fees, and returns', async () => {
  const { id } = await giveMonthly([donationItem(25, 'month')]);
  await passMonths(2);
  const [first, second, third] = await readEntries(id);
  const params = { orgid: setup.orgId };
  const as = await signIn(setup.deps, { editorOf: [setup.orgId] });
  const readList = async (status?: 'paid' | 'refunded' | 'disputed') => {
    const body = { kind: 'online', query: id, order: 'asc', ...(status ? { status } : {}) } as const;
    const { order: _order, ...filter } = body;
    const rows = (await call(setup.app, 'searchCheckouts', { params, as, body })).json<ListedCheckout[]>();
    const sums = (await call(setup.app, 'sumCheckouts', { params, as, body: filter })).json<CheckoutSums>();
    return { rows: rows.map(({ paymentStatus, refunded }) => [paymentStatus, refunded]), sums };
  };
  const fee = (first?.fee_cents ?? 0) / 100;
  expect(await readList()).toMatchObject({
    rows: Array(3).fill(['paid', 0]),
    sums: { checkouts: 3, gross: 75, fees: Math.round(300 * fee) / 100 },
  });

  await provider.stripe.refunds.create({ charge: first?.charge_id ?? '' });
  await provider.submitDashboardForm(`charges/${third?.charge_id}`, { action: 'dispute' });
  await provider.deliverEvents();
  expect((await readList()).rows).toEqual([
    ['refunded', 25],
    ['paid', 0],
    ['disputed', 0],
  ]);
  expect((await readList('paid')).sums).toMatchObject({ checkouts: 1, gross: 25, refunded: 0, fees: fee, disputed: 0 });
  expect((await readList('refunded')).sums).toMatchObject({ checkouts: 1, gross: 25, refunded: 25, fees: fee });
  const disputedSums = (await readList('disputed')).sums;
  expect(disputedSums).toMatchObject({ checkouts: 1, gross: 25, refunded: 0, disputed: 25 });
  // The provider charges a fee for a dispute.
  expect(disputedSums.fees).toBeGreaterThan(fee);
  const sumsByStatus = [(await readList('paid')).sums, (await readList('refunded')).sums, disputedSums];
  const sumNet = (sums: readonly CheckoutSums[]) =>
    sums.reduce((total, { net }) => total + Math.round((net ?? 0) * 100), 0);
  expect(sumNet([(await readList()).sums])).toBe(sumNet(sumsByStatus));

  await provider.stripe.refunds.create({ charge: second?.charge_id ?? '' });
  const { data } = await provider.stripe.disputes.list({ charge: third?.charge_id ?? '' });
  await provider.submitDashboardForm(`disputes/${data[0]?.id}`, { outcome: 'win' });
  await provider.deliverEvents();
  expect((await readList()).rows).toEqual([
    ['refunded', 25],
    ['refunded', 25],
    ['paid', 0],
  ]);
  expect((await setup.readCheckout(id)).paymentStatus).toBe('paid');
  expect(await setup.findDifferences()).toEqual([]);
});

test('a renewal of a subscription other than its checkout’s needs attention until they match', async () => {
  const { id } = await giveMonthly([donationItem(25, 'month')]);
  await db.kysely
    .updateTable('checkouts')
    .set({ provider_subscription_id: 'sub_other' })
    .where('id', '=', id)
    .execute();
  await passMonths(1);
  expect(await readCents(id)).toBe(2500);
  const items = await db.kysely.selectFrom('attention_items').selectAll().where('checkout_id', '=', id).execute();
  expect(items).toMatchObject([{ reason: 'subscription', amount_cents: 2500, resolved_at: null }]);
  await db.kysely
    .updateTable('checkouts')
    .set({ provider_subscription_id: (await readSubscriptionId(items[0]?.subject ?? '')) ?? null })
    .where('id', '=', id)
    .execute();
  await recordInvoice(setup.deps, items[0]?.subject.replace('invoice:', '') ?? '');
  expect(await readCents(id)).toBe(5000);
  const resolvedItems = await db.kysely
    .selectFrom('attention_items')
    .selectAll()
    .where('checkout_id', '=', id)
    .execute();
  expect(resolvedItems).toMatchObject([{ note: 'Counted later.', resolved_at: expect.any(Date) }]);
});

async function readSubscriptionId(subject: string): Promise<string | undefined> {
  const invoiceFacts = await setup.deps.payments.readInvoice(subject.replace('invoice:', ''));
  return invoiceFacts instanceof Failure || invoiceFacts === 'unknown' ? undefined : invoiceFacts.subscriptionId;
}

test('an unknown invoice or an unreachable provider records no gift', async () => {
  const initialCents = await setup.readTotalCents();
  expect(await recordInvoice(setup.deps, 'in_unknown')).toEqual({ outcome: 'unknown' });
  const failingPayments = { ...setup.deps.payments, readInvoice: async () => new Failure('payment-unavailable') };
  expect(await recordInvoice({ ...setup.deps, payments: failingPayments }, 'in_1')).toEqual(
    new Failure('payment-unavailable'),
  );
  expect(await setup.readTotalCents()).toBe(initialCents);
});

test.each(['reported immediately', 'reported with the next payment'])(
  'if the first debit fails and the next one settles, the paid one counts: %s',
  async (timing) => {
    const { id, paymentUrl } = await setup.openCheckout([donationItem(10, 'month')]);
    await provider.payByDebit(paymentUrl);
    await provider.deliverEvents();
    await provider.resolveDebits('fail');
    if (timing === 'reported immediately') await provider.deliverEvents();
    await provider.submitDashboardForm('clock', { months: '1' });
    await provider.resolveDebits('settle');
    await provider.deliverEvents();
    expect(await readEntries(id)).toMatchObject([{ kind: 'renewal', amount_cents: 1000 }]);
    expect((await setup.readCheckout(id)).paymentStatus).toBe('failed');
    expect(await setup.findDifferences()).toEqual([]);
  },
);

test('an unreported failed first debit is recognized even after the interval changed', async () => {
  const { id, paymentUrl } = await setup.openCheckout([donationItem(10, 'month')]);
  await provider.payByDebit(paymentUrl);
  await provider.deliverEvents();
  const session = await provider.payments.readSession(parseSessionId(paymentUrl));
  if (session instanceof Failure || session === 'unknown') throw new Error('no session');
  await provider.resolveDebits('fail');
  // The failure hasn't been reported yet. Changing the interval makes the subscription trialing instead of past due.
  const changes = { terms: undefined, interval: { unit: 'year', count: 1 } } as const;
  await provider.payments.changeSubscription(session.subscriptionId ?? '', changes);
  await provider.deliverEvents();
  expect((await setup.readCheckout(id)).paymentStatus).toBe('failed');
});

test('a renewal in another currency needs attention; an unpaid or foreign one is ignored', async () => {
  const { id } = await giveMonthly();
  await provider.submitDashboardForm('clock', { months: '1' });
  const { data } = await provider.stripe.invoices.list({ limit: 100 });
  const isRenewal = ({ parent }: (typeof data)[number]) => parent?.subscription_details?.metadata?.checkoutId === id;
  const invoice = data.find(isRenewal)?.id ?? '';
  const invoiceFacts = await provider.payments.readInvoice(invoice);
  if (invoiceFacts instanceof Failure || invoiceFacts === 'unknown') throw new Error('no facts');
  const recordInvoiceAs = (changes: Partial<typeof invoiceFacts>) =>
    recordInvoice(
      {
        ...setup.deps,
        payments: { ...setup.deps.payments, readInvoice: async () => ({ ...invoiceFacts, ...changes }) },
      },
      invoice,
    );
  expect(await recordInvoiceAs({ origin: 'foreign' })).toEqual({ outcome: 'ignored' });
  expect(await recordInvoiceAs({ isPaid: false, amount: 0 })).toEqual({ outcome: 'ignored' });
  expect(await recordInvoiceAs({ currency: 'eur' })).toEqual({
    outcome: 'attention',
    reason: 'currency',
    checkoutId: id,
  });
  expect(await readCents(id)).toBe(3500);
});

test('a failed first debit that is later paid with a new card counts once and gets one receipt', async () => {
  const { id, paymentUrl } = await setup.openCheckout([donationItem(10, 'month'), donationItem(15)]);
  await provider.payByDebit(paymentUrl);
  await provider.resolveDebits('fail');
  await provider.deliverEvents();
  expect((await setup.readCheckout(id)).paymentStatus).toBe('failed');
  const session = await provider.stripe.checkout.sessions.retrieve(parseSessionId(paymentUrl));
  const customer = typeof session.customer === 'string' ? session.customer : '';
  const portal = await provider.stripe.billingPortal.sessions.create({ customer, return_url: 'https://fund.example/' });
  await provider.pay(`${portal.url}/card`);
  await provider.deliverEvents();
  await provider.deliverEvents();
  expect(await readEntries(id)).toMatchObject([{ kind: 'payment', amount_cents: 2500, number: expect.any(Number) }]);
  expect((await setup.readCheckout(id)).paymentStatus).toBe('paid');
  expect(await setup.findDifferences()).toEqual([]);
});

const payWithDeclinedRenewal = async (paymentUrl: string): Promise<void> => {
  await provider.pay(paymentUrl, '4000 0000 0000 0341');
  await passMonths(1);
};
const payByFailedDebit = async (paymentUrl: string): Promise<void> => {
  await provider.payByDebit(paymentUrl);
  await provider.resolveDebits('fail');
};

test.each([
  ['a renewal', payWithDeclinedRenewal, 1000],
  ['a first payment', payByFailedDebit, 0],
])(
  '%s marked as paid outside the provider needs attention and doesn’t count',
  async (_title, payOutside, countedCents) => {
    const { id, paymentUrl } = await setup.openCheckout([donationItem(10, 'month')]);
    await payOutside(paymentUrl);
    const { data } = await provider.stripe.invoices.list({ status: 'open' });
    const invoice = data.find(({ parent }) => parent?.subscription_details?.metadata?.checkoutId === id)?.id ?? '';
    await provider.stripe.invoices.pay(invoice, { paid_out_of_band: true });
    await provider.deliverEvents();
    expect(await readCents(id)).toBe(countedCents);
    const items = await db.kysely.selectFrom('attention_items').selectAll().where('checkout_id', '=', id).execute();
    const subject = `paid-outside:${invoice}`;
    expect(items).toMatchObject([{ reason: 'paid-outside', subject, amount_cents: 1000, resolved_at: null }]);
    expect(await setup.findDifferences()).toEqual([]);
  },
);
