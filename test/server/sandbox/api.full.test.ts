// @spec decisions.3
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { createClient, line, openSandbox, sessionRequest } from './open-sandbox.ts';

async function createPaidSession(overrides: Stripe.Checkout.SessionCreateParams = {}) {
  const sandbox = await openSandbox();
  const { id } = await sandbox.stripe.checkout.sessions.create(sessionRequest(overrides));
  await sandbox.payByCard({ id });
  return { ...sandbox, session: await sandbox.stripe.checkout.sessions.retrieve(id) };
}

const idOf = (reference: string | { id: string } | null): string =>
  typeof reference === 'string' ? reference : (reference?.id ?? '');

test('a repeated request with the same key runs once', async () => {
  const { stripe } = await openSandbox();
  const create = () => stripe.checkout.sessions.create(sessionRequest(), { idempotencyKey: 'checkout-1' });
  const [first, second] = [await create(), await create()];
  expect(second.id).toBe(first.id);
  expect(second.lastResponse.headers['idempotent-replayed']).toBe('true');
  expect((await stripe.checkout.sessions.list()).data).toHaveLength(1);
});

test('a different request with the same key is rejected', async () => {
  const { stripe } = await openSandbox();
  await stripe.checkout.sessions.create(sessionRequest(), { idempotencyKey: 'checkout-1' });
  const conflictingRequest = stripe.checkout.sessions.create(sessionRequest({ line_items: [line(9900)] }), {
    idempotencyKey: 'checkout-1',
  });
  await expect(conflictingRequest).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
});

test('a rejected request doesn’t use up its key, and a key is valid for a day', async () => {
  const clock = { now: new Date('2026-03-01T12:00:00Z') };
  const { stripe } = await openSandbox({ clock });
  const options = { idempotencyKey: 'checkout-1' };
  await expect(stripe.checkout.sessions.create(sessionRequest({ line_items: [line(1)] }), options)).rejects.toThrow(
    /50 cents/,
  );
  const { id } = await stripe.checkout.sessions.create(sessionRequest(), options);
  clock.now = new Date('2026-03-02T11:59:00Z');
  expect((await stripe.checkout.sessions.create(sessionRequest(), options)).id).toBe(id);
});

test.each([
  ['a publishable key', 'pk_test_1', /Invalid API Key/],
  ['a live key', 'sk_live_1', /live API key/],
])('%s is rejected', async (_what, key, message) => {
  const { base } = await openSandbox();
  const request = createClient(base, key).events.list();
  await expect(request).rejects.toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
  await expect(request).rejects.toThrow(message);
});

test('a call without an API key is rejected', async () => {
  const { base } = await openSandbox();
  const response = await fetch(`${base}/v1/events`);
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({
    error: { message: expect.stringMatching(/did not provide an API key/) },
  });
});

test('unknown ids and calls return errors the SDK understands', async () => {
  const { stripe } = await openSandbox();
  await expect(stripe.checkout.sessions.retrieve('cs_test_none')).rejects.toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
    message: "No such checkout.session: 'cs_test_none'",
    requestId: expect.stringMatching(/^req_/),
  });
  await expect(stripe.coupons.list()).rejects.toThrow('Unrecognized request URL (GET: /v1/coupons)');
});

test('one call returns a session with its lines and payment', async () => {
  const { stripe, session } = await createPaidSession({ line_items: [line(2500), line(100, undefined, 'Air travel')] });
  const expand = ['line_items', 'line_items.data.price.product', 'payment_intent.latest_charge', 'subscription'];
  const fullSession = await stripe.checkout.sessions.retrieve(session.id, { expand });
  expect(fullSession.line_items?.data).toMatchObject([
    { description: 'Donation', amount_total: 2500, price: { product: { name: 'Donation' } } },
    { description: 'Air travel', amount_total: 100 },
  ]);
  expect(fullSession).toMatchObject({ payment_intent: { latest_charge: { object: 'charge' } }, subscription: null });
  await expect(stripe.checkout.sessions.retrieve(session.id, { expand: ['mode'] })).rejects.toThrow(
    /cannot be expanded \(mode\)/,
  );
});

