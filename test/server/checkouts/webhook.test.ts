// @spec decisions.3 decisions.6
import { sql } from 'kysely';
import Stripe from 'stripe';
import { expect, test, vi } from 'vitest';
import { WEBHOOK_PATH } from '#contract/calls.ts';
import { Failure } from '#domain/failures.ts';
import { countFailedEvents } from '#server/features/operation/job-facts.store.ts';
import { readFigures } from '#server/features/operation/read-figures.ts';
import { recordSession } from '#server/features/payments/record-session.ts';
import { applyDueEvents, applyEventsJob, queueUnhandledEvents } from '#server/features/provider-events/apply-events.ts';
import { createStripePayments } from '#server/gateways/payments/stripe-payments.ts';
import { EXPANDED_FIELDS, toPaymentFacts } from '#server/gateways/payments/stripe-sessions.ts';
import { NO_SIGNALS } from '#server/process/event-signals.ts';
import { buildTestApp } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { INSTALLATION, parseSessionId, WEBHOOK_SECRET } from '#test/support/card-provider.ts';
import { MINUTE } from '#test/support/clock.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { createUnreachableDatabase } from '#test/support/unreachable-database.ts';

const setup: DonationSetup = await startDonationSetup();
const { db, provider, clock, app } = setup;

/** Sends a body as the provider does, with a signature dated this many seconds from now. */
async function sendSigned(
  body: string,
  { seconds = 0, secret = WEBHOOK_SECRET, signed: signedBody = body, to: targetApp = app } = {},
) {
  const timestamp = Math.floor(clock.now().getTime() / 1000) + seconds;
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: signedBody, secret, timestamp });
  const response = await postWebhook(body, { 'stripe-signature': signature }, targetApp);
  await setup.applyEvents();
  return response;
}

function buildSignatureHeader(body: string): Record<string, string> {
  const timestamp = Math.floor(clock.now().getTime() / 1000);
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: WEBHOOK_SECRET, timestamp });
  return { 'stripe-signature': signature };
}

async function readPaymentStatus(checkoutId: string): Promise<string> {
  const { payment_status } = await db.kysely
    .selectFrom('checkouts')
    .select('payment_status')
    .where('id', '=', checkoutId)
    .executeTakeFirstOrThrow();
  return payment_status;
}

function readAttentionItem(sessionId: string) {
  return db.kysely
    .selectFrom('attention_items')
    .selectAll()
    .where('subject', '=', `session:${sessionId}`)
    .executeTakeFirst();
}

function postWebhook(body: string, headers: Record<string, string>, targetApp = app) {
  return targetApp.inject({
    method: 'POST',
    url: WEBHOOK_PATH,
    headers: { 'content-type': 'application/json', ...headers },
    payload: body,
  });
}

async function readLastEvent() {
  const event = (await provider.listSessionEvents()).at(-1);
  if (!event) throw new Error('the provider has no event');
  return event;
}

function readStoredEvent(id: string) {
  return db.kysely.selectFrom('provider_events').selectAll().where('id', '=', id).executeTakeFirst();
}

async function payWithoutReport() {
  const checkout = await setup.openCheckout();
  await provider.pay(checkout.paymentUrl);
  return { ...checkout, body: JSON.stringify(await readLastEvent()) };
}

test('a webhook delivered twice counts once', async () => {
  const initialCents = await setup.readTotalCents();
  await setup.openAndPay();
  const { id } = await readLastEvent();
  expect(await provider.redeliver(id)).toBe('200');
  expect(await provider.redeliver(id)).toBe('200');
  expect(await setup.readTotalCents()).toBe(initialCents + 2500);
  expect(await readStoredEvent(id)).toMatchObject({ outcome: 'recorded', type: 'checkout.session.completed' });
});

test('fifty simultaneous deliveries of one event count once, and each is acknowledged', async () => {
  const initialCents = await setup.readTotalCents();
  const earlierCount = setup.queuedReceipts.length;
  const { body } = await payWithoutReport();
  const responses = await Promise.all(Array.from({ length: 50 }, () => sendSigned(body)));
  expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(50).fill(200));
  expect(await setup.readTotalCents()).toBe(initialCents + 2500);
  expect(setup.queuedReceipts.length).toBe(earlierCount + 1);
  expect(await setup.findDifferences()).toEqual([]);
});

