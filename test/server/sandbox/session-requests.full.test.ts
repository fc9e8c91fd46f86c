import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { line, openSandbox, sessionRequest } from './open-sandbox.ts';

type Request = Stripe.Checkout.SessionCreateParams;
type Lines = NonNullable<Request['line_items']>;
type ExpectedError = { readonly param?: string; readonly code?: string; readonly message: RegExp };

const ONE_LINE = line(2500);
const customLines = (priceData: object): Lines => [
  { ...ONE_LINE, price_data: { currency: 'usd', unit_amount: 2500, product_data: { name: 'Gift' }, ...priceData } },
];
const monthlyRequest = (count: number): Request => ({
  mode: 'subscription',
  line_items: [line(2500, { interval: 'month', interval_count: count })],
});
const oneHourFromNow = (): number => Math.floor(Date.now() / 1000) + 3600;
const repeatLine = (count: number): Lines => Array.from({ length: count }, () => ONE_LINE);

const INVALID_REQUESTS: readonly (readonly [string, object, ExpectedError])[] = [
  [
    'an unknown parameter',
    { color: 'green' },
    { param: 'color', code: 'parameter_unknown', message: /Received unknown parameter: color/ },
  ],
  [
    'a nested unknown parameter',
    { line_items: customLines({ color: 'green' }) },
    { param: 'line_items[0][price_data][color]', code: 'parameter_unknown', message: /unknown parameter/ },
  ],
  [
    'no success_url',
    { success_url: undefined },
    { param: 'success_url', code: 'parameter_missing', message: /Missing required param: success_url/ },
  ],
  [
    'no mode',
    { mode: undefined },
    { param: 'mode', code: 'parameter_missing', message: /Missing required param: mode/ },
  ],
  ['no line items', { line_items: [] }, { param: 'line_items', message: /Missing required param/ }],
  ['an unknown mode', { mode: 'gift' }, { param: 'mode', message: /must be one of payment, setup or subscription/ }],
  [
    'an empty string',
    { success_url: '' },
    { param: 'success_url', code: 'parameter_invalid_empty', message: /empty string for 'success_url'/ },
  ],
  [
    'a URL without a scheme',
    { success_url: 'shop.test/thanks' },
    { param: 'success_url', code: 'url_invalid', message: /explicit scheme/ },
  ],
  [
    'a javascript: URL',
    { cancel_url: 'javascript:alert(1)' },
    { param: 'cancel_url', code: 'url_invalid', message: /Not a valid URL/ },
  ],
  [
    'an invalid statement suffix',
    { payment_intent_data: { statement_descriptor_suffix: 'GIFT*' } },
    { param: 'payment_intent_data[statement_descriptor_suffix]', message: /Invalid statement descriptor/ },
  ],
  [
    'only payment methods the account lacks',
    { allowed_payment_method_types: ['klarna'] },
    { param: 'allowed_payment_method_types', message: /none of these is allowed/ },
  ],
  [
    'an unknown product',
    { line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: 2500, product: 'prod_1' } }] },
    { param: 'line_items[0][price_data][product]', code: 'resource_missing', message: /No such product/ },
  ],
  [
    'a fraction of a cent',
    { line_items: customLines({ unit_amount: 12.5 }) },
    {
      param: 'line_items[0][price_data][unit_amount]',
      code: 'parameter_invalid_integer',
      message: /Invalid integer: 12.5/,
    },
  ],
  [
    'an amount in exponential notation',
    { line_items: customLines({ unit_amount: '2e3' }) },
    { param: 'line_items[0][price_data][unit_amount]', message: /Invalid integer: 2e3/ },
  ],
  [
    'a negative amount',
    { line_items: customLines({ unit_amount: -1 }) },
    { param: 'line_items[0][price_data][unit_amount]', message: /greater than or equal to 0/ },
  ],
  [
    'no amount',
    { line_items: customLines({ unit_amount: undefined }) },
    { param: 'line_items[0][price_data][unit_amount]', message: /Missing required param/ },
  ],
  [
    'no currency',
    { line_items: customLines({ currency: undefined }) },
    { param: 'line_items[0][price_data][currency]', message: /Missing required param/ },
  ],
  [
    'an unknown currency',
    { line_items: customLines({ currency: 'pounds' }) },
    { param: 'line_items[0][price_data][currency]', message: /Invalid currency: pounds/ },
  ],
  [
    'two currencies',
    { line_items: [ONE_LINE, ...customLines({ currency: 'eur' })] },
    { param: 'line_items', message: /same currency/ },
  ],
  [
    'a quantity of zero',
    { line_items: [{ ...ONE_LINE, quantity: 0 }] },
    { param: 'line_items[0][quantity]', message: /greater than or equal to 1/ },
  ],
  [
    'no quantity',
    { line_items: [{ price_data: ONE_LINE.price_data }] },
    { param: 'line_items[0][quantity]', message: /Quantity is required/ },
  ],
  [
    'an unknown price',
    { line_items: [{ price: 'price_1', quantity: 1 }] },
    { param: 'line_items[0][price]', code: 'resource_missing', message: /No such price: 'price_1'/ },
  ],
  [
    'an unknown customer',
    { customer: 'cus_1' },
    { param: 'customer', code: 'resource_missing', message: /No such customer: 'cus_1'/ },
  ],
  [
    'less than half a dollar',
    { line_items: [line(49)] },
    { param: 'line_items', code: 'amount_too_small', message: /at least 50 cents/ },
  ],
  [
    'a million dollars',
    { line_items: [line(99_999_999), line(1)] },
    { param: 'line_items', code: 'amount_too_large', message: /no more than/ },
  ],
  ['101 lines', { line_items: repeatLine(101) }, { param: 'line_items', message: /at most 100/ }],
  [
    'a recurring price in payment mode',
    { line_items: [line(2500, { interval: 'month' })] },
    { param: 'mode', message: /passed a recurring price/ },
  ],
  [
    'no recurring price in subscription mode',
    { mode: 'subscription' },
    { param: 'line_items', message: /at least one recurring price/ },
  ],
  [
    'two intervals',
    { mode: 'subscription', line_items: [line(2500, { interval: 'month' }), line(2500, { interval: 'year' })] },
    { param: 'line_items', message: /different billing intervals/ },
  ],
  [
    'the same interval with two counts',
    {
      mode: 'subscription',
      line_items: [line(2500, { interval: 'month' }), line(2500, { interval: 'month', interval_count: 2 })],
    },
    { param: 'line_items', message: /different billing intervals/ },
  ],
  [
    'an interval of more than three years',
    monthlyRequest(37),
    { param: 'line_items[0][price_data][recurring][interval_count]', message: /three years/ },
  ],
  [
    'an interval of zero months',
    monthlyRequest(0),
    { param: 'line_items[0][price_data][recurring][interval_count]', message: /greater than or equal to 1/ },
  ],
  [
    'payment data in subscription mode',
    { ...monthlyRequest(1), payment_intent_data: { description: 'x' } },
    { param: 'payment_intent_data', message: /can not pass/ },
  ],
  [
    'subscription data in payment mode',
    { subscription_data: { description: 'x' } },
    { param: 'subscription_data', message: /can not pass/ },
  ],
  [
    'an expiration in ten minutes',
    { expires_at: oneHourFromNow() - 3000 },
    { param: 'expires_at', message: /at least 30 minutes/ },
  ],
  [
    'an expiration in two days',
    { expires_at: oneHourFromNow() + 172_800 },
    { param: 'expires_at', message: /less than 24 hours/ },
  ],
  [
    '51 keys of metadata',
    { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, 'v'])) },
    { param: 'metadata', message: /up to 50 keys/ },
  ],
  ['a key of 41 characters', { metadata: { ['k'.repeat(41)]: 'v' } }, { param: 'metadata', message: /40 characters/ }],
  [
    'a value of 501 characters',
    { metadata: { k: 'v'.repeat(501) } },
    { param: 'metadata', message: /500 characters.*501/ },
  ],
  [
    'a reference of 201 characters',
    { client_reference_id: 'r'.repeat(201) },
    { param: 'client_reference_id', message: /at most 200/ },
  ],
  [
    'an invalid email',
    { customer_email: 'ann' },
    { param: 'customer_email', code: 'email_invalid', message: /Invalid email address/ },
  ],
  [
    'a parameter that the sandbox would ignore',
    { allow_promotion_codes: true },
    { param: 'allow_promotion_codes', message: /sandbox does not support/ },
  ],
  [
    'a trial, which would change the amount due now',
    { ...monthlyRequest(1), subscription_data: { trial_period_days: 30 } },
    { param: 'subscription_data[trial_period_days]', message: /sandbox does not support/ },
  ],
];

