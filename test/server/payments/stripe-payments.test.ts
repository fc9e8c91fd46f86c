// @spec decisions.3 decisions.4
import net, { type AddressInfo } from 'node:net';
import Fastify from 'fastify';
import Stripe from 'stripe';
import { expect, onTestFinished, test } from 'vitest';
import { Failure } from '#domain/failures.ts';
import type { PaymentRequest, ProviderEvent } from '#server/gateways/payments/payments.ts';
import { buildDescriptorSuffix, buildStatementDescriptor } from '#server/gateways/payments/statement-descriptor.ts';
import { createStripePayments, type StripeOptions } from '#server/gateways/payments/stripe-payments.ts';
import { buildSessionRequest } from '#server/gateways/payments/stripe-sessions.ts';
import { listenLocally, parseSessionId, startCardProvider } from '#test/support/card-provider.ts';
import { createTestClock, DAY, HOUR } from '#test/support/clock.ts';

const clock = createTestClock();
const provider = await startCardProvider(clock);
const januaryProvider = await startCardProvider(createTestClock('2027-01-31T12:00:00.000Z'));

function buildRequest(overrides: Partial<PaymentRequest> = {}): PaymentRequest {
  return {
    orgId: 'ithaca',
    orgName: 'Ithaca Climate Fund',
    checkoutId: `checkout-${Math.random()}`,
    lines: [{ name: 'Donation', description: 'Donation to carbon offset program', amount: 2500 }],
    cart: '[]',
    userId: undefined,
    giftKey: 'key',
    successUrl: 'https://fund.example/thanks',
    cancelUrl: 'https://fund.example/',
    expiresAt: new Date(clock.now().getTime() + 23 * HOUR),
    ...overrides,
  };
}

async function openPage(overrides: Partial<PaymentRequest> = {}) {
  const paymentPage = await provider.payments.createSession(buildRequest(overrides));
  if (paymentPage instanceof Failure) throw paymentPage;
  return paymentPage;
}

/** Starts a server that returns the same response to every request. */
async function startFakeProvider(status: number, body: unknown, options: Partial<StripeOptions> = {}) {
  const app = Fastify();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.all('/*', (_request, reply) => reply.status(status).header('stripe-should-retry', 'false').send(body));
  onTestFinished(() => app.close());
  const base = await listenLocally(app);
  return createStripePayments({ ...provider.options, ...options, apiBase: () => base });
}

test('requesting a checkout’s payment page twice returns the same page', async () => {
  const sameRequest = buildRequest();
  const first = await provider.payments.createSession(sameRequest);
  expect(await provider.payments.createSession(sameRequest)).toEqual(first);
});

test('reads the status of an open, paid, or expired page', async () => {
  const { sessionId, url } = await openPage({ checkoutId: 'abc' });
  const facts = { sessionId, checkoutId: 'abc', orgId: 'ithaca', amount: 2500, currency: 'usd' };
  expect(await provider.payments.readSession(sessionId)).toMatchObject({
    ...facts,
    status: 'open',
    payerEmail: undefined,
  });
  await provider.pay(url);
  const payer = { payerEmail: 'payer@example.org', payerName: 'Paula Payer' };
  expect(await provider.payments.readSession(sessionId)).toMatchObject({ ...facts, ...payer, status: 'paid' });
  const otherPage = await openPage();
  await provider.expireSession(otherPage.url);
  expect(await provider.payments.readSession(otherPage.sessionId)).toMatchObject({ status: 'expired' });
});

test('a payment page offers three payment methods and one currency, and statements name the fund', async () => {
  const oneTimePage = await openPage();
  expect(await provider.stripe.checkout.sessions.retrieve(oneTimePage.sessionId)).toMatchObject({
    allowed_payment_method_types: ['card', 'us_bank_account', 'link'],
    adaptive_pricing: { enabled: false },
  });
  await provider.pay(oneTimePage.url);
  const charge = await provider.stripe.charges.retrieve(await provider.readChargeId(oneTimePage.url));
  expect(charge.calculated_statement_descriptor).toBe('SANDBOX* ITHACA');

  const recurring = { unit: 'month', count: 1 } as const;
  const lines = [
    { name: 'Parking', description: 'Once', amount: 500 },
    { name: 'Donation', description: 'A gift', amount: 2500, recurring },
  ];
  const monthlyPage = await openPage({ lines });
  await provider.pay(monthlyPage.url);
  const { subscription } = await provider.stripe.checkout.sessions.retrieve(monthlyPage.sessionId, {
    expand: ['subscription.items.data.price.product'],
  });
  const product = typeof subscription === 'object' ? subscription?.items.data[0]?.price.product : undefined;
  expect(product).toMatchObject({ name: 'Donation', statement_descriptor: 'ITHACA CLIMATE FUND' });
  expect(await provider.payments.readSessionLines(monthlyPage.sessionId)).toEqual(expect.arrayContaining(lines));
});

