// @spec decisions.3
import fc from 'fast-check';
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { periodEnd } from '#sandbox/resources/subscription.ts';
import { pickRunCount } from '#test/support/run-count.ts';
import { line, sessionRequest } from './open-sandbox.ts';
import { CARDS, DAY, idOf, openSandboxAt, START, typesOf, unixSeconds } from './open-sandbox-at.ts';

const isoDates = (times: readonly number[]): string[] =>
  times.map((time) => new Date(time * 1000).toISOString().slice(0, 10));

test('a renewal creates an invoice, payment, and charge, each event at the period’s end', async () => {
  const { stripe, subscribe, moveClock, listEvents } = await openSandboxAt();
  const { id, items } = await subscribe(CARDS.succeeds, [line(2500, { interval: 'month' }), line(903)]);
  const eventCount = (await listEvents()).length;
  await moveClock({ seconds: 29 * DAY });
  const renewalEvents = (await listEvents()).slice(eventCount).filter(({ type }) => !type.startsWith('payout'));
  expect(typesOf(renewalEvents)).toEqual([
    'invoice.created',
    'invoice.finalized',
    'charge.succeeded',
    'payment_intent.succeeded',
    'charge.updated',
    'invoice.paid',
    'invoice.payment_succeeded',
    'customer.subscription.updated',
  ]);
  const dueAt = items.data[0]?.current_period_end ?? 0;
  expect(isoDates([dueAt])).toEqual(['2026-02-28']);
  expect(new Set(renewalEvents.map(({ created }) => created))).toEqual(new Set([dueAt]));
  expect(renewalEvents.at(-1)?.data.previous_attributes).toHaveProperty('items');
  const [invoice] = (await stripe.invoices.list({ subscription: id, expand: ['data.payments'] })).data;
  expect(invoice).toMatchObject({
    billing_reason: 'subscription_cycle',
    status: 'paid',
    amount_paid: 2500,
    created: dueAt,
    period_start: unixSeconds(START),
    period_end: dueAt,
    parent: { subscription_details: { subscription: id } },
    lines: { data: [{ amount: 2500, description: 'Donation', period: { start: dueAt } }] },
    payments: { data: [{ status: 'paid', amount_paid: 2500 }] },
  });
  const intent = idOf(invoice?.payments?.data[0]?.payment.payment_intent);
  const [charge] = (await stripe.charges.list({ payment_intent: intent })).data;
  expect(charge).toMatchObject({ amount: 2500, created: dueAt, payment_method_details: { card: { last4: '4242' } } });
  const [invoicePayment] = (
    await stripe.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: intent } })
  ).data;
  expect(invoicePayment?.invoice).toBe(invoice?.id);
  expect((await stripe.subscriptions.retrieve(id)).latest_invoice).toBe(invoice?.id);
});

test('a subscription from January 31 renews on the last day of each shorter month', async () => {
  const { subscribe, moveClock, listEvents } = await openSandboxAt();
  await subscribe();
  await moveClock({ months: 12 });
  const renewals = (await listEvents('invoice.paid')).map(({ created }) => created);
  expect(isoDates(renewals)).toEqual([
    '2026-01-31',
    '2026-02-28',
    '2026-03-31',
    '2026-04-30',
    '2026-05-31',
    '2026-06-30',
    '2026-07-31',
    '2026-08-31',
    '2026-09-30',
    '2026-10-31',
    '2026-11-30',
    '2026-12-31',
    '2027-01-31',
  ]);
});

test.each([
  ['2024-02-29', 'year', 1, ['2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29']],
  ['2026-01-30', 'month', 1, ['2026-02-28', '2026-03-30']],
  ['2025-11-30', 'month', 3, ['2026-02-28', '2026-05-30']],
  ['2026-03-01', 'week', 2, ['2026-03-15', '2026-03-29']],
])('periods starting on %s, every %s × %d, end on %j', (from, interval, interval_count, expected) => {
  const anchor = unixSeconds(`${from}T12:00:00Z`);
  const ends: number[] = [];
  for (let start = anchor; ends.length < expected.length; start = ends.at(-1) ?? start)
    ends.push(periodEnd(anchor, { interval, interval_count }, start));
  expect(isoDates(ends)).toEqual(expected);
});

