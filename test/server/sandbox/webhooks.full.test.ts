// @spec decisions.3
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Stripe from 'stripe';
import { expect, onTestFinished, test } from 'vitest';
import { openReceiver, openSandbox, sessionRequest, WEBHOOK_SECRET } from './open-sandbox.ts';

function newStateFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'sandbox-state-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return path.join(folder, 'not-there-yet', 'sandbox.sqlite');
}

test('an event has a signature the SDK accepts, and a changed event fails', async () => {
  const receiver = await openReceiver();
  const { stripe, payByCard, handle } = await openSandbox({ receiver });
  const session = await stripe.checkout.sessions.create(sessionRequest());
  await payByCard(session);
  await handle.idle();
  const [deliveredEvent] = receiver.events.filter(({ body }) => body.includes('checkout.session.completed'));
  if (!deliveredEvent) throw new Error('No event was delivered');
  const event = Stripe.webhooks.constructEvent(deliveredEvent.body, deliveredEvent.signature, WEBHOOK_SECRET);
  expect(event).toMatchObject({
    type: 'checkout.session.completed',
    livemode: false,
    api_version: Stripe.API_VERSION,
    data: { object: { id: session.id } },
  });
  const changedBody = deliveredEvent.body.replace('2500', '9500');
  expect(() => Stripe.webhooks.constructEvent(changedBody, deliveredEvent.signature, WEBHOOK_SECRET)).toThrow(
    Stripe.errors.StripeSignatureVerificationError,
  );
});

test('an event is resent until the receiver accepts it', async () => {
  const receiver = await openReceiver();
  receiver.respondWith(500);
  const { stripe, payByCard, warnings, handle } = await openSandbox({ receiver });
  await payByCard(await stripe.checkout.sessions.create(sessionRequest()));
  await expect.poll(() => receiver.events.length).toBeGreaterThan(6);
  expect(warnings).toContain('the sandbox could not deliver an event');
  expect((await stripe.events.list({ delivery_success: false })).data).toHaveLength(4);
  receiver.respondWith(204);
  await expect.poll(async () => (await stripe.events.list({ delivery_success: true })).data.length).toBe(4);
  const deliveredCount = receiver.events.length;
  await handle.idle();
  await handle.deliverPending();
  expect(receiver.events).toHaveLength(deliveredCount);
});

test('a redirect doesn’t acknowledge an event', async () => {
  const receiver = await openReceiver();
  receiver.respondWith(302);
  const { stripe, payByCard, handle } = await openSandbox({ receiver, deliversAutomatically: false });
  await payByCard(await stripe.checkout.sessions.create(sessionRequest()));
  await handle.deliverPending();
  expect((await stripe.events.list({ delivery_success: false })).data).toHaveLength(4);
});

test('state survives a restart, and undelivered events are then delivered', async () => {
  const receiver = await openReceiver();
  const file = newStateFile();
  const firstSandbox = await openSandbox({ stateFile: file, deliversAutomatically: false });
  const session = await firstSandbox.stripe.checkout.sessions.create(sessionRequest());
  const openSession = await firstSandbox.stripe.checkout.sessions.create(sessionRequest());
  await firstSandbox.payByCard(session);
  await firstSandbox.close();
  expect(receiver.events).toEqual([]);
  const restartedSandbox = await openSandbox({ stateFile: file, receiver });
  await expect.poll(() => receiver.types()).toContain('checkout.session.completed');
  await restartedSandbox.handle.idle();
  expect(receiver.types()).toHaveLength(4);
  expect(await restartedSandbox.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
  });
  const restoredSession = await restartedSandbox.stripe.checkout.sessions.retrieve(openSession.id);
  expect(restoredSession.url).toBe(`${restartedSandbox.base}/sandbox/pay/${openSession.id}`);
  expect((await restartedSandbox.payByCard(openSession)).status).toBe(303);
});

test('a delivery aborted by shutdown is retried', async () => {
  const receiver = await openReceiver();
  const file = newStateFile();
  const firstSandbox = await openSandbox({
    stateFile: file,
    receiver: { ...receiver, url: 'http://127.0.0.1:9/nobody' },
  });
  await firstSandbox.payByCard(await firstSandbox.stripe.checkout.sessions.create(sessionRequest()));
  await firstSandbox.close();
  const restartedSandbox = await openSandbox({ stateFile: file, receiver, deliversAutomatically: false });
  await restartedSandbox.handle.deliverPending();
  expect(receiver.types()).toHaveLength(4);
});

test('a delivered event can be sent again', async () => {
  const receiver = await openReceiver();
  const { stripe, payByCard, handle, post } = await openSandbox({ receiver });
  await payByCard(await stripe.checkout.sessions.create(sessionRequest()));
  await handle.idle();
  const [event] = (await stripe.events.list({ type: 'checkout.session.completed' })).data;
  const redelivery = await post(`/sandbox/events/${event?.id}/redeliver`, {});
  expect(JSON.parse(redelivery.text)).toEqual({ event: event?.id, result: '200' });
  const bodies = receiver.events.filter(({ body }) => body.includes(event?.id ?? '-')).map(({ body }) => body);
  expect(bodies).toHaveLength(2);
  expect(bodies[0]).toBe(bodies[1]);
  expect((await post('/sandbox/events/evt_none/redeliver', {})).status).toBe(404);
});

test('a hundred events are each delivered once', async () => {
  const receiver = await openReceiver();
  const { stripe, payByCard, handle } = await openSandbox({ receiver, deliversAutomatically: false });
  const sessions = await Promise.all(
    Array.from({ length: 34 }, () => stripe.checkout.sessions.create(sessionRequest())),
  );
  await Promise.all(sessions.map((session) => payByCard(session)));
  await handle.deliverPending();
  expect(receiver.events).toHaveLength(136);
  expect(new Set(receiver.events.map(({ body }) => body)).size).toBe(136);
});

test('a state file of another version is rejected with instructions', async () => {
  const file = newStateFile();
  const { close } = await openSandbox({ stateFile: file });
  await close();
  const { DatabaseSync } = await import('node:sqlite');
  const db = new DatabaseSync(file);
  db.exec('PRAGMA user_version = 99');
  db.close();
  await expect(openSandbox({ stateFile: file })).rejects.toThrow(/another version of this program. Delete the file/);
});
