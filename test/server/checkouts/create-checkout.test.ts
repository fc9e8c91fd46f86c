// @spec 1.visitors 5.cart 7.create-checkout decisions.2 decisions.3 decisions.6
import Fastify from 'fastify';
import type Stripe from 'stripe';
import { expect, onTestFinished, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import { donationItem, offsetItem } from '#domain/cart.ts';
import { OFFSET_TYPES } from '#domain/emissions.ts';
import { createStripePayments } from '#server/gateways/payments/stripe-payments.ts';
import { buildTestApp } from '#test/support/build-app.ts';
import { call } from '#test/support/call.ts';
import { listenLocally, parseSessionId } from '#test/support/card-provider.ts';
import { MINUTE } from '#test/support/clock.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';
import { createFailingDatabase } from '#test/support/failing-database.ts';

const setup: DonationSetup = await startDonationSetup();
const { db, provider } = setup;
const path = `/api/orgs/${setup.orgId}/checkouts`;

function createCheckout(cart: unknown) {
  return setup.call('POST', path, { cart });
}

async function countCheckouts(): Promise<number> {
  const rows = await db.kysely.selectFrom('checkouts').select('id').execute();
  return rows.length;
}

const donation = { type: 'donation', cost: 25 };
const flight = { type: 'offset', offsetType: 'air', carbon: 121.7, cost: 1.5213 };

test('the hosted payment page lists every item with its price', async () => {
  const { paymentUrl, id } = await setup.openCheckout([offsetItem('air', 3864), donationItem(25, 'month', 2)]);
  const session = await provider.stripe.checkout.sessions.retrieve(parseSessionId(paymentUrl), {
    expand: ['line_items'],
  });
  expect(session).toMatchObject({
    amount_total: 7330,
    currency: 'usd',
    client_reference_id: id,
    metadata: { checkoutId: id, orgId: setup.orgId },
    success_url: `https://fund.example/orgs/${setup.orgId}/checkouts/${id}`,
    cancel_url: `https://fund.example/orgs/${setup.orgId}?cancelled=${id}`,
  });
  expect(session.line_items?.data.map(({ description, amount_total }) => [description, amount_total])).toEqual([
    ['Donation', 2500],
    ['Air travel', 4830],
  ]);
});

const ENGLISH_LINES = [
  ['Air travel', 'Offset 3,864 lbs carbon'],
  ['Card fee', 'Covers the card fee, so your whole gift goes to homes'],
];
const SPANISH_LINES = [
  ['Viaje en avión', 'Compensa 3,864 lb de carbono'],
  ['Comisión de la tarjeta', 'Cubre la comisión de la tarjeta para que toda su donación llegue a los hogares'],
];

test.each([
  ['es', 'es', 'es', '/es/orgs', SPANISH_LINES],
  ['en', null, null, '/orgs', ENGLISH_LINES],
  ['es-MX,es;q=0.9', null, null, '/orgs', ENGLISH_LINES],
])(
  'a checkout in %s keeps its language on the payment page and on return',
  async (language, storedLanguage, locale, orgsPath, lines) => {
    const body = { cart: [offsetItem('air', 3864)], coversFee: true };
    const response = await call(setup.app, 'createCheckout', { params: { orgid: setup.orgId }, body, language });
    const { id, url } = response.json<{ id: string; url: string }>();
    const row = await db.kysely.selectFrom('checkouts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(row.language).toBe(storedLanguage);
    // The books and exports are in English.
    expect(row.cart).toMatchObject([{ title: 'Air travel', description: 'Offset 3,864 lbs carbon' }]);
    const session = await provider.stripe.checkout.sessions.retrieve(parseSessionId(url), {
      expand: ['line_items.data.price.product'],
    });
    const products = session.line_items?.data.map(({ price }) => price?.product as Stripe.Product);
    expect(products?.map(({ name, description }) => [name, description])).toEqual(lines);
    expect(session).toMatchObject({
      locale,
      // The disclosure required by 16 CFR 260.5(b), next to the pay button.
      custom_text: {
        submit: {
          message: expect.stringMatching(storedLanguage === 'es' ? /unos 20 años/ : /about 20 years: about 10%/),
        },
      },
      success_url: `https://fund.example${orgsPath}/${setup.orgId}/checkouts/${id}`,
      cancel_url: `https://fund.example${orgsPath}/${setup.orgId}?cancelled=${id}`,
    });
  },
);

test('a donation’s page doesn’t mention when pounds are saved', async () => {
  const { url } = (await createCheckout([donation])).json<{ id: string; url: string }>();
  const { custom_text: text } = await provider.stripe.checkout.sessions.retrieve(parseSessionId(url));
  expect(text.submit).toBeNull();
});

test('the response includes the checkout’s id along with its page', async () => {
  const { id, url } = (await createCheckout([donation])).json<{ id: string; url: string }>();
  expect(await setup.readCheckout(id)).toMatchObject({ id, paymentStatus: 'unpaid', paymentURL: url });
});

test('only the browser that opened a checkout can read its donor details and receipt', async () => {
  const headers = { 'x-requested-with': 'test' };
  const payload = { cart: [donationItem(25, 'month')] };
  const firstResponse = await setup.app.inject({ method: 'POST', url: path, headers, payload });
  const setCookie = String(firstResponse.headers['set-cookie']);
  expect(setCookie).toMatch(/^__Host-fund\.browser=.*; HttpOnly/);
  const cookie = setCookie.split(';')[0] ?? '';
  const { id, url } = firstResponse.json<{ id: string; url: string }>();
  const readAs = async (requestHeaders: Record<string, string>) => {
    const address = callPath('readCheckout', { orgid: setup.orgId, checkoutid: id });
    return (await setup.app.inject({ url: address, headers: requestHeaders })).json<Checkout>();
  };
  expect(await readAs({ cookie })).not.toHaveProperty('donor');
  await provider.pay(url);
  await provider.deliverEvents();
  expect((await readAs({ cookie })).donor).toEqual({
    name: expect.any(String),
    maskedEmail: expect.stringMatching(/^\S\*{3}@\S+$/),
    receiptNumber: expect.any(Number),
    receiptURL: callPath('openCheckoutReceipt', { orgid: setup.orgId, checkoutid: id }),
    nextChargeOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  });
  const openReceipt = (requestHeaders: Record<string, string>) =>
    setup.app.inject({
      url: callPath('openCheckoutReceipt', { orgid: setup.orgId, checkoutid: id }),
      headers: requestHeaders,
    });
  const pdf = await openReceipt({ cookie });
  expect([pdf.statusCode, pdf.headers['content-type']]).toEqual([200, 'application/pdf']);
  for (const otherHeaders of [{}, { cookie: '__Host-fund.browser=someone-else' }]) {
    expect(await readAs(otherHeaders)).not.toHaveProperty('donor');
    expect((await openReceipt(otherHeaders)).statusCode).toBe(404);
  }
  // A second checkout in the same browser keeps the cookie.
  const secondResponse = await setup.app.inject({
    method: 'POST',
    url: path,
    headers: { ...headers, cookie },
    payload,
  });
  expect(String(secondResponse.headers['set-cookie'])).toContain(cookie);
});

test('the hosted payment page expires before the checkout', async () => {
  const { paymentUrl } = await setup.openCheckout();
  const session = await provider.stripe.checkout.sessions.retrieve(parseSessionId(paymentUrl));
  const expiresAt = setup.clock.now().getTime() / 1000 + 86_400;
  expect(session.expires_at).toBeLessThan(expiresAt);
  expect(session.expires_at).toBeGreaterThan(expiresAt - 600);
});

test.each([-10, 10])(
  'with our clock %i minutes ahead, checkouts open once the difference is known',
  async (minutes) => {
    const now = () => new Date(setup.clock.now().getTime() + minutes * MINUTE);
    const payments = createStripePayments({ ...provider.options, now });
    const app = await buildTestApp({ ...setup.deps, payments, now });
    const openCheckout = () =>
      app.inject({
        method: 'POST',
        url: path,
        headers: { 'x-requested-with': 'test' },
        payload: { cart: [donation] },
      });
    await payments.readSession('cs_unknown');
    const { url } = (await openCheckout()).json<{ url: string }>();
    const session = await provider.stripe.checkout.sessions.retrieve(parseSessionId(url));
    expect(session.expires_at - setup.clock.now().getTime() / 1000).toBe(86_400 - 300);
  },
);

test.each([
  ['en', 'server’s clock is wrong'],
  ['es', 'reloj de nuestro servidor'],
])('a session that the provider rejects because of our clock is a temporary failure (%s)', async (language, words) => {
  const now = () => new Date(setup.clock.now().getTime() + 10 * MINUTE);
  const payments = createStripePayments({ ...provider.options, now });
  const app = await buildTestApp({ ...setup.deps, payments, now });
  const response = await app.inject({
    method: 'POST',
    url: path,
    headers: { 'x-requested-with': 'test', 'accept-language': language },
    payload: { cart: [donation] },
  });
  expect(response.json()).toMatchObject({ status: 503, code: 'clock-wrong', detail: expect.stringContaining(words) });
  expect(response.headers['retry-after']).toBe('10');
});

// @asvs 15.3.3
test('submitted titles and descriptions are ignored', async () => {
  const response = await createCheckout([{ ...donation, title: 'Free holiday', description: 'Paid by you' }]);
  expect(response.statusCode).toBe(200);
  const { cart } = await db.kysely
    .selectFrom('checkouts')
    .select('cart')
    .where('payment_url', '=', response.json().url)
    .executeTakeFirstOrThrow();
  expect(cart).toEqual([
    {
      title: 'Donation',
      description: 'Donation to carbon offset program',
      type: 'donation',
      cost: 25,
      carbon: 0,
      recurring: 'no',
    },
  ]);
});

// @asvs 2.2.2
test.each([
  ['an empty cart', [], 'The cart is empty.'],
  ['less than $5', [{ ...donation, cost: 4 }], '$5 minimum to checkout'],
  ['a flight that is $1 too cheap', [donation, { ...flight, cost: 0.5213 }], 'Air travel costs $1.5213, not $0.5213'],
  ['a price rounded to cents', [donation, { ...flight, cost: 1.52 }], 'Air travel costs $1.5213, not $1.52'],
  ['a zero-carbon offset', [donation, { type: 'offset', offsetType: 'car', cost: 0.01 }], 'Car travel offsets no'],
  [
    'an offset of an unknown kind',
    [donation, { ...flight, offsetType: undefined }],
    `An offset must have one of these types: ${OFFSET_TYPES.slice(0, -1).join(', ')}, or ${OFFSET_TYPES.at(-1)}.`,
  ],
  ['a donation with carbon', [{ ...donation, carbon: 5 }], 'A donation offsets no carbon'],
  ['half a dollar', [{ ...donation, cost: 25.5 }], 'Donation must be a whole number of dollars'],
  [
    'two intervals',
    [
      { ...donation, recurring: 'month' },
      { ...donation, recurring: 'year' },
    ],
    'Monthly and yearly gifts can’t be paid together.',
  ],
  ['every 37 months', [{ ...donation, recurring: 'month', recurringInterval: 37 }], 'every 1 to 36 months'],
  ['every 2 years', [{ ...donation, recurring: 'year', recurringInterval: 2 }], 'its interval must be 1'],
  ['an interval for a one-time item', [{ ...donation, recurringInterval: 3 }], 'Donation doesn’t recur'],
  ['more than a card can be charged', [{ ...donation, cost: 1_000_000 }], 'A checkout can be at most $999,999.99'],
])('a cart with %s is rejected with a 422 and a sentence', async (_title, cart, sentence) => {
  const initialCount = await countCheckouts();
  const response = await createCheckout(cart);
  expect(response.statusCode).toBe(422);
  expect(response.json().detail).toContain(sentence);
  expect(response.headers['content-type']).toContain('application/problem+json');
  expect(await countCheckouts()).toBe(initialCount);
});

test.each([
  ['an unknown field', [{ ...donation, discount: 5 }], 'discount'],
  ['a negative number', [{ ...donation, cost: -5 }], 'cost must be at least 0'],
  ['a huge number', [{ ...donation, cost: 1e300 }], 'cost can be at most'],
  ['a number as text', [{ ...donation, cost: '25' }], 'cost must be a number'],
  ['no cost', [{ type: 'donation' }], 'cost is required'],
  ['null', [{ ...donation, cost: null }], 'cost must be a number'],
  ['five decimals', [{ ...flight, carbon: 121.70001 }], 'at most 4 decimal places'],
  ['an unknown type', [{ ...donation, type: 'gift' }], 'type must be one of'],
  ['101 items', Array.from({ length: 101 }, () => donation), 'at most 100'],
  ['an object instead of a list', { 0: donation }, 'cart must be a list'],
])('a cart with %s is rejected with a 400 and a sentence', async (_title, cart, sentence) => {
  const response = await createCheckout(cart);
  expect(response.statusCode).toBe(400);
  expect(response.json().detail).toContain(sentence);
});

test.each([
  ['a cost that does not match its carbon', { ...flight, cost: 1 }, 'cart.1.cost'],
  ['a donation with carbon', { ...donation, carbon: 5 }, 'cart.1.carbon'],
  ['an offset without a type', { ...flight, offsetType: undefined }, 'cart.1.offsetType'],
  [
    'an interval that is too long',
    { ...donation, recurring: 'month', recurringInterval: 37 },
    'cart.1.recurringInterval',
  ],
])('the error for %s identifies the item’s index and field', async (_what, item, field) => {
  expect((await createCheckout([donation, item])).json()).toMatchObject({ status: 422, field });
});

test('the error for a second recurring interval points to its item, and for a cart below the minimum to the cart', async () => {
  const monthly = { ...donation, recurring: 'month' };
  expect((await createCheckout([monthly, donation, { ...donation, recurring: 'year' }])).json().field).toBe(
    'cart.2.recurring',
  );
  expect((await createCheckout([{ ...donation, cost: 1 }])).json().field).toBe('cart');
});

test('NaN is rejected as invalid JSON', async () => {
  const response = await setup.app.inject({
    method: 'POST',
    url: path,
    headers: { 'x-requested-with': 'test', 'content-type': 'application/json' },
    payload: '{"cart":[{"type":"donation","cost":NaN}]}',
  });
  expect(response.statusCode).toBe(400);
  expect(response.json().detail).toBe('The request isn’t valid JSON.');
});

test('a checkout without a body or our header is rejected', async () => {
  expect((await setup.call('POST', path)).json()).toMatchObject({ status: 400, code: 'no-data' });
  const responseWithoutHeader = await setup.app.inject({ method: 'POST', url: path, payload: { cart: [donation] } });
  expect(responseWithoutHeader.json()).toMatchObject({ status: 400, code: 'missing-requested-with' });
});

test('a checkout in an unknown organization is not found', async () => {
  const response = await setup.call('POST', '/api/orgs/nowhere/checkouts', { cart: [donation] });
  expect(response.json()).toMatchObject({ status: 404, code: 'org-not-found' });
});

// @asvs 16.5.2
test.each([
  ['is unreachable', 'http://127.0.0.1:1'],
  ['returns another site’s page', undefined],
])('if the provider %s, the response asks the visitor to try again', async (_title, address) => {
  const apiBase = address ?? (await startUnrelatedServer());
  const payments = createStripePayments({ ...provider.options, apiBase: () => apiBase });
  const app = await buildTestApp({ ...setup.deps, payments });
  const response = await app.inject({
    method: 'POST',
    url: path,
    headers: { 'x-requested-with': 'test' },
    payload: { cart: [donation] },
  });
  expect(response.json()).toMatchObject({ status: 503, code: 'payment-unavailable' });
  expect(response.json().detail).toContain('Your cart is saved');
});

test.each([
  ['was committed', true],
  ['was not committed', false],
])('creates one checkout if the commit’s response is lost (it %s)', async (_how, isCommitted) => {
  const initialCount = await countCheckouts();
  const app = await buildTestApp({ ...setup.deps, db: createFailingDatabase(db, isCommitted) });
  const response = await app.inject({
    method: 'POST',
    url: path,
    headers: { 'x-requested-with': 'test' },
    payload: { cart: [donation] },
  });
  expect(response.statusCode).toBe(200);
  expect(await countCheckouts()).toBe(initialCount + 1);
  expect(await setup.readCheckout(response.json<{ id: string }>().id)).toMatchObject({
    paymentStatus: 'unpaid',
    total: 25,
  });
});

/** A server whose 404 response doesn't mention an error, which the SDK treats as success. */
async function startUnrelatedServer(): Promise<string> {
  const app = Fastify();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.setNotFoundHandler((_request, reply) => reply.status(404).send({ message: 'nothing here' }));
  onTestFinished(() => app.close());
  return listenLocally(app);
}

test('a hundred one-time items fit on one page', async () => {
  const cart = Array.from({ length: 100 }, () => donationItem(1));
  const { paymentUrl } = await setup.openCheckout(cart);
  const session = await provider.stripe.checkout.sessions.retrieve(parseSessionId(paymentUrl));
  expect(session.amount_total).toBe(10_000);
});

test('a recurring cart merges items beyond twenty into one line per kind, with the same sum', async () => {
  const monthly = Array.from({ length: 30 }, () => donationItem(2, 'month'));
  const oneTime = Array.from({ length: 25 }, () => donationItem(1));
  const { paymentUrl } = await setup.openCheckout([...monthly, ...oneTime]);
  const session = await provider.stripe.checkout.sessions.retrieve(parseSessionId(paymentUrl));
  expect(session).toMatchObject({ mode: 'subscription', amount_total: 8500 });
  const lines = await provider.stripe.checkout.sessions.listLineItems(session.id, { limit: 100 });
  expect(lines.data.length).toBe(40);
  expect(
    lines.data.filter(({ description }) => description === '11 more items').map((line) => line.amount_total),
  ).toEqual([2200]);
  expect(
    lines.data.filter(({ description }) => description === '6 more items').map((line) => line.amount_total),
  ).toEqual([600]);
});