/** Returns each event's fields that contain no ids. */
function eventHistory(events: readonly Stripe.Event[]): unknown[] {
  return events.map(({ type, created, data: { object } }) => {
    const {
      amount,
      amount_paid: amountPaid,
      status,
    } = object as { amount?: number; amount_paid?: number; status?: string };
    return [type, created, amount, amountPaid, status];
  });
}

test('moving the clock charges each period once, regardless of how the move is split', async () => {
  const unsplitSandbox = await openSandboxAt();
  await unsplitSandbox.subscribe();
  await unsplitSandbox.subscribe(CARDS.declinedAtRenewal, [line(1000, { interval: 'week' })]);
  await unsplitSandbox.moveClock({ seconds: 100 * DAY });
  const expected = eventHistory(await unsplitSandbox.listEvents());
  const cuts = fc.array(fc.integer({ min: 0, max: 100 * DAY }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(cuts, async (cutTimes) => {
      const splitSandbox = await openSandboxAt();
      await splitSandbox.subscribe();
      await splitSandbox.subscribe(CARDS.declinedAtRenewal, [line(1000, { interval: 'week' })]);
      let movedSeconds = 0;
      for (const cut of [...cutTimes.sort((a, b) => a - b), 100 * DAY]) {
        await splitSandbox.moveClock({ seconds: cut - movedSeconds });
        movedSeconds = cut;
      }
      expect(eventHistory(await splitSandbox.listEvents())).toEqual(expected);
      await splitSandbox.close();
    }),
    { numRuns: pickRunCount(3, 8) },
  );
  const times = (await unsplitSandbox.listEvents()).map(({ created }) => created);
  expect(times).toEqual([...times].sort((a, b) => a - b));
});

test('a declined renewal is retried after 3, 5, and 7 days, and then the subscription ends', async () => {
  const { stripe, subscribe, moveClock, listEvents } = await openSandboxAt();
  const { id } = await subscribe(CARDS.declinedAtRenewal);
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' });
  await moveClock({ seconds: 28 * DAY });
  const [invoice] = (await stripe.invoices.list({ subscription: id, status: 'open' })).data;
  expect(invoice).toMatchObject({ attempt_count: 1, next_payment_attempt: (invoice?.created ?? 0) + 3 * DAY });
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'past_due' });
  await moveClock({ seconds: 20 * DAY });
  const failures = (await listEvents('invoice.payment_failed')).map(({ created }) => created);
  expect(isoDates(failures)).toEqual(['2026-02-28', '2026-03-03', '2026-03-08', '2026-03-15']);
  expect((await listEvents('charge.failed')).length).toBe(4);
  expect(typesOf(await listEvents()).slice(-3)).toEqual([
    'invoice.payment_failed',
    'invoice.marked_uncollectible',
    'customer.subscription.deleted',
  ]);
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
    status: 'canceled',
    cancellation_details: { reason: 'payment_failed' },
  });
  expect(await stripe.invoices.retrieve(invoice?.id ?? '')).toMatchObject({
    status: 'uncollectible',
    next_payment_attempt: null,
  });
});

test('a subscription ending with its period isn’t charged again', async () => {
  const { stripe, subscribe, moveClock, listEvents } = await openSandboxAt();
  const { id } = await subscribe();
  await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  await moveClock({ months: 3 });
  expect(await listEvents('invoice.paid')).toHaveLength(1);
  const [endedEvent] = await listEvents('customer.subscription.deleted');
  expect(isoDates([endedEvent?.created ?? 0])).toEqual(['2026-02-28']);
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
    status: 'canceled',
    ended_at: unixSeconds('2026-02-28T12:00:00Z'),
    canceled_at: unixSeconds(START),
  });
});

