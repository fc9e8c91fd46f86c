import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { WEBHOOK_PATH } from '#contract/calls.ts';
import { stripePayments } from '#server/gateways/payments/stripe-payments.ts';
import { buildTestApp } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { sessionIdOf, WEBHOOK_SECRET } from '#test/support/card-provider.ts';
import { type Giving, startGiving } from '#test/support/giving.ts';

const giving: Giving = await startGiving();
const { db, provider, clock, app } = giving;

/** Sends a body as the provider would, signed so many seconds from now. */
async function send(body: string, { seconds = 0, secret = WEBHOOK_SECRET, signed = body, to = app } = {}) {
  const timestamp = Math.floor(clock.now().getTime() / 1000) + seconds;
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: signed, secret, timestamp });
  return post(body, { 'stripe-signature': signature }, to);
}

function post(body: string, headers: Record<string, string>, to = app) {
  return to.inject({
    method: 'POST',
    url: WEBHOOK_PATH,
    headers: { 'content-type': 'application/json', ...headers },
    payload: body,
  });
}

async function lastEvent() {
  const event = (await provider.events()).at(-1);
  if (!event) throw new Error('the provider has no event');
  return event;
}

function storedEvent(id: string) {
  return db.kysely.selectFrom('provider_events').selectAll().where('id', '=', id).executeTakeFirst();
}

async function paidButUnheardOf() {
  const checkout = await giving.open();
  await provider.pay(checkout.paymentUrl);
  return { ...checkout, body: JSON.stringify(await lastEvent()) };
}

test('a webhook delivered twice counts once', async () => {
  const before = await giving.cents();
  await giving.openPaid();
  const { id } = await lastEvent();
  expect(await provider.redeliver(id)).toBe('200');
  expect(await provider.redeliver(id)).toBe('200');
  expect(await giving.cents()).toBe(before + 2500);
  expect(await storedEvent(id)).toMatchObject({ outcome: 'recorded', type: 'checkout.session.completed' });
});

test('fifty deliveries of one event at the same time count once, and each is acknowledged', async () => {
  const before = await giving.cents();
  const mailed = giving.mailed.length;
  const { body } = await paidButUnheardOf();
  const answers = await Promise.all(Array.from({ length: 50 }, () => send(body)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(50).fill(200));
  expect(await giving.cents()).toBe(before + 2500);
  expect(giving.mailed.length).toBe(mailed + 1);
  expect(await giving.differences()).toEqual([]);
});

test('reports that arrive in the wrong order come to the same', async () => {
  const before = await giving.cents();
  const checkout = await giving.open();
  await provider.payByDebit(checkout.paymentUrl);
  const completed = await lastEvent();
  await provider.answerDebits('settle');
  const succeeded = await lastEvent();
  expect(succeeded.type).toBe('checkout.session.async_payment_succeeded');
  await provider.redeliver(succeeded.id);
  await provider.redeliver(completed.id);
  expect(await giving.read(checkout.id)).toMatchObject({ paymentStatus: 'paid' });
  expect(await giving.cents()).toBe(before + 2500);
});

test.each([
  ['without a signature', (body: string) => post(body, {})],
  ['with a signature that is none', (body: string) => post(body, { 'stripe-signature': 't=1,v1=abc' })],
  ['signed with another secret', (body: string) => send(body, { secret: 'whsec_of_somebody_else' })],
  ['changed after it was signed', (body: string) => send(body.replace('"paid"', '"free"'), { signed: body })],
  ['signed more than five minutes ago', (body: string) => send(body, { seconds: -301 })],
  ['signed more than five minutes from now', (body: string) => send(body, { seconds: 301 })],
  ['signed, but no event', () => send('{"hello":"world"}')],
  ['signed, but no JSON', () => send('hello')],
  ['empty', () => send('')],
])('a report %s is refused, and counts nothing', async (_how, deliver) => {
  const before = await giving.cents();
  const { body } = await paidButUnheardOf();
  const answer = await deliver(body);
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code: 'webhook-signature' });
  expect(await giving.cents()).toBe(before);
});

test.each([-300, 300])('a signature %i seconds off our clock is taken', async (seconds) => {
  const before = await giving.cents();
  const { body } = await paidButUnheardOf();
  expect((await send(body, { seconds })).statusCode).toBe(200);
  expect(await giving.cents()).toBe(before + 2500);
});