test.each([
  ['Ithaca Climate Fund', 'ITHACA', 'ITHACA CLIMATE FUND'],
  ['City of São Paulo Climate Fund', 'SAO PAULO', 'CITY OF SAO PAULO'],
  ['Schenectady’s “Green” <Fund>*', 'SCHENECTAD', 'SCHENECTADY S GREEN'],
  ['Llanfairpwllgwyngyllgogerych', 'LLANFAIRPW', 'LLANFAIRPWLLGWYNGYLLGO'],
  ['Ace', 'ACE', 'ACE CLIMATE GIFT'],
  ['東京 2030', 'GIFT', '2030 CLIMATE GIFT'],
])('%s appears as %s on card statements, and as %s for recurring gifts', (name, suffix, descriptor) => {
  expect(buildDescriptorSuffix(name)).toBe(suffix);
  expect(buildStatementDescriptor(name)).toBe(descriptor);
});

test('reads the next charge of a recurring gift until it’s canceled', async () => {
  const recurring = { unit: 'month', count: 1 } as const;
  const line = { name: 'Donation', description: 'A gift', amount: 2500, recurring };
  const expiresAt = new Date('2027-02-01T11:00:00Z');
  const paymentPage = await januaryProvider.payments.createSession(buildRequest({ lines: [line], expiresAt }));
  if (paymentPage instanceof Failure) throw paymentPage;
  const readFacts = async () => {
    const facts = await januaryProvider.payments.readSession(paymentPage.sessionId);
    if (facts instanceof Failure || facts === 'unknown') throw new Error('no facts');
    return facts;
  };
  expect((await readFacts()).nextChargeAt).toBeUndefined();
  await januaryProvider.pay(paymentPage.url);
  const { nextChargeAt, subscriptionId = '' } = await readFacts();
  expect(nextChargeAt).toEqual(new Date('2027-02-28T12:00:00Z'));
  await januaryProvider.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true });
  expect((await readFacts()).nextChargeAt).toBeUndefined();
  await januaryProvider.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: false });
  await januaryProvider.stripe.subscriptions.cancel(subscriptionId);
  expect((await readFacts()).nextChargeAt).toBeUndefined();
});

test('a recurring gift is canceled at the provider, and canceling again is harmless', async () => {
  const line = {
    name: 'Donation',
    description: 'A gift',
    amount: 2500,
    recurring: { unit: 'month', count: 1 } as const,
  };
  const { sessionId, url } = await openPage({ lines: [line] });
  await provider.pay(url);
  const facts = await provider.payments.readSession(sessionId);
  const subscriptionId = facts instanceof Failure || facts === 'unknown' ? '' : (facts.subscriptionId ?? '');
  expect((await provider.stripe.subscriptions.retrieve(subscriptionId)).status).toBe('active');
  for (let attempt = 0; attempt < 2; attempt += 1) {
    expect(await provider.payments.cancelSubscription(subscriptionId)).toBe('ended');
    expect((await provider.stripe.subscriptions.retrieve(subscriptionId)).status).toBe('canceled');
  }
  expect(await provider.payments.cancelSubscription('sub_of_nobody')).toBe('ended');
});

test('changing a recurring gift reports that it ended if it ends during the change', async () => {
  const recurring = { unit: 'month', count: 1 } as const;
  const { sessionId, url } = await openPage({
    lines: [{ name: 'Donation', description: 'A gift', amount: 2500, recurring }],
  });
  await provider.pay(url);
  const facts = await provider.payments.readSession(sessionId);
  const id = facts instanceof Failure || facts === 'unknown' ? '' : (facts.subscriptionId ?? '');
  const httpClient = Stripe.createFetchHttpClient(async (address, init) => {
    // Simulates a change between reading and updating.
    if (init?.method === 'POST') await provider.stripe.subscriptions.cancel(id);
    return fetch(address, init);
  });
  const racingPayments = createStripePayments({ ...provider.options, httpClient });
  expect(await racingPayments.changeSubscription(id, { paused: true })).toBe('ended');
});

