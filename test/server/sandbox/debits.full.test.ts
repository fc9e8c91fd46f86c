// @spec decisions.3
import { expect, test } from 'vitest';
import { line, openReceiver, openSandbox, sessionRequest } from './open-sandbox.ts';

const ACCOUNT_HOLDER = { method: 'us_bank_account', email: 'ann@example.org', name: 'Ann Lee' };

/** Opens a session and pays it with a bank debit that is still pending. */
async function openPendingDebit(mode: 'payment' | 'subscription' = 'payment') {
  const receiver = await openReceiver();
  const sandbox = await openSandbox({ receiver });
  const line_items = [mode === 'payment' ? line(2500) : line(2500, { interval: 'month' })];
  const session = await sandbox.stripe.checkout.sessions.create(sessionRequest({ mode, line_items }));
  const page = await sandbox.post(`/sandbox/pay/${session.id}`, ACCOUNT_HOLDER);
  const debits = await sandbox.get('/sandbox/debits');
  const action = /action="(\/sandbox\/debits\/pi_\w+)"/.exec(debits.text)?.[1] ?? '';
  await sandbox.handle.idle();
  return { ...sandbox, receiver, session, page, debits, action };
}

test('a bank debit completes the session unpaid and is listed as pending', async () => {
  const { stripe, session, page, debits, receiver } = await openPendingDebit();
  expect(page).toMatchObject({ status: 303, location: `http://shop.test/thanks?session=${session.id}` });
  const completedSession = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] });
  expect(completedSession).toMatchObject({
    status: 'complete',
    payment_status: 'unpaid',
    payment_intent: { status: 'processing', amount_received: 0 },
  });
  expect(debits.text).toContain('Ann Lee');
  expect(receiver.types()).toContain('checkout.session.completed');
});

test('a settled debit is paid only once', async () => {
  const { stripe, session, action, post, get, receiver, handle } = await openPendingDebit();
  expect(await post(action, { outcome: 'settle' })).toMatchObject({ status: 303, location: '/sandbox/debits' });
  await post(action, { outcome: 'settle' });
  await post(action, { outcome: 'fail' });
  const paidSession = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent.latest_charge'] });
  expect(paidSession).toMatchObject({
    payment_status: 'paid',
    payment_intent: { status: 'succeeded', latest_charge: { status: 'succeeded' } },
  });
  await handle.idle();
  expect(receiver.types().filter((type) => type.includes('async_payment'))).toEqual([
    'checkout.session.async_payment_succeeded',
  ]);
  expect((await get('/sandbox/debits')).text).toContain('No debits are pending.');
});

test('a failed debit stays unpaid', async () => {
  const { stripe, session, action, post, receiver, handle } = await openPendingDebit();
  await post(action, { outcome: 'fail' });
  const failedSession = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['payment_intent.latest_charge'],
  });
  expect(failedSession).toMatchObject({
    status: 'complete',
    payment_status: 'unpaid',
    payment_intent: { status: 'requires_payment_method', latest_charge: { status: 'failed', paid: false } },
  });
  await handle.idle();
  expect(receiver.types().filter((type) => type.includes('async_payment'))).toEqual([
    'checkout.session.async_payment_failed',
  ]);
});

test('an unknown outcome leaves the debit pending', async () => {
  const { action, post, get } = await openPendingDebit();
  await post(action, { outcome: 'perhaps' });
  expect((await get('/sandbox/debits')).text).toContain('Ann Lee');
});

test.each([
  ['settle', 'paid', 'active', 'invoice.paid'],
  ['fail', 'open', 'past_due', 'invoice.payment_failed'],
])(
  'outcome "%s" of a recurring debit’s first payment leaves the invoice %s and the subscription %s',
  async (outcome, invoiceStatus, subscriptionStatus, eventType) => {
    const { stripe, session, action, post, receiver, handle } = await openPendingDebit('subscription');
    expect(receiver.types()).not.toContain('invoice.paid');
    await post(action, { outcome });
    const updatedSession = await stripe.checkout.sessions.retrieve(session.id, { expand: ['invoice', 'subscription'] });
    expect(updatedSession).toMatchObject({
      invoice: { status: invoiceStatus },
      subscription: { status: subscriptionStatus },
    });
    await handle.idle();
    expect(receiver.types()).toContain(eventType);
  },
);

test('a card-only session rejects a debit', async () => {
  const { stripe, get, post } = await openSandbox();
  const session = await stripe.checkout.sessions.create(sessionRequest({ allowed_payment_method_types: ['card'] }));
  expect((await get(`/sandbox/pay/${session.id}`)).text).not.toContain('bank debit');
  await post(`/sandbox/pay/${session.id}`, ACCOUNT_HOLDER);
  expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
});

test('a debit without a name shows the error in its open form', async () => {
  const { stripe, post } = await openSandbox();
  const session = await stripe.checkout.sessions.create(sessionRequest());
  const { text } = await post(`/sandbox/pay/${session.id}`, { ...ACCOUNT_HOLDER, name: '' });
  expect(text).toContain('<a href="#debit-name">Enter the name of the account holder.</a>');
  expect(text).toContain('<details class="debit" open>');
  expect(text).not.toContain('id="card-name-error"');
});