/** Creates paid gifts whose events arrived but haven't been applied. */
async function reportGifts(count: number) {
  const gifts: Awaited<ReturnType<typeof payWithoutReport>>[] = [];
  while (gifts.length < count) gifts.push(await payWithoutReport());
  for (const { body } of gifts) await postWebhook(body, buildSignatureHeader(body));
  return gifts;
}

test('gifts reported at the same time are each counted and receipted', async () => {
  const initialCents = await setup.readTotalCents();
  const earlierCount = setup.queuedReceipts.length;
  const gifts = await reportGifts(6);
  await setup.applyEvents();
  expect(await setup.readTotalCents()).toBe(initialCents + 6 * 2500);
  const receipts = await db.kysely
    .selectFrom('receipts')
    .select(['number', 'printed_number'])
    .where(
      'checkout_id',
      'in',
      gifts.map(({ id }) => id),
    )
    .orderBy('number')
    .execute();
  const [first] = receipts;
  const consecutiveNumbers = (number: unknown) => gifts.map((_gift, index) => Number(number) + index);
  expect(receipts.map(({ number }) => number)).toEqual(consecutiveNumbers(first?.number));
  expect(receipts.map((receipt) => receipt.printed_number)).toEqual(consecutiveNumbers(first?.printed_number));
  expect(setup.queuedReceipts.slice(earlierCount)).toEqual(consecutiveNumbers(first?.number));
  expect(await setup.findDifferences()).toEqual([]);
});

test('a gift that can’t be posted doesn’t block others and stays pending', async () => {
  const { paymentUrl } = await setup.openAndPay();
  const initialCents = await setup.readTotalCents();
  const gifts = await reportGifts(3);
  const { payments } = setup.deps;
  const badSession = parseSessionId(gifts[1]?.paymentUrl ?? '');
  const readSessionOrThrow = async (id: string) => {
    const session = await payments.readSession(id);
    if (session === 'unknown' || session instanceof Failure) throw new Error('no such session');
    return session;
  };
  // This charge belongs to a gift that is already counted.
  const { charge } = await readSessionOrThrow(parseSessionId(paymentUrl));
  const readSession = async (id: string) => ({
    ...(await readSessionOrThrow(id)),
    ...(id === badSession ? { charge } : {}),
  });
  const { log, loggedProblems } = createLogSpy();
  const readOutcomes = () =>
    Promise.all(gifts.map(async ({ body }) => (await readStoredEvent(JSON.parse(body).id))?.outcome));
  await applyDueEvents({ ...setup.deps, payments: { ...payments, readSession } }, log);
  expect(await readOutcomes()).toEqual(['recorded', 'pending', 'recorded']);
  expect(loggedProblems).toEqual([expect.stringContaining('an event could not be applied')]);
  expect(await setup.readTotalCents()).toBe(initialCents + 2 * 2500);
  clock.advance(2000);
  await setup.applyEvents();
  expect(await readOutcomes()).toEqual(['recorded', 'recorded', 'recorded']);
  expect(await setup.readTotalCents()).toBe(initialCents + 3 * 2500);
  expect(await setup.findDifferences()).toEqual([]);
});

test('a failed event is applied again after another event counted its payment, which resolves its attention item', async () => {
  const { body } = await payWithoutReport();
  const { id } = JSON.parse(body);
  await postWebhook(body, buildSignatureHeader(body));
  const payments = { ...setup.deps.payments, readSession: () => Promise.reject(new Error('broken')) };
  const { log } = createLogSpy();
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    clock.advance(1000 * 2 ** attempt);
    await applyDueEvents({ ...setup.deps, payments }, log);
  }
  const readItem = () =>
    db.kysely.selectFrom('attention_items').selectAll().where('subject', '=', `event:${id}`).executeTakeFirst();
  expect(await readItem()).toMatchObject({ resolved_at: null });
  await sendSigned(JSON.stringify({ ...JSON.parse(body), id: `${id}_again` }));
  expect(await readStoredEvent(`${id}_again`)).toMatchObject({ outcome: 'recorded' });
  clock.advance(60_000);
  await setup.applyEvents();
  expect(await readStoredEvent(id)).toMatchObject({ outcome: 'recorded' });
  expect(await readItem()).toMatchObject({ note: 'Counted later.' });
});