test('lines are listed ten at a time', async () => {
  const { stripe } = await openSandbox();
  const line_items = Array.from({ length: 25 }, (_, index) => line(100 + index));
  const { id } = await stripe.checkout.sessions.create(sessionRequest({ line_items }));
  const page = await stripe.checkout.sessions.listLineItems(id);
  expect([page.data.length, page.has_more]).toEqual([10, true]);
  const allLines = await stripe.checkout.sessions.listLineItems(id).autoPagingToArray({ limit: 100 });
  expect(allLines.map((item) => item.amount_total)).toEqual(line_items.map((_, index) => 100 + index));
});

test('events are listed newest first, in pages, and can be filtered by type and time', async () => {
  const clock = { now: new Date('2026-03-01T12:00:00Z') };
  const { stripe, payByCard } = await openSandbox({ clock });
  const nowSeconds = (): number => clock.now.getTime() / 1000;
  for (const hour of [12, 13, 14]) {
    clock.now = new Date(`2026-03-01T${hour}:00:00Z`);
    await payByCard(await stripe.checkout.sessions.create(sessionRequest()));
  }
  const completedEvents = await stripe.events.list({ type: 'checkout.session.completed' });
  expect(completedEvents.data.map(({ created }) => created)).toEqual([
    nowSeconds(),
    nowSeconds() - 3600,
    nowSeconds() - 7200,
  ]);
  const lateEvents = await stripe.events.list({
    types: ['checkout.session.completed', 'charge.succeeded'],
    created: { gte: nowSeconds() - 3600 },
  });
  expect(lateEvents.data).toHaveLength(4);
  expect((await stripe.events.list({ type: 'payment_intent.*' })).data).toHaveLength(3);
  const allEvents = await stripe.events.list({ limit: 2 }).autoPagingToArray({ limit: 100 });
  expect(new Set(allEvents.map(({ id }) => id)).size).toBe(12);
  const [newest, , third] = allEvents;
  const newerEvents = await stripe.events.list({ ending_before: third?.id ?? '' });
  expect(newerEvents.data.map(({ id }) => id)).toEqual([newest?.id, allEvents[1]?.id]);
  expect(await stripe.events.retrieve(newest?.id ?? '')).toEqual(
    expect.objectContaining({ id: newest?.id, pending_webhooks: 1 }),
  );
  await expect(stripe.events.list({ limit: 101 })).rejects.toMatchObject({ param: 'limit' });
  const types = Array.from({ length: 21 }, () => 'charge.updated');
  await expect(stripe.events.list({ types })).rejects.toMatchObject({ param: 'types' });
  await expect(stripe.events.list({ starting_after: 'evt_none' })).rejects.toMatchObject({ param: 'starting_after' });
});

test('sessions are found by their payment', async () => {
  const { stripe, session } = await createPaidSession();
  await stripe.checkout.sessions.create(sessionRequest());
  const sessions = await stripe.checkout.sessions.list({ payment_intent: idOf(session.payment_intent) });
  expect(sessions.data.map(({ id }) => id)).toEqual([session.id]);
  expect((await stripe.checkout.sessions.list({ status: 'open' })).data).toHaveLength(1);
});

test('an open session can be expired early and then can’t be paid', async () => {
  const { stripe, payByCard } = await openSandbox();
  const { id } = await stripe.checkout.sessions.create(sessionRequest());
  expect(await stripe.checkout.sessions.expire(id)).toMatchObject({ status: 'expired', url: null });
  await payByCard({ id });
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'expired', payment_status: 'unpaid' });
  await expect(stripe.checkout.sessions.expire(id)).rejects.toThrow(
    /Only Checkout Sessions with a status in \["open"\]/,
  );
});

