// @spec decisions.3
import { expect, test } from 'vitest';
import { GOOD_CARD, line, openReceiver, openSandbox, sessionRequest } from './open-sandbox.ts';

test('paying with 4242 4242 4242 4242 redirects to the merchant and sends the events of one payment', async () => {
  const receiver = await openReceiver();
  const { stripe, payByCard, handle } = await openSandbox({ receiver });
  const session = await stripe.checkout.sessions.create(
    sessionRequest({ payment_intent_data: { metadata: { org: 'flcf' } } }),
  );
  const page = await payByCard(session);
  expect(page).toMatchObject({ status: 303, location: `http://shop.test/thanks?session=${session.id}` });
  const paidSession = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent.latest_charge'] });
  expect(paidSession).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    url: null,
    amount_total: 2500,
    customer_details: { email: 'ann@example.org', name: 'Ann Lee' },
    payment_intent: {
      status: 'succeeded',
      amount_received: 2500,
      metadata: { org: 'flcf' },
      latest_charge: {
        status: 'succeeded',
        paid: true,
        payment_method_details: { card: { brand: 'visa', last4: '4242' } },
      },
    },
  });
  await handle.idle();
  expect(receiver.types()).toEqual([
    'charge.succeeded',
    'payment_intent.succeeded',
    'charge.updated',
    'checkout.session.completed',
  ]);
});

test('a double click and a second tab pay once, and both redirect', async () => {
  const receiver = await openReceiver();
  const { stripe, payByCard, handle } = await openSandbox({ receiver });
  const session = await stripe.checkout.sessions.create(sessionRequest());
  const pages = await Promise.all([
    payByCard(session),
    payByCard(session),
    payByCard(session, { number: '4000000000000002' }),
  ]);
  expect(new Set(pages.map(({ location }) => location))).toEqual(
    new Set([`http://shop.test/thanks?session=${session.id}`]),
  );
  await handle.idle();
  expect(receiver.types().filter((type) => type === 'checkout.session.completed')).toHaveLength(1);
  expect(receiver.types().filter((type) => type === 'charge.succeeded')).toHaveLength(1);
});

test.each([
  ['4000 0000 0000 0002', 'Your card was declined.'],
  ['4000 0000 0000 9995', 'Your card has insufficient funds. Try a different card.'],
  ['4111 1111 1111 1111', 'Your card was declined. Your request was in test mode, but used a non test card.'],
])(
  'the card %s is declined: the page shows why, keeps every other field, and can still be paid',
  async (number, message) => {
    const receiver = await openReceiver();
    const { stripe, payByCard, handle } = await openSandbox({ receiver });
    const session = await stripe.checkout.sessions.create(sessionRequest());
    const page = await payByCard(session, { number });
    expect(page).toMatchObject({ status: 200, location: null });
    expect(page.text).toContain(message);
    expect(page.text).toContain('value="ann@example.org"');
    expect(page.text).toContain('value="12 / 34"');
    expect(page.text).not.toContain(`value="${number}"`);
    expect(page.text).not.toContain('value="123"');
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
    });
    await handle.idle();
    expect(receiver.types()).toEqual(['charge.failed', 'payment_intent.payment_failed']);
    expect((await payByCard(session)).status).toBe(303);
  },
);

test('4000 0025 0000 3155 requires authentication and then pays', async () => {
  const { stripe, payByCard, get, post } = await openSandbox();
  const session = await stripe.checkout.sessions.create(sessionRequest());
  const response = await payByCard(session, { number: '4000002500003155' });
  expect(response).toMatchObject({ status: 303, location: `/sandbox/pay/${session.id}/authenticate` });
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
    status: 'open',
    payment_status: 'unpaid',
  });
  expect((await get(response.location ?? '')).text).toContain('Complete authentication');
  const finalResponse = await post(response.location ?? '', { outcome: 'complete' });
  expect(finalResponse.location).toBe(`http://shop.test/thanks?session=${session.id}`);
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
  });
});

test('a failed authentication pays nothing, and the page can be used again', async () => {
  const { stripe, payByCard, post } = await openSandbox();
  const session = await stripe.checkout.sessions.create(sessionRequest());
  await payByCard(session, { number: '4000002500003155' });
  const page = await post(`/sandbox/pay/${session.id}/authenticate`, { outcome: 'fail' });
  expect(page.text).toContain('We are unable to authenticate your payment method.');
  expect(page.text).toContain('value="ann@example.org"');
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
    status: 'open',
    payment_status: 'unpaid',
  });
});