test.each([
  ['void', 'invoice.voided', 'void'],
  ['keep_as_draft', 'invoice.created', 'draft'],
  ['mark_uncollectible', 'invoice.marked_uncollectible', 'uncollectible'],
] as const)('a renewal while paused with %s charges nothing: %s', async (behavior, event, status) => {
  const { stripe, subscribe, moveClock, listEvents } = await openSandboxAt();
  const { id } = await subscribe();
  await stripe.subscriptions.update(id, { pause_collection: { behavior } });
  await moveClock({ months: 2 });
  expect(await listEvents('charge.succeeded')).toHaveLength(1);
  expect((await listEvents(event)).length).toBeGreaterThan(1);
  expect((await stripe.invoices.list({ subscription: id, status })).data).toHaveLength(2);
  await stripe.subscriptions.update(id, { pause_collection: '' });
  await moveClock({ months: 1 });
  expect(await listEvents('charge.succeeded')).toHaveLength(2);
});

test('a pause ends at its set time', async () => {
  const { stripe, subscribe, moveClock, listEvents } = await openSandboxAt();
  const { id } = await subscribe();
  const resumes_at = unixSeconds('2026-03-10T00:00:00Z');
  await stripe.subscriptions.update(id, { pause_collection: { behavior: 'void', resumes_at } });
  await moveClock({ months: 2 });
  expect(isoDates((await listEvents('invoice.voided')).map(({ created }) => created))).toEqual(['2026-02-28']);
  expect((await listEvents('invoice.paid')).map(({ created }) => isoDates([created])[0])).toEqual([
    '2026-01-31',
    '2026-03-31',
  ]);
  expect((await stripe.subscriptions.retrieve(id)).pause_collection).toBeNull();
});

async function changePrice(price: { unit_amount: number; interval: 'month' | 'year'; interval_count?: number }) {
  const sandbox = await openSandboxAt();
  const subscription = await sandbox.subscribe();
  const [item] = subscription.items.data;
  const { unit_amount, ...recurring } = price;
  const price_data = { currency: 'usd', product: idOf(item?.price.product as string), unit_amount, recurring };
  const change = (overrides: Stripe.SubscriptionUpdateParams = {}) =>
    sandbox.stripe.subscriptions.update(subscription.id, {
      items: [{ id: item?.id ?? '', price_data }],
      proration_behavior: 'none',
      ...overrides,
    });
  return { ...sandbox, id: subscription.id, change };
}

test('a changed amount is charged at the next renewal', async () => {
  const { change, moveClock, listEvents } = await changePrice({ unit_amount: 4000, interval: 'month' });
  expect(await change()).toMatchObject({ items: { data: [{ price: { unit_amount: 4000 } }] } });
  await moveClock({ months: 1 });
  const paidInvoices = (await listEvents('invoice.paid')).map(
    ({ data }) => (data.object as Stripe.Invoice).amount_paid,
  );
  expect(paidInvoices).toEqual([2500, 4000]);
});

test('a changed interval is charged immediately and starts a new cycle, as with Stripe', async () => {
  const { change, moveClock, listEvents } = await changePrice({ unit_amount: 9000, interval: 'year' });
  await moveClock({ seconds: 10 * DAY });
  await change();
  await moveClock({ months: 13 });
  const invoices = (await listEvents('invoice.paid')).map(({ data }) => data.object as Stripe.Invoice);
  expect(invoices.map(({ amount_paid, billing_reason }) => [amount_paid, billing_reason])).toEqual([
    [2500, 'subscription_create'],
    [9000, 'subscription_update'],
    [9000, 'subscription_cycle'],
  ]);
  expect(isoDates(invoices.map(({ created }) => created))).toEqual(['2026-01-31', '2026-02-10', '2027-02-10']);
});