/** A session that names a checkout of ours, but was made by somebody else. */
async function forgedSession(metadata: Record<string, string>, { amount = 2500, currency = 'usd' } = {}) {
  const session = await provider.stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'https://elsewhere.example',
    metadata,
    line_items: [{ quantity: 1, price_data: { currency, unit_amount: amount, product_data: { name: 'Gift' } } }],
  });
  await provider.pay(session.url ?? '');
  return lastEvent();
}

/** A checkout whose own session was never known, as after a crash between the two. */
async function unopenedCheckout() {
  const checkout = await giving.open();
  await db.kysely.updateTable('checkouts').set({ provider_session_id: null }).where('id', '=', checkout.id).execute();
  return { checkoutId: checkout.id, orgId: giving.orgId };
}

test.each([
  ['amount', async () => forgedSession(await unopenedCheckout(), { amount: 500 })],
  ['currency', async () => forgedSession(await unopenedCheckout(), { currency: 'eur' })],
  ['session', async () => forgedSession({ checkoutId: (await giving.open()).id, orgId: giving.orgId })],
  [
    'no such checkout in this organization',
    async () => forgedSession({ ...(await unopenedCheckout()), orgId: await addOrg(db) }),
  ],
  ['no such checkout in this organization', () => forgedSession({ checkoutId: 'unknown', orgId: giving.orgId })],
  ['no such checkout in this organization', async () => forgedSession({ orgId: giving.orgId })],
])('a payment that differs from its checkout (%s) is refused and kept as refused', async (reason, make) => {
  const before = await giving.cents();
  const event = await make();
  expect(await provider.redeliver(event.id)).toBe('422');
  expect(await storedEvent(event.id)).toMatchObject({ outcome: 'refused', reason });
  expect(await giving.cents()).toBe(before);
  expect(await giving.differences()).toEqual([]);
});

test('a payment whose session the program never got to know of is counted by what the session names', async () => {
  const before = await giving.cents();
  const metadata = await unopenedCheckout();
  const event = await forgedSession(metadata);
  expect(await provider.redeliver(event.id)).toBe('200');
  expect(await giving.read(metadata.checkoutId)).toMatchObject({ paymentStatus: 'paid' });
  expect(await giving.cents()).toBe(before + 2500);
});

test('a report of another program on the same account is acknowledged and left alone', async () => {
  const event = await forgedSession({ order: '12' });
  expect(await provider.redeliver(event.id)).toBe('200');
  expect(await storedEvent(event.id)).toMatchObject({ outcome: 'ignored' });
});

test('a kind of report that the program does not know is acknowledged and kept', async () => {
  const { body } = await paidButUnheardOf();
  const event = { ...JSON.parse(body), id: 'evt_unknown_kind', type: 'radar.early_fraud_warning.created' };
  expect((await send(JSON.stringify(event))).statusCode).toBe(200);
  expect(await storedEvent('evt_unknown_kind')).toMatchObject({ outcome: 'ignored' });
});

test('what the report itself claims is not believed: the session is read again', async () => {
  const before = await giving.cents();
  const unpaid = await giving.open();
  const { body } = await paidButUnheardOf();
  const event: Stripe.CheckoutSessionCompletedEvent = JSON.parse(body);
  const claim = { ...event.data.object, id: sessionIdOf(unpaid.paymentUrl) };
  await send(JSON.stringify({ ...event, id: 'evt_claim', data: { object: claim } }));
  expect(await giving.read(unpaid.id)).toMatchObject({ paymentStatus: 'unpaid' });
  expect(await giving.cents()).toBe(before);
});

test('when the provider cannot be asked, the report is refused with a 503, so that it comes again', async () => {
  const { body, id: checkoutId } = await paidButUnheardOf();
  const { id } = JSON.parse(body);
  const { payments } = giving.deps;
  const outOfReach = stripePayments({ ...provider.options, apiBase: () => 'http://127.0.0.1:1' });
  const meanwhile = await buildTestApp({
    ...giving.deps,
    payments: { ...payments, read: (id) => outOfReach.read(id) },
  });
  const answer = await send(body, { to: meanwhile });
  expect(answer.statusCode).toBe(503);
  expect(await storedEvent(id)).toBeUndefined();
  expect((await send(body)).statusCode).toBe(200);
  expect(await giving.read(checkoutId)).toMatchObject({ paymentStatus: 'paid' });
});