test('an authentication without a request is rejected', async () => {
  const { stripe, get, post } = await openSandbox();
  const session = await stripe.checkout.sessions.create(sessionRequest());
  const address = `/sandbox/pay/${session.id}/authenticate`;
  expect(await get(address)).toMatchObject({ status: 303, location: `/sandbox/pay/${session.id}` });
  expect(await post(address, { outcome: 'complete' })).toMatchObject({
    status: 303,
    location: `/sandbox/pay/${session.id}`,
  });
  expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
});

test.each([
  ['number', '4242 4242 4242 4241', 'Your card number is invalid.'],
  ['number', '4242', 'Your card number is incomplete.'],
  ['number', 'four', 'Your card number is invalid.'],
  ['expiry', '12 / 20', 'Your card&#39;s expiration year is in the past.'],
  ['cvc', '12', 'Your card&#39;s security code is incomplete.'],
  ['email', 'ann', 'Your email is incomplete.'],
  ['name', ' ', 'Enter the name on the card.'],
])('an invalid %s (%s) has an error at its field and in the summary', async (name, value, message) => {
  const { stripe, payByCard } = await openSandbox();
  const session = await stripe.checkout.sessions.create(sessionRequest());
  const { text } = await payByCard(session, { [name]: value });
  expect(text).toContain(`<a href="#card-${name}">${message}</a>`);
  expect(text).toContain(`<p class="error" id="card-${name}-error">${message}</p>`);
  expect(text).toContain(`aria-describedby="card-${name}-error"`);
  expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
});

test('an expired session can’t be paid, shows a message, and sends an event', async () => {
  const receiver = await openReceiver();
  const clock = { now: new Date('2026-03-01T12:00:00Z') };
  const { stripe, get, payByCard, handle } = await openSandbox({ receiver, clock });
  const session = await stripe.checkout.sessions.create(sessionRequest());
  clock.now = new Date('2026-03-02T12:00:00Z');
  const page = await payByCard(session);
  expect(page).toMatchObject({ status: 303, location: `/sandbox/pay/${session.id}` });
  const pageHtml = await get(`/sandbox/pay/${session.id}`);
  expect(pageHtml.text).toContain('This payment page has expired');
  expect(pageHtml.text).toContain('href="http://shop.test/cart"');
  await handle.idle();
  expect(receiver.types()).toEqual(['checkout.session.expired']);
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
    status: 'expired',
    payment_status: 'unpaid',
  });
});

test('a paid session’s page shows that it is paid', async () => {
  const { stripe, get, payByCard } = await openSandbox();
  const session = await stripe.checkout.sessions.create(sessionRequest());
  await payByCard(session);
  const { text } = await get(`/sandbox/pay/${session.id}`);
  expect(text).toContain('This payment is complete');
  expect(text).toContain(`href="http://shop.test/thanks?session=${session.id}"`);
});

test('a recurring gift creates a customer, a subscription, and a paid first invoice', async () => {
  const receiver = await openReceiver();
  const { stripe, payByCard, get, handle } = await openSandbox({ receiver });
  const line_items = [line(2500, { interval: 'month', interval_count: 3 }), line(903, undefined, 'Car travel')];
  const session = await stripe.checkout.sessions.create(
    sessionRequest({ mode: 'subscription', line_items, subscription_data: { metadata: { checkoutId: 'abc' } } }),
  );
  const page = await get(`/sandbox/pay/${session.id}`);
  expect(page.text).toContain('Then $25.00 every 3 months, until you cancel.');
  await payByCard(session);
  const paidSession = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['subscription', 'invoice', 'customer'],
  });
  expect(paidSession).toMatchObject({
    payment_status: 'paid',
    payment_intent: null,
    customer: { email: 'ann@example.org' },
    subscription: {
      status: 'active',
      metadata: { checkoutId: 'abc' },
      items: { data: [{ price: { unit_amount: 2500 } }] },
    },
    invoice: {
      status: 'paid',
      amount_paid: 3403,
      billing_reason: 'subscription_create',
      lines: { data: [{ amount: 2500 }, { amount: 903 }] },
    },
  });
  await handle.idle();
  expect(receiver.types()).toEqual(
    expect.arrayContaining(['customer.subscription.created', 'invoice.paid', 'checkout.session.completed']),
  );
});