test('with a trial until the period’s end, a changed interval is first charged when the trial ends', async () => {
  const { change, moveClock, listEvents } = await changePrice({
    unit_amount: 9000,
    interval: 'month',
    interval_count: 3,
  });
  const trial_end = unixSeconds('2026-02-28T12:00:00Z');
  expect(await change({ trial_end })).toMatchObject({ status: 'trialing' });
  await moveClock({ months: 4 });
  const invoices = (await listEvents('invoice.paid')).map(({ data }) => data.object as Stripe.Invoice);
  expect(isoDates(invoices.map(({ created }) => created))).toEqual(['2026-01-31', '2026-02-28', '2026-05-28']);
});

test.each([
  [{ items: [{ id: 'si_none', quantity: 2 }], proration_behavior: 'none' as const }, /No such subscription item/],
  [{ items: [{ id: 'si_none', quantity: 2 }] }, /only with `proration_behavior`/],
  [{ default_payment_method: 'pm_none' }, /No such PaymentMethod/],
  [{ trial_end: 'now' as const }, /trial_end/],
])('the change %j is rejected', async (change, message) => {
  const { stripe, subscribe } = await openSandboxAt();
  const { id } = await subscribe();
  await expect(stripe.subscriptions.update(id, change)).rejects.toThrow(message);
});

test('subscriptions are listed by customer, without canceled ones by default', async () => {
  const { stripe, subscribe } = await openSandboxAt();
  const [first, second] = [await subscribe(), await subscribe()];
  const customer = idOf(first.customer);
  expect((await stripe.subscriptions.list({ customer })).data.map(({ id }) => id)).toEqual([first.id]);
  await stripe.subscriptions.cancel(first.id, { cancellation_details: { comment: 'moving' } });
  expect((await stripe.subscriptions.list()).data.map(({ id }) => id)).toEqual([second.id]);
  const [canceled] = (await stripe.subscriptions.list({ customer, status: 'all' })).data;
  expect(canceled).toMatchObject({ cancellation_details: { comment: 'moving', reason: 'cancellation_requested' } });
});

test('a bank-debit subscription renews, and each debit settles after four days', async () => {
  const { stripe, post, moveClock, listEvents } = await openSandboxAt();
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [line(2500, { interval: 'month' })],
    success_url: 'http://shop.test/thanks',
  });
  await post(`/sandbox/pay/${session.id}`, { method: 'us_bank_account', email: 'a@b.org', name: 'Ann Lee' });
  await moveClock({ seconds: 35 * DAY });
  const settledTimes = (await listEvents('charge.succeeded')).map(({ created }) => created);
  expect(isoDates(settledTimes)).toEqual(['2026-02-04', '2026-03-04']);
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ payment_status: 'paid' });
});

test('a merchant whose clock wasn’t moved can open sessions that expire as usual', async () => {
  const { stripe, moveClock, payByCard, listEvents } = await openSandboxAt();
  await moveClock({ months: 6 });
  const request = sessionRequest({ expires_at: unixSeconds(START) + 3600 });
  const [paidSession, openSession] = [
    await stripe.checkout.sessions.create(request),
    await stripe.checkout.sessions.create(request),
  ];
  expect((await payByCard(paidSession)).status).toBe(303);
  await moveClock({ seconds: 3599 });
  expect(await stripe.checkout.sessions.retrieve(openSession.id)).toMatchObject({ status: 'open' });
  await moveClock({ seconds: 1 });
  expect(await stripe.checkout.sessions.retrieve(openSession.id)).toMatchObject({ status: 'expired' });
  expect((await listEvents('checkout.session.expired'))[0]?.created).toBe(openSession.expires_at);
});

test('the clock only moves forward, by a whole number', async () => {
  const { post, get } = await openSandboxAt();
  for (const fields of [{ seconds: '-1' }, { seconds: '1.5' }, { months: 'x' }, { months: '121' }, {}])
    expect(await post('/sandbox/clock', fields)).toMatchObject({ status: 400 });
  expect((await get('/sandbox')).text).toContain('Jan 31, 2026');
});