test.each([{ statuses: ['processing', 'paid'] }, { statuses: ['paid', 'processing'] }] as const)(
  'two simultaneous reports about one session don’t overwrite each other: $statuses',
  async ({ statuses }) => {
    const { id, paymentUrl } = await payWithoutReport();
    const { payments } = setup.deps;
    const session = await payments.readSession(parseSessionId(paymentUrl));
    if (session === 'unknown' || session instanceof Failure) throw new Error('no such session');
    const reports = statuses.values();
    const readSession = async () => ({ ...session, status: reports.next().value ?? session.status });
    const deps = { ...setup.deps, payments: { ...payments, readSession } };
    await Promise.all(statuses.map(() => recordSession(deps, parseSessionId(paymentUrl))));
    expect(await readPaymentStatus(id)).toBe('paid');
  },
);

/** Applies a payment's event while another event about it arrives. @returns the number of requests for the charge */
async function applyWhileEventArrives(sendReport: () => Promise<string>) {
  const { payments } = setup.deps;
  let requestCount = 0;
  let checkCount = 0;
  const singleRunSignals = {
    whenNewEvents: () => new Promise(() => {}),
    setBusy: () => {},
    isStopping: () => checkCount++ > 0,
  };
  const readSession: typeof payments.readSession = async (id) => {
    const session = await payments.readSession(id);
    const body = await sendReport();
    await postWebhook(body, buildSignatureHeader(body));
    return session;
  };
  const readCharge: typeof payments.readCharge = (id) => {
    requestCount += 1;
    return payments.readCharge(id);
  };
  const deps = { ...setup.deps, payments: { ...payments, readSession, readCharge } };
  await applyDueEvents(deps, createLogSpy().log, singleRunSignals);
  await applyDueEvents(deps, createLogSpy().log);
  return requestCount;
}

async function readLastEventOfType(type: string): Promise<string> {
  const { data } = await provider.stripe.events.list({ type, limit: 1 });
  return JSON.stringify(data[0]);
}

test('a full page of payments that were all reported needs no second request to the provider', async () => {
  const { body, id: checkoutId } = await payWithoutReport();
  const chargeEvent = await readLastEventOfType('charge.updated');
  await postWebhook(body, buildSignatureHeader(body));
  expect(await applyWhileEventArrives(async () => chargeEvent)).toBe(0);
  expect(await readStoredEvent(JSON.parse(chargeEvent).id)).toMatchObject({
    outcome: 'recorded',
    checkout_id: checkoutId,
  });
});

test('a refund reported while its payment is recorded isn’t lost', async () => {
  const initialCents = await setup.readTotalCents();
  const { body, paymentUrl } = await payWithoutReport();
  await postWebhook(body, buildSignatureHeader(body));
  const requestCount = await applyWhileEventArrives(async () => {
    await provider.stripe.refunds.create({ charge: await provider.readChargeId(paymentUrl) });
    return readLastEventOfType('charge.refunded');
  });
  expect(requestCount).toBe(1);
  expect(await setup.readTotalCents()).toBe(initialCents);
});

test('a known event is acknowledged without a write', async () => {
  await setup.openAndPay();
  const event = await readLastEvent();
  const row = db.kysely.selectFrom('provider_events').select([sql`xmin`.as('xmin'), sql`xmax`.as('xmax')]);
  const initialRow = await row.where('id', '=', event.id).execute();
  expect(await provider.redeliver(event.id)).toBe('200');
  expect(await row.where('id', '=', event.id).execute()).toEqual(initialRow);
});

