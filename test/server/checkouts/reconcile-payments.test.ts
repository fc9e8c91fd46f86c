import { expect, test } from 'vitest';
import { Failure } from '#domain/failures.ts';
import { reconcilePayments } from '#server/features/checkouts/reconcile-payments.ts';
import { DAY, HOUR, MINUTE } from '#test/support/clock.ts';
import { type Giving, startGiving } from '#test/support/giving.ts';
import { watchedLog } from '#test/support/watched-log.ts';

const giving: Giving = await startGiving();
const { deps, provider, clock, db } = giving;

async function reconcile(since = 72 * HOUR, payments = deps.payments): Promise<readonly string[]> {
  const { log, complaints } = watchedLog();
  const heard = await reconcilePayments({ ...deps, payments }, log, new Date(clock.now().getTime() - since));
  expect(heard).toBe(!complaints.includes('the provider could not list its events'));
  return complaints;
}

/** A provider that tells no events, so that only the checkouts themselves can be asked about. */
const withoutEvents = { ...deps.payments, eventsSince: async () => [] };

async function statusOf(checkoutId: string): Promise<string> {
  const { payment_status } = await db.kysely
    .selectFrom('checkouts')
    .select('payment_status')
    .where('id', '=', checkoutId)
    .executeTakeFirstOrThrow();
  return payment_status;
}

test('a payment whose webhook never came and whose payer never returned is found by its event', async () => {
  const { id, paymentUrl } = await giving.open();
  await provider.pay(paymentUrl);
  expect(await reconcile()).toEqual([]);
  expect(await statusOf(id)).toBe('paid');
  const event = (await provider.events()).at(-1);
  const stored = await db.kysely
    .selectFrom('provider_events')
    .select('outcome')
    .where('id', '=', event?.id ?? '')
    .executeTakeFirst();
  expect(stored?.outcome).toBe('recorded');
  expect(await giving.differences()).toEqual([]);
});

test('a payment is found by asking about its checkout too', async () => {
  const { id, paymentUrl } = await giving.open();
  await provider.pay(paymentUrl);
  await reconcile(HOUR, withoutEvents);
  expect(await statusOf(id)).toBe('unpaid');
  clock.pass(MINUTE);
  await reconcile(HOUR, withoutEvents);
  expect(await statusOf(id)).toBe('paid');
});

test('an old checkout is asked about ever more rarely, but every hour', async () => {
  const { id } = await giving.open();
  let asked = 0;
  const sessionId = (
    await db.kysely.selectFrom('checkouts').select('provider_session_id').where('id', '=', id).executeTakeFirstOrThrow()
  ).provider_session_id;
  const counting: typeof withoutEvents = {
    ...withoutEvents,
    read: (session) => {
      if (session === sessionId) asked += 1;
      return deps.payments.read(session);
    },
  };
  for (let minute = 0; minute < 20 * 60; minute += 10) {
    clock.pass(10 * MINUTE);
    await reconcile(HOUR, counting);
  }
  expect(asked).toBeGreaterThan(20);
  expect(asked).toBeLessThan(60);
}, 60_000);

test('an abandoned page is found expired', async () => {
  const { id } = await giving.open();
  clock.pass(25 * HOUR);
  await reconcile(HOUR, withoutEvents);
  expect(await statusOf(id)).toBe('expired');
});

test('a checkout whose page never opened is given up after a day, and counts if it was paid after all', async () => {
  const { id, paymentUrl } = await giving.open();
  await db.kysely.updateTable('checkouts').set({ provider_session_id: null }).where('id', '=', id).execute();
  await provider.pay(paymentUrl);
  clock.pass(23 * HOUR);
  await reconcile(HOUR, withoutEvents);
  expect(await statusOf(id)).toBe('unpaid');
  clock.pass(2 * HOUR);
  await reconcile(HOUR, withoutEvents);
  expect(await statusOf(id)).toBe('expired');
  await reconcile(3 * DAY);
  expect(await statusOf(id)).toBe('paid');
});

test('one checkout that the provider cannot answer for does not keep the others waiting', async () => {
  const [strange, plain] = [await giving.open(), await giving.open()];
  await db.kysely
    .updateTable('checkouts')
    .set({ provider_session_id: `cs_test_gone_${strange.id}` })
    .where('id', '=', strange.id)
    .execute();
  await provider.pay(plain.paymentUrl);
  clock.pass(MINUTE);
  expect(await reconcile(HOUR, withoutEvents)).toHaveLength(1);
  expect(await statusOf(plain.id)).toBe('paid');
});

test('a provider out of reach is noted, and nothing else', async () => {
  await giving.open();
  clock.pass(MINUTE);
  const unavailable = async () => new Failure('payment-unavailable');
  const complaints = await reconcile(HOUR, { ...deps.payments, read: unavailable, eventsSince: unavailable });
  expect(complaints).toContain('the provider could not list its events');
  expect(complaints).toContain('a payment could not be settled');
});