test('a payment is refunded in parts, never beyond its amount', async () => {
  const { stripe, session } = await createPaidSession();
  const payment_intent = idOf(session.payment_intent);
  expect(await stripe.refunds.create({ payment_intent, amount: 1000 })).toMatchObject({
    amount: 1000,
    status: 'succeeded',
  });
  await expect(stripe.refunds.create({ payment_intent, amount: 1501 })).rejects.toThrow(
    /\$15.01\) is greater than unrefunded amount on charge \(\$15.00/,
  );
  expect(await stripe.refunds.create({ payment_intent })).toMatchObject({ amount: 1500 });
  await expect(stripe.refunds.create({ payment_intent })).rejects.toMatchObject({ code: 'charge_already_refunded' });
  const { data } = await stripe.events.list({ type: 'charge.refunded' });
  expect(data.map(({ data: { object } }) => object)).toMatchObject([
    { amount_refunded: 2500, refunded: true },
    { amount_refunded: 1000, refunded: false },
  ]);
  expect((await stripe.refunds.list({ payment_intent })).data).toHaveLength(2);
});

test('the first payment of a subscription can be found and refunded', async () => {
  const { stripe, session } = await createPaidSession({
    mode: 'subscription',
    line_items: [line(2500, { interval: 'year' })],
  });
  const { data } = await stripe.invoicePayments.list({ invoice: idOf(session.invoice) });
  const payment = data[0]?.payment.payment_intent ?? null;
  expect(await stripe.refunds.create({ payment_intent: idOf(payment) })).toMatchObject({ amount: 2500 });
});

test('a subscription is set to end at the end of its period, and then canceled', async () => {
  const { stripe, session } = await createPaidSession({
    mode: 'subscription',
    line_items: [line(2500, { interval: 'month' })],
  });
  const id = idOf(session.subscription);
  const endingSubscription = await stripe.subscriptions.update(id, {
    cancel_at_period_end: true,
    metadata: { why: 'moving' },
  });
  expect(endingSubscription).toMatchObject({
    status: 'active',
    cancel_at_period_end: true,
    metadata: { why: 'moving' },
  });
  expect(endingSubscription.cancel_at).toBe(endingSubscription.items.data[0]?.current_period_end);
  expect(await stripe.subscriptions.cancel(id)).toMatchObject({ status: 'canceled' });
  await expect(stripe.subscriptions.cancel(id)).rejects.toMatchObject({ statusCode: 404 });
  await expect(stripe.subscriptions.update(id, { trial_from_plan: true })).rejects.toThrow(
    /does not support `trial_from_plan`/,
  );
});

test('a customer sees and cancels a subscription in the portal', async () => {
  const { stripe, session, get, post } = await createPaidSession({
    mode: 'subscription',
    line_items: [line(2500, { interval: 'month' })],
  });
  const portal = await stripe.billingPortal.sessions.create({
    customer: idOf(session.customer),
    return_url: 'http://shop.test/me',
  });
  expect((await get(portal.url)).text).toMatch(/\$25\.00 every month[\s\S]*Active/);
  await post(portal.url, { subscription: idOf(session.subscription) });
  expect((await get(portal.url)).text).toContain('Canceled');
  expect(await stripe.subscriptions.retrieve(idOf(session.subscription))).toMatchObject({ status: 'canceled' });
  await expect(stripe.billingPortal.sessions.create({ customer: 'cus_none' })).rejects.toMatchObject({
    code: 'resource_missing',
  });
});

test('a parameter named __proto__ is rejected as unknown', async () => {
  const { base } = await openSandbox();
  const headers = { authorization: 'Bearer sk_test_1', 'content-type': 'application/x-www-form-urlencoded' };
  const response = await fetch(`${base}/v1/refunds`, { method: 'POST', headers, body: '__proto__=x' });
  expect(await response.json()).toMatchObject({ error: { param: '__proto__', code: 'parameter_unknown' } });
});