test.each([
  ['es', 'es'],
  ['en', null],
] as const)('the page for changing the card uses the donor’s language %s', async (language, locale) => {
  const recurring = { unit: 'month', count: 1 } as const;
  const { sessionId, url } = await openPage({
    lines: [{ name: 'Donation', description: 'A gift', amount: 2500, recurring }],
  });
  await provider.pay(url);
  const facts = await provider.payments.readSession(sessionId);
  const id = facts instanceof Failure || facts === 'unknown' ? '' : (facts.subscriptionId ?? '');
  const responses: unknown[] = [];
  const httpClient = Stripe.createFetchHttpClient(async (address, init) => {
    const response = await fetch(address, init);
    if (response.url.endsWith('/billing_portal/sessions')) responses.push(await response.clone().json());
    return response;
  });
  const visit = { returnUrl: 'https://fund.example/back', language };
  await createStripePayments({ ...provider.options, httpClient }).openCardPage(id, visit);
  expect(responses).toMatchObject([{ locale, return_url: 'https://fund.example/back' }]);
});

test.each([
  ['needs_response', 1],
  ['warning_needs_response', 0],
  ['warning_closed', 0],
  ['prevented', 0],
])('only a bank inquiry that withholds money is a dispute: %s', async (status, disputes) => {
  const { url } = await openPage();
  await provider.pay(url);
  const charge = await provider.readChargeId(url);
  await provider.submitDashboardForm(`charges/${charge}`, { action: 'dispute' });
  const httpClient = Stripe.createFetchHttpClient(async (address, init) => {
    const response = await fetch(address, init);
    if (!response.url.includes('/v1/disputes')) return response;
    const list = (await response.json()) as { data: object[] };
    const overrides = disputes === 0 ? { balance_transactions: [] } : {};
    return Response.json({ ...list, data: list.data.map((dispute) => ({ ...dispute, ...overrides, status })) });
  });
  const chargeFacts = await createStripePayments({ ...provider.options, httpClient }).readCharge(charge);
  expect(chargeFacts).toMatchObject({ disputes: Array(disputes).fill({ status: 'open', amount: 2500 }) });
});

test('a closed page can’t be paid; closing a paid page leaves it paid', async () => {
  const { sessionId } = await openPage();
  for (let attempt = 0; attempt < 2; attempt += 1) {
    expect(await provider.payments.closeSession(sessionId)).toBe('closed');
    expect(await provider.payments.readSession(sessionId)).toMatchObject({ status: 'expired' });
  }
  const paidSession = await openPage();
  await provider.pay(paidSession.url);
  expect(await provider.payments.closeSession(paidSession.sessionId)).toBe('closed');
  expect(await provider.payments.readSession(paidSession.sessionId)).toMatchObject({ status: 'paid' });
  expect(await (await startFakeProvider(500, {})).closeSession(sessionId)).toMatchObject({
    code: 'payment-unavailable',
  });
});

test.each([
  [500, { error: { type: 'api_error', message: 'x' } }],
  [404, { message: 'proxy has no such route' }],
  [200, { object: 'subscription', id: 'sub_1', status: 'active' }],
])('a %i response of %j doesn’t mark a recurring gift as ended', async (status, body) => {
  const payments = await startFakeProvider(status, body);
  expect(await payments.cancelSubscription('sub_1')).toMatchObject({ code: 'payment-unavailable' });
});

test('the payment page shows the fund’s name', async () => {
  const { url } = await openPage();
  expect(await fetch(url).then((page) => page.text())).toContain('Ithaca Climate Fund');
});

test.each([
  ['a 404 without an error object', 404, { message: 'nothing here' }],
  ['an object with the right id that isn’t a session', 200, { id: 'cs_test_1', url: 'https://elsewhere.example' }],
  ['a page', 200, '<h1>Welcome</h1>'],
  ['another session', 200, { object: 'checkout.session', id: 'cs_test_2', status: 'complete', payment_status: 'paid' }],
  ['an error from a proxy', 503, { statusCode: 503, error: 'Service Unavailable', message: 'later' }],
  ['an internal error', 500, { error: { type: 'api_error', message: 'oh no' } }],
  ['a rate limit error', 429, { error: { type: 'invalid_request_error', message: 'slow down' } }],
])('the provider counts as unavailable after %s', async (_what, status, body) => {
  const payments = await startFakeProvider(status, body);
  expect(await payments.readSession('cs_test_1')).toMatchObject({ code: 'payment-unavailable' });
  expect(await payments.listEvents(clock.now(), async () => {})).toMatchObject({ code: 'payment-unavailable' });
});