test('hostile names are escaped', async () => {
  const { stripe, get, payByCard } = await openSandbox();
  const markup = `"><script>alert('1')</script>`;
  const escapedMarkup = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;';
  const session = await stripe.checkout.sessions.create(
    sessionRequest({
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency: 'usd',
            unit_amount: 500,
            product_data: { name: markup, description: `d${markup}` },
          },
        },
      ],
      branding_settings: { display_name: `m${markup}` },
      custom_text: { submit: { message: `c${markup}` } },
    }),
  );
  const pages = [
    await get(`/sandbox/pay/${session.id}`),
    await payByCard(session, { name: `n${markup}`, number: '1' }),
  ];
  for (const { text } of pages) {
    expect(text).not.toMatch(/<script/i);
    for (const prefix of ['', 'd', 'm', 'c']) expect(text).toContain(prefix + escapedMarkup);
  }
  expect(pages[1]?.text).toContain(`value="n${escapedMarkup}"`);
});

test('every page is labeled as the sandbox, forbids scripts, and allows the redirect to the merchant', async () => {
  const { stripe, get } = await openSandbox();
  const session = await stripe.checkout.sessions.create(sessionRequest());
  for (const path of [`/sandbox/pay/${session.id}`, '/sandbox/debits', '/sandbox/pay/cs_test_none']) {
    const page = await get(path);
    expect(page.text).toContain('Sandbox – no money moves');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'self'");
    expect(page.text).not.toMatch(/<style|style=|<script|onclick/);
  }
  const { headers } = await get(`/sandbox/pay/${session.id}`);
  expect(headers.get('content-security-policy')).toContain("form-action 'self' http://shop.test;");
});

test('the form fields have autocomplete attributes', async () => {
  const { stripe, get } = await openSandbox();
  const { id } = await stripe.checkout.sessions.create(sessionRequest({ customer_email: 'known@example.org' }));
  const { text } = await get(`/sandbox/pay/${id}`);
  for (const hint of ['cc-number', 'cc-exp', 'cc-csc', 'cc-name', 'email'])
    expect(text).toContain(`autocomplete="${hint}"`);
  expect(text).toMatch(/name="email"[^>]*value="known@example.org"[^>]*readonly/);
  const filledPage = await get(`/sandbox/pay/${id}?fill=4242424242424242`);
  expect(filledPage.text).toContain('value="4242 4242 4242 4242"');
  expect((await get(`/sandbox/pay/${id}?fill=4111111111111111`)).text).not.toContain('value="4111');
});

test('the page can’t change an email set by the session', async () => {
  const { stripe, payByCard } = await openSandbox();
  const session = await stripe.checkout.sessions.create(sessionRequest({ customer_email: 'known@example.org' }));
  await payByCard(session, { ...GOOD_CARD, email: 'other@example.org' });
  const paidSession = await stripe.checkout.sessions.retrieve(session.id);
  expect(paidSession.customer_details?.email).toBe('known@example.org');
});

test('only the last four digits of a card are stored', async () => {
  const { stripe, payByCard } = await openSandbox();
  const session = await stripe.checkout.sessions.create(sessionRequest());
  await payByCard(session, { number: '4000 0025 0000 3155' });
  const storedData = JSON.stringify([
    await stripe.events.list({ limit: 100 }),
    await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] }),
  ]);
  expect(storedData).not.toContain('400000250000');
  expect(storedData).not.toContain('4000 0025');
});

test('a Spanish payment page shows errors in Spanish too', async () => {
  const { stripe, get, payByCard } = await openSandbox();
  const session = await stripe.checkout.sessions.create(sessionRequest({ locale: 'es' }));
  const { text } = await get(session.url ?? '');
  expect(text).toContain('<html lang="es">');
  for (const phrase of ['Pagar con tarjeta', 'Número de tarjeta', 'Cancelar y volver']) expect(text).toContain(phrase);
  const declinedPage = await payByCard(session, { number: '4000000000000002' });
  expect(declinedPage.text).toContain('Su tarjeta fue rechazada.');
});
