// @spec decisions.3
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { openReceiver, openSandbox, sessionRequest } from './open-sandbox.ts';

const EVENTS: Stripe.WebhookEndpointCreateParams.EnabledEvent[] = ['checkout.session.completed'];

test('a webhook’s secret is returned once, when it is created', async () => {
  const { stripe } = await openSandbox();
  const { secret, ...endpoint } = await stripe.webhookEndpoints.create({
    url: 'https://fund.example/hook',
    enabled_events: EVENTS,
    api_version: Stripe.API_VERSION,
  });
  expect(secret).toMatch(/^whsec_/);
  const { data } = await stripe.webhookEndpoints.list();
  expect(data).toMatchObject([{ id: endpoint.id, url: 'https://fund.example/hook', status: 'enabled' }]);
  expect(JSON.stringify(data)).not.toContain('whsec_');
});

test('the latest enabled webhook gets the events it subscribes to, signed with its own secret', async () => {
  const [firstReceiver, secondReceiver] = [await openReceiver(), await openReceiver()];
  const { stripe, payByCard, handle } = await openSandbox({ deliversAutomatically: false });
  const pay = async () => {
    await payByCard(await stripe.checkout.sessions.create(sessionRequest()));
    await handle.deliverPending();
  };
  await stripe.webhookEndpoints.create({ url: firstReceiver.url, enabled_events: EVENTS });
  const latestEndpoint = await stripe.webhookEndpoints.create({ url: secondReceiver.url, enabled_events: EVENTS });
  await pay();
  expect([firstReceiver.types(), secondReceiver.types()]).toEqual([[], EVENTS]);
  const [deliveredEvent] = secondReceiver.events;
  expect(
    Stripe.webhooks.constructEvent(
      deliveredEvent?.body ?? '',
      deliveredEvent?.signature ?? '',
      latestEndpoint.secret ?? '',
    ).type,
  ).toBe('checkout.session.completed');
  await stripe.webhookEndpoints.update(latestEndpoint.id, { disabled: true });
  await pay();
  await stripe.webhookEndpoints.update(latestEndpoint.id, { disabled: false });
  await stripe.webhookEndpoints.del(latestEndpoint.id);
  await pay();
  expect([firstReceiver.types(), secondReceiver.types()]).toEqual([[...EVENTS, ...EVENTS], EVENTS]);
});

test('a missing webhook and an invalid URL return Stripe’s errors', async () => {
  const { stripe } = await openSandbox();
  await expect(stripe.webhookEndpoints.del('we_1')).rejects.toMatchObject({ statusCode: 404 });
  await expect(stripe.webhookEndpoints.create({ url: 'fund.example', enabled_events: EVENTS })).rejects.toMatchObject({
    param: 'url',
  });
});