test('an event nested too deeply is rejected even with a correct signature', async () => {
  const body = JSON.stringify({ id: 'evt_deep', object: 'event' }).replace(
    '}',
    `,"data":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
  );
  expect((await sendSigned(body)).statusCode).toBe(400);
  const storedRows = db.kysely.selectFrom('provider_events').select('id').where('id', '=', 'evt_deep');
  expect(await storedRows.execute()).toEqual([]);
});

test('a report with a wrong signature is recorded, and so is the next valid one', async () => {
  const readWebhookFigures = async () => (await readFigures(db, clock.now())).webhooks;
  clock.advance(MINUTE);
  const ownApp = await buildTestApp(setup.deps);
  expect((await postWebhook('{}', {}, ownApp)).statusCode).toBe(400);
  const { rejectedCount } = await readWebhookFigures();
  expect((await sendSigned('{}', { secret: 'whsec_of_somebody_else', to: ownApp })).statusCode).toBe(400);
  await expect.poll(readWebhookFigures).toMatchObject({ rejectedCount: rejectedCount + 1, rejectedAt: clock.now() });
  const { body } = await payWithoutReport();
  expect((await sendSigned(body, { to: ownApp })).statusCode).toBe(200);
  await expect.poll(readWebhookFigures).toMatchObject({ rejectedCount: rejectedCount + 1, verifiedAt: clock.now() });
});

test('reports in the wrong order give the same result', async () => {
  const initialCents = await setup.readTotalCents();
  const checkout = await setup.openCheckout();
  await provider.payByDebit(checkout.paymentUrl);
  const completedEvent = await readLastEvent();
  await provider.resolveDebits('settle');
  const succeededEvent = await readLastEvent();
  expect(succeededEvent.type).toBe('checkout.session.async_payment_succeeded');
  await provider.redeliver(succeededEvent.id);
  await provider.redeliver(completedEvent.id);
  expect(await setup.readCheckout(checkout.id)).toMatchObject({ paymentStatus: 'paid' });
  expect(await setup.readTotalCents()).toBe(initialCents + 2500);
});

test.each([
  ['without a signature', (body: string) => postWebhook(body, {})],
  ['with a malformed signature', (body: string) => postWebhook(body, { 'stripe-signature': 't=1,v1=abc' })],
  ['signed with another secret', (body: string) => sendSigned(body, { secret: 'whsec_of_somebody_else' })],
  ['changed after it was signed', (body: string) => sendSigned(body.replace('"paid"', '"free"'), { signed: body })],
  ['signed, but not an event', () => sendSigned('{"hello":"world"}')],
  ['signed, but not JSON', () => sendSigned('hello')],
  ['empty', () => sendSigned('')],
])('a report %s is rejected and isn’t counted', async (_title, deliverReport) => {
  const initialCents = await setup.readTotalCents();
  const { body } = await payWithoutReport();
  const response = await deliverReport(body);
  expect(response.statusCode).toBe(400);
  expect(response.json()).toMatchObject({ code: 'webhook-signature' });
  expect(await setup.readTotalCents()).toBe(initialCents);
});

test.each([-301, 301])(
  'a signature %i seconds off our clock is rejected because of its time and isn’t counted',
  async (seconds) => {
    const initialCents = await setup.readTotalCents();
    const { body } = await payWithoutReport();
    expect((await sendSigned(body, { seconds })).json()).toMatchObject({ status: 400, code: 'webhook-time' });
    const forgedResponse = await sendSigned(body, { seconds, secret: 'whsec_of_somebody_else' });
    expect(forgedResponse.json()).toMatchObject({ status: 400, code: 'webhook-signature' });
    expect(await setup.readTotalCents()).toBe(initialCents);
  },
);

test.each([-300, 300])('a signature %i seconds off our clock is accepted', async (seconds) => {
  const initialCents = await setup.readTotalCents();
  const { body } = await payWithoutReport();
  expect((await sendSigned(body, { seconds })).statusCode).toBe(200);
  expect(await setup.readTotalCents()).toBe(initialCents + 2500);
});

/** Creates another program's session that names one of our checkouts. */
async function forgeSession(metadata: Record<string, string>, { amount = 2500, currency = 'usd' } = {}) {
  const session = await provider.stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'https://elsewhere.example',
    metadata,
    line_items: [{ quantity: 1, price_data: { currency, unit_amount: amount, product_data: { name: 'Gift' } } }],
  });
  await provider.pay(session.url ?? '');
  return readLastEvent();
}

/** A checkout without a stored session, as after a crash while it was opened. */
async function addUnopenedCheckout() {
  const checkout = await setup.openCheckout();
  await db.kysely.updateTable('checkouts').set({ provider_session_id: null }).where('id', '=', checkout.id).execute();
  return { checkoutId: checkout.id, orgId: setup.orgId, installation: INSTALLATION };
}

// @asvs 2.2.3
test.each([
  ['amount', async () => forgeSession(await addUnopenedCheckout(), { amount: 500 })],
  ['currency', async () => forgeSession(await addUnopenedCheckout(), { currency: 'eur' })],
  [
    'session',
    async () => forgeSession({ ...(await addUnopenedCheckout()), checkoutId: (await setup.openCheckout()).id }),
  ],
  ['no-checkout', async () => forgeSession({ ...(await addUnopenedCheckout()), orgId: await addOrg(db) })],
  ['no-checkout', () => forgeSession({ checkoutId: 'unknown', orgId: setup.orgId, installation: INSTALLATION })],
  ['no-checkout', async () => forgeSession({ orgId: setup.orgId, installation: INSTALLATION })],
])('a payment that differs from its checkout (%s) isn’t counted and needs attention', async (reason, forgeEvent) => {
  const initialCents = await setup.readTotalCents();
  const event = await forgeEvent();
  expect(await provider.redeliver(event.id)).toBe('200');
  expect(await readStoredEvent(event.id)).toMatchObject({ outcome: 'attention', reason });
  const { object } = event.data as Stripe.CheckoutSessionCompletedEvent.Data;
  expect(await readAttentionItem(object.id)).toMatchObject({
    reason,
    amount_cents: object.amount_total,
    currency: object.currency,
    livemode: false,
    resolved_at: null,
  });
  expect(await setup.readTotalCents()).toBe(initialCents);
  expect(await setup.findDifferences()).toEqual([]);
});

test('a payment from an unknown session counts for the checkout named in its metadata', async () => {
  const initialCents = await setup.readTotalCents();
  const metadata = await addUnopenedCheckout();
  const event = await forgeSession(metadata);
  expect(await provider.redeliver(event.id)).toBe('200');
  expect(await setup.readCheckout(metadata.checkoutId)).toMatchObject({ paymentStatus: 'paid' });
  expect(await setup.readTotalCents()).toBe(initialCents + 2500);
});

test('another program’s report on the same account is acknowledged and ignored', async () => {
  const event = await forgeSession({ order: '12' });
  expect(await provider.redeliver(event.id)).toBe('200');
  expect(await readStoredEvent(event.id)).toMatchObject({ outcome: 'ignored' });
});

test('an unhandled event type is acknowledged and stored in full for later', async () => {
  const { body } = await payWithoutReport();
  const event = { ...JSON.parse(body), id: 'evt_unknown_kind', type: 'review.opened' };
  expect((await sendSigned(JSON.stringify(event))).statusCode).toBe(200);
  expect(await readStoredEvent('evt_unknown_kind')).toMatchObject({
    outcome: 'unsupported',
    livemode: false,
    account: null,
    payload: event,
  });
});

test('the session is read from the provider, because the report’s own data isn’t trusted', async () => {
  const initialCents = await setup.readTotalCents();
  const unpaidCheckout = await setup.openCheckout();
  const { body } = await payWithoutReport();
  const event: Stripe.CheckoutSessionCompletedEvent = JSON.parse(body);
  const unverifiedSession = { ...event.data.object, id: parseSessionId(unpaidCheckout.paymentUrl) };
  await sendSigned(JSON.stringify({ ...event, id: 'evt_claim', data: { object: unverifiedSession } }));
  expect(await setup.readCheckout(unpaidCheckout.id)).toMatchObject({ paymentStatus: 'unpaid' });
  expect(await setup.readTotalCents()).toBe(initialCents);
});

test('the job fails if it can’t read the events, so that it raises an alarm', async () => {
  const events = { ...NO_SIGNALS, whenNewEvents: async () => {} };
  const { log } = createLogSpy();
  const run = applyEventsJob.run(
    { ...setup.deps, log, events, db: createUnreachableDatabase() },
    new AbortController().signal,
  );
  await expect(run).rejects.toThrow('ECONNREFUSED');
});

// @asvs 16.5.2
test('while the provider is unreachable, events are acknowledged and applied later', async () => {
  const initialCents = await setup.readTotalCents();
  const { body, id: checkoutId } = await payWithoutReport();
  const { id } = JSON.parse(body);
  const unreachablePayments = createStripePayments({ ...provider.options, apiBase: () => 'http://127.0.0.1:1' });
  expect((await postWebhook(body, buildSignatureHeader(body))).statusCode).toBe(200);
  const { log, loggedProblems } = createLogSpy();
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await applyDueEvents({ ...setup.deps, payments: unreachablePayments }, log);
    expect(await readStoredEvent(id)).toMatchObject({ outcome: 'pending', attempts: attempt, errors: 0 });
    // The event isn't due again yet.
    await setup.applyEvents();
    expect(await setup.readTotalCents()).toBe(initialCents);
    clock.advance(1000 * 2 ** attempt);
  }
  expect(loggedProblems).toEqual(Array(3).fill('an event could not be applied yet'));
  await setup.applyEvents();
  expect(await readStoredEvent(id)).toMatchObject({ outcome: 'recorded', attempts: 4, checkout_id: checkoutId });
  expect(await setup.readTotalCents()).toBe(initialCents + 2500);
});

test('an event whose request to the provider hangs doesn’t block others', async () => {
  const [stuckGift, goodGift] = [await payWithoutReport(), await payWithoutReport()];
  const stuckSession = parseSessionId(stuckGift.paymentUrl);
  const delayedRead = Promise.withResolvers<Failure>();
  const { payments } = setup.deps;
  const hangingPayments = {
    ...payments,
    readSession: (id: string) => (id === stuckSession ? delayedRead.promise : payments.readSession(id)),
  };
  for (const { body } of [stuckGift, goodGift]) await postWebhook(body, buildSignatureHeader(body));
  const { log } = createLogSpy();
  const pendingRun = applyDueEvents({ ...setup.deps, payments: hangingPayments }, log);
  await expect.poll(() => readPaymentStatus(goodGift.id)).toBe('paid');
  expect(await readPaymentStatus(stuckGift.id)).toBe('unpaid');
  delayedRead.resolve(new Failure('payment-unavailable'));
  await pendingRun;
  clock.advance(2000);
  await setup.applyEvents();
  expect(await readPaymentStatus(stuckGift.id)).toBe('paid');
});

test('a slow event stays with its process, and another takes over ten seconds after that process is killed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { body, id: checkoutId } = await payWithoutReport();
  await postWebhook(body, buildSignatureHeader(body));
  const { id } = JSON.parse(body);
  const delayedRead = Promise.withResolvers<Failure>();
  const hangingPayments = { ...setup.deps.payments, readSession: () => delayedRead.promise };
  const { log } = createLogSpy();
  const pendingRun = applyDueEvents({ ...setup.deps, payments: hangingPayments }, log);
  const readLeaseEnd = async () => (await readStoredEvent(id))?.next_attempt_at?.getTime();
  await expect.poll(readLeaseEnd).toBe(clock.now().getTime() + 10_000);
  clock.advance(9000);
  vi.advanceTimersByTime(3000);
  await expect.poll(readLeaseEnd).toBe(clock.now().getTime() + 10_000);
  clock.advance(9000);
  await setup.applyEvents();
  expect(await readPaymentStatus(checkoutId)).toBe('unpaid');
  // A killed process stops renewing its lease.
  clock.advance(1000);
  await setup.applyEvents();
  expect(await readPaymentStatus(checkoutId)).toBe('paid');
  delayedRead.resolve(new Failure('payment-unavailable'));
  await pendingRun;
  vi.useRealTimers();
});

test('an unmatched payment is counted once its checkout is restored, and its item is resolved', async () => {
  const { id, paymentUrl, body } = await payWithoutReport();
  const checkout = await db.kysely
    .deleteFrom('checkouts')
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await sendSigned(body);
  expect(await readAttentionItem(parseSessionId(paymentUrl))).toMatchObject({ resolved_at: null });
  const initialCents = await setup.readTotalCents();
  const { id: _id, cart, total_cents, carbon, org_id, created_at } = checkout;
  await db.kysely
    .insertInto('checkouts')
    .values({ id, org_id, cart: JSON.stringify(cart), total_cents, carbon, created_at })
    .execute();
  expect(await recordSession(setup.deps, parseSessionId(paymentUrl))).toMatchObject({
    outcome: 'recorded',
    checkoutId: id,
  });
  expect(await setup.readTotalCents()).toBe(initialCents + 2500);
  expect(await readAttentionItem(parseSessionId(paymentUrl))).toMatchObject({ note: 'Counted later.' });
});

test('an unknown checkout that expires unpaid needs no attention', async () => {
  const { id, paymentUrl } = await setup.openCheckout();
  await db.kysely.deleteFrom('checkouts').where('id', '=', id).execute();
  await provider.expireSession(paymentUrl);
  await provider.deliverEvents();
  const items = db.kysely.selectFrom('attention_items').selectAll().where('checkout_id', '=', id);
  expect(await items.execute()).toEqual([]);
});

test('another installation’s event on the same account is ignored', async () => {
  const event = await forgeSession({ ...(await addUnopenedCheckout()), installation: 'another one' });
  await provider.redeliver(event.id);
  expect(await readStoredEvent(event.id)).toMatchObject({ outcome: 'ignored' });
});

test('a free checkout session isn’t recorded as a payment', async () => {
  const initialCents = await setup.readTotalCents();
  const { body, id } = await payWithoutReport();
  const { payments } = setup.deps;
  const freePayments = {
    ...payments,
    readSession: async (sessionId: string) => {
      const session = await provider.stripe.checkout.sessions.retrieve(sessionId, { expand: EXPANDED_FIELDS });
      return toPaymentFacts({ ...session, payment_status: 'no_payment_required' }, INSTALLATION);
    },
  };
  await postWebhook(body, buildSignatureHeader(body));
  await applyDueEvents({ ...setup.deps, payments: freePayments }, createLogSpy().log);
  expect(await readPaymentStatus(id)).toBe('failed');
  expect(await setup.readTotalCents()).toBe(initialCents);
});

test('a stored unhandled event is applied by a version that handles its type', async () => {
  const { body, id: checkoutId } = await payWithoutReport();
  const { id } = JSON.parse(body);
  await postWebhook(body, buildSignatureHeader(body));
  const unhandledColumns = {
    outcome: 'unsupported',
    subject_kind: null,
    subject_id: null,
    next_attempt_at: null,
  } as const;
  await db.kysely.updateTable('provider_events').set(unhandledColumns).where('id', '=', id).execute();
  await setup.applyEvents();
  expect(await readPaymentStatus(checkoutId)).toBe('unpaid');
  await queueUnhandledEvents(setup.deps);
  await setup.applyEvents();
  expect(await readPaymentStatus(checkoutId)).toBe('paid');
});

test('an event that failed five times stays on the attention list with its amount until it’s applied', async () => {
  const [gift] = await reportGifts(1);
  const eventId: string = JSON.parse(gift?.body ?? '{}').id;
  const readSession = async () => {
    throw Object.assign(new Error('Failing row contains donor@example.org'), { constraint: 'payments_check' });
  };
  const { log } = createLogSpy();
  const brokenDeps = { ...setup.deps, payments: { ...setup.deps.payments, readSession } };
  const readItem = () =>
    db.kysely.selectFrom('attention_items').selectAll().where('subject', '=', `event:${eventId}`).executeTakeFirst();
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    expect(await readItem()).toBeUndefined();
    expect(await countFailedEvents(db.kysely)).toBe(0);
    await applyDueEvents(brokenDeps, log);
    clock.advance(MINUTE);
  }
  expect(await readItem()).toMatchObject({
    reason: 'event failed: payments_check',
    org_id: setup.orgId,
    amount_cents: 2500,
    currency: 'usd',
    resolved_at: null,
  });
  expect(await countFailedEvents(db.kysely)).toBe(1);
  await setup.applyEvents();
  expect(await countFailedEvents(db.kysely)).toBe(0);
  expect((await readItem())?.resolved_at).not.toBeNull();
});