test.each(INVALID_REQUESTS)('a session with %s is rejected', async (_what, overrides, { param, code, message }) => {
  const { stripe } = await openSandbox();
  const creation = stripe.checkout.sessions.create(sessionRequest(overrides as Request));
  await expect(creation).rejects.toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
  await expect(creation).rejects.toMatchObject({
    param,
    ...(code === undefined ? {} : { code }),
    message: expect.stringMatching(message),
  });
  expect((await stripe.checkout.sessions.list()).data).toEqual([]);
});

test('the largest allowed session is created', async () => {
  const { stripe } = await openSandbox();
  const session = await stripe.checkout.sessions.create(
    sessionRequest({ line_items: repeatLine(100), metadata: { k: 'v'.repeat(500) } }),
  );
  expect(session).toMatchObject({ status: 'open', payment_status: 'unpaid', amount_total: 250_000, currency: 'usd' });
});

test.each([1, 36])('a gift every %i months is allowed, together with one-time lines', async (count) => {
  const { stripe } = await openSandbox();
  const request = monthlyRequest(count);
  const session = await stripe.checkout.sessions.create(
    sessionRequest({ ...request, line_items: [...(request.line_items ?? []), line(903)] }),
  );
  expect(session).toMatchObject({ mode: 'subscription', amount_total: 3403, payment_intent: null, subscription: null });
});

test('an amount with fractional cents is multiplied first and rounded once', async () => {
  const { stripe } = await openSandbox();
  const price = {
    currency: 'usd',
    unit_amount_decimal: Stripe.Decimal.from('0.335'),
    product_data: { name: 'Pound of carbon' },
  };
  const session = await stripe.checkout.sessions.create(
    sessionRequest({ line_items: [{ quantity: 201, price_data: price }] }),
  );
  expect(session.amount_total).toBe(67);
});

test('an open session has the URL of its page and keeps its metadata', async () => {
  const { stripe, base } = await openSandbox();
  const metadata = { checkoutId: 'abc', empty: '' };
  const { id } = await stripe.checkout.sessions.create(
    sessionRequest({ metadata, client_reference_id: 'ref', submit_type: 'donate' }),
  );
  const session = await stripe.checkout.sessions.retrieve(id);
  expect(session).toMatchObject({
    url: `${base}/sandbox/pay/${id}`,
    client_reference_id: 'ref',
    submit_type: 'donate',
    livemode: false,
  });
  expect(session.metadata).toEqual({ checkoutId: 'abc' });
});