const JSON_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';

test.each([
  ['never responds', '', ''],
  ['starts a response but never finishes its headers', 'HTTP/1.1 200 OK\r\n', 'x-more: 1\r\n'],
  ['starts a response but never finishes its body', JSON_HEAD, '1\r\n \r\n'],
])('times out when the provider %s', async (_what, firstChunk, nextChunk) => {
  const slowServer = net.createServer((socket) => {
    socket.write(firstChunk);
    const dripTimer = setInterval(() => socket.write(nextChunk), 20);
    socket.on('error', () => {}).on('data', () => {});
    socket.once('close', () => clearInterval(dripTimer));
  });
  await new Promise<void>((resolve) => slowServer.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void slowServer.close());
  const base = `http://127.0.0.1:${(slowServer.address() as AddressInfo).port}`;
  const payments = createStripePayments({ ...provider.options, apiBase: () => base, timeoutMs: 150 });
  const unavailable = { code: 'payment-unavailable' };
  expect(await payments.createSession(buildRequest())).toMatchObject(unavailable);
  expect(await payments.readSession('cs_test_1')).toMatchObject(unavailable);
  expect(await payments.listEvents(clock.now(), async () => {})).toMatchObject(unavailable);
});

test('a request that the provider rejects throws an error without the provider’s message', async () => {
  const error = {
    type: 'invalid_request_error',
    message: 'Invalid API Key: sk_test_of_the_tests',
    code: 'x',
    param: 'y',
  };
  const payments = await startFakeProvider(400, { error });
  const read = payments.readSession('cs_test_1');
  await expect(read).rejects.toThrow('"code":"x"');
  await expect(read).rejects.not.toThrow('sk_test');
});

test('lists all events since a given time across pages', async () => {
  clock.advance(DAY);
  const since = clock.now();
  const sessions: string[] = [];
  for (let n = 0; n < 105; n += 1) {
    const { url } = await openPage();
    await provider.expireSession(url);
    sessions.push(parseSessionId(url));
  }
  const pages: (readonly ProviderEvent[])[] = [];
  expect(await provider.payments.listEvents(since, async (page) => void pages.push(page))).toBe('complete');
  expect(pages.map(({ length }) => length)).toEqual([100, 5, 0]);
  const events = pages.flat().toReversed();
  expect(events.map(({ subject }) => subject)).toEqual(sessions.map((id) => ({ kind: 'session', id })));
  expect(events[0]).toMatchObject({ type: 'checkout.session.expired', occurredAt: since, livemode: false });
}, 60_000);

test('line items over the Checkout limit are merged into one with the same total', () => {
  const line = { name: 'Donation', description: 'A gift', amount: 100 };
  const { line_items = [] } = buildSessionRequest(
    buildRequest({ lines: Array.from({ length: 130 }, () => line) }),
    'ours',
  );
  expect(line_items).toHaveLength(100);
  expect(line_items.at(-1)?.price_data).toMatchObject({ unit_amount: 3100, product_data: { name: '31 more items' } });
  const sum = line_items.reduce((total, { price_data }) => total + (price_data?.unit_amount ?? 0), 0);
  expect(sum).toBe(13_000);
});

test.each([
  [200, { object: 'checkout.session' }, true],
  [404, { error: { type: 'invalid_request_error', code: 'resource_missing' } }, true],
  [500, { error: { type: 'api_error' } }, false],
])('response status %s determines whether the provider counts as up: %#', async (status, body, isUp) => {
  const calls: [string, number, boolean][] = [];
  const metrics = { serviceCall: (...call: [string, number, boolean]) => void calls.push(call) };
  const payments = await startFakeProvider(status, body, { metrics });
  await payments.readSession('cs_1');
  expect(calls).toEqual([['stripe', expect.any(Number), isUp]]);
});

test('an unreachable provider counts as down', async () => {
  const calls: boolean[] = [];
  const metrics = { serviceCall: (_service: string, _seconds: number, isUp: boolean) => void calls.push(isUp) };
  await createStripePayments({ ...provider.options, metrics, apiBase: () => 'http://127.0.0.1:9' }).readSession('cs_1');
  expect(calls).toEqual([false]);
});
