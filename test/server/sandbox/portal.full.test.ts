// @spec decisions.3
import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { CARDS, DAY, idOf, openSandboxAt, typesOf } from './open-sandbox-at.ts';

const NEW_CARD = { number: '5555 5555 5555 4444', expiry: '12 / 34', cvc: '123' };

async function openPortal(
  card: string = CARDS.succeeds,
  flow_data?: Stripe.BillingPortal.SessionCreateParams.FlowData,
) {
  const sandbox = await openSandboxAt();
  const subscription = await sandbox.subscribe(card);
  const flow =
    flow_data?.type === 'subscription_cancel'
      ? { ...flow_data, subscription_cancel: { subscription: subscription.id } }
      : flow_data;
  const portal = await sandbox.stripe.billingPortal.sessions.create({
    customer: idOf(subscription.customer),
    return_url: 'http://shop.test/me',
    ...(flow && { flow_data: flow }),
  });
  return { ...sandbox, subscription, portal };
}

test('a new card pays the open invoice and reactivates the subscription', async () => {
  const { stripe, subscription, portal, moveClock, post, get, listEvents } = await openPortal(CARDS.declinedAtRenewal);
  await moveClock({ seconds: 29 * DAY });
  expect((await get(portal.url)).text).toContain('Past due');
  const eventCount = (await listEvents()).length;
  expect(await post(`${portal.url}/card`, NEW_CARD)).toMatchObject({ status: 303 });
  expect(typesOf((await listEvents()).slice(eventCount))).toEqual([
    'payment_method.attached',
    'customer.updated',
    'customer.subscription.updated',
    'charge.succeeded',
    'payment_intent.succeeded',
    'charge.updated',
    'invoice.paid',
    'invoice.payment_succeeded',
    'customer.subscription.updated',
  ]);
  const expand = ['latest_invoice', 'default_payment_method', 'customer'];
  const updatedSubscription = await stripe.subscriptions.retrieve(subscription.id, { expand });
  expect(updatedSubscription).toMatchObject({
    status: 'active',
    latest_invoice: { status: 'paid' },
    default_payment_method: { card: { brand: 'mastercard', last4: '4444' } },
    customer: { invoice_settings: { default_payment_method: idOf(updatedSubscription.default_payment_method) } },
  });
  expect(await stripe.paymentMethods.retrieve(idOf(updatedSubscription.default_payment_method))).toMatchObject({
    type: 'card',
  });
  expect((await get(portal.url)).text).toContain('Mastercard ending in 4444');
  await moveClock({ months: 1 });
  expect(await listEvents('invoice.paid')).toHaveLength(3);
});

test.each([
  [{ number: '4000 0000 0000 0002' }, 'Your card was declined.'],
  [{ cvc: '' }, 'Enter your card&#39;s security code.'],
])('the card %j is rejected, and the old card is kept', async (fields, message) => {
  const { stripe, subscription, portal, post } = await openPortal();
  const { text } = await post(`${portal.url}/card`, { ...NEW_CARD, ...fields });
  expect(text).toContain(message);
  expect(text).not.toContain('5555 5555');
  expect(idOf((await stripe.subscriptions.retrieve(subscription.id)).default_payment_method)).toBe(
    idOf(subscription.default_payment_method),
  );
});

test('a flow to change the card opens with the card form and returns to the merchant', async () => {
  const return_url = 'http://shop.test/changed';
  const { portal, get, post } = await openPortal(CARDS.succeeds, {
    type: 'payment_method_update',
    after_completion: { type: 'redirect', redirect: { return_url } },
  });
  expect(portal.flow).toMatchObject({ type: 'payment_method_update', after_completion: { redirect: { return_url } } });
  const page = await get(portal.url);
  expect(page.text).toContain('<h1>Change your card</h1>');
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self' http://shop.test;");
  expect(await post(`${portal.url}/card`, NEW_CARD)).toMatchObject({ status: 303, location: return_url });
});

test('a flow without a return URL ends on the portal’s home page', async () => {
  const { portal, get, post } = await openPortal(CARDS.succeeds, { type: 'payment_method_update' });
  const { location } = await post(`${portal.url}/card`, NEW_CARD);
  expect((await get(location ?? '')).text).toContain('<h1>Your recurring payments</h1>');
});

test('the cancellation flow asks for confirmation once and ends the subscription', async () => {
  const { stripe, subscription, portal, get, post } = await openPortal(CARDS.succeeds, {
    type: 'subscription_cancel',
    subscription_cancel: { subscription: 'its own' },
    after_completion: { type: 'hosted_confirmation', hosted_confirmation: { custom_message: 'Thank you.' } },
  });
  expect((await get(portal.url)).text).toContain('Cancel the recurring payment');
  expect((await post(portal.url, { subscription: subscription.id })).text).toContain('Thank you.');
  expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'canceled' });
  expect((await get(portal.url)).text).toContain('Your recurring payments');
});

test.each([
  [{ type: 'subscription_update' as const, subscription_update: { subscription: 'sub_1' } }, /only these flows/],
  [{ type: 'payment_method_update' as const, subscription_pause: { subscription: 'x' } }, /subscription_pause/],
])('the flow %j is rejected', async (flow_data, message) => {
  await expect(openPortal(CARDS.succeeds, flow_data)).rejects.toThrow(message);
});
