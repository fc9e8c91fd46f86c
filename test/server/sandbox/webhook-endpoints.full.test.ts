// @spec decisions.3
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { openReceiver, openSandbox, sessionRequest } from './open-sandbox.ts';

const EVENTS: Stripe.WebhookEndpointCreateParams.EnabledEvent[] = ['checkout.session.completed'];

test('a webhook’s secret is returned once, when it is created', async () => {
  const { stripe } = await openSandbox();
  const { secret, ...created } = await stripe.webhookEndpoints.create({
    url: 'https://fund.example/hook',
    enabled_events: EVENTS,
    api_version: Stripe.API_VERSION,
  });
  expect(secret).toMatch(/^whsec_/);
  const { data } = await stripe.webhookEndpoints.list();
  expect(data).toMatchObject([{ id: created.id, url: 'https://fund.example/hook', status: 'enabled' }]);
  expect(JSON.stringify(data)).not.toContain('whsec_');
});

test('the latest enabled webhook gets the events it subscribes to, signed with its own secret', async () => {
  const [first, second] = [await openReceiver(), await openReceiver()];
  const { stripe, payByCard, handle } = await openSandbox({ deliver: false });
  const pay = async () => {
    await payByCard(await stripe.checkout.sessions.create(sessionRequest()));
    await handle.deliverPending();
  };
  await stripe.webhookEndpoints.create({ url: first.url, enabled_events: EVENTS });
  const latest = await stripe.webhookEndpoints.create({ url: second.url, enabled_events: EVENTS });
  await pay();
  expect([first.types(), second.types()]).toEqual([[], EVENTS]);
  const [report] = second.events;
  expect(Stripe.webhooks.constructEvent(report?.body ?? '', report?.signature ?? '', latest.secret ?? '').type).toBe(
    'checkout.session.completed',
  );
  await stripe.webhookEndpoints.update(latest.id, { disabled: true });
  await pay();
  await stripe.webhookEndpoints.update(latest.id, { disabled: false });
  await stripe.webhookEndpoints.del(latest.id);
  await pay();
  expect([first.types(), second.types()]).toEqual([[...EVENTS, ...EVENTS], EVENTS]);
});

test('a missing webhook and an invalid URL return Stripe’s errors', async () => {
  const { stripe } = await openSandbox();
  await expect(stripe.webhookEndpoints.del('we_1')).rejects.toMatchObject({ statusCode: 404 });
  await expect(stripe.webhookEndpoints.create({ url: 'fund.example', enabled_events: EVENTS })).rejects.toMatchObject({
    param: 'url',
  });
});
