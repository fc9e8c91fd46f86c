// @spec decisions.3
import { expect, test } from 'vitest';
import { donationItem } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import { recordSubscription, refreshSubscriptions } from '#server/features/subscriptions/record-subscription.ts';
import { HOUR } from '#test/support/clock.ts';
import { type Giving, startGiving } from '#test/support/giving.ts';
import { watchedLog } from '#test/support/watched-log.ts';

const giving: Giving = await startGiving();
const { db, deps, provider } = giving;

async function monthly(cart = [donationItem(10, 'month'), donationItem(15)]) {
  const checkout = await giving.open(cart);
  await provider.pay(checkout.paymentUrl);
  await provider.deliver();
  return checkout;
}

function rowOf(checkoutId: string) {
  return db.kysely
    .selectFrom('subscriptions')
    .selectAll()
    .where('checkout_id', '=', checkoutId)
    .executeTakeFirstOrThrow();
}

test('a recurring gift’s amount, interval, and next charge are known when it’s reported', async () => {
  const { id } = await monthly();
  const row = await rowOf(id);
  expect(row).toMatchObject({
    org_id: giving.orgId,
    status: 'active',
    amount_cents: 1000,
    interval_unit: 'month',
    interval_count: 1,
    canceled_at: null,
    ended_unpaid: false,
    livemode: false,
  });
  expect(row.page_key).toMatch(/^[\w-]{22,}$/);
  const next = (await provider.stripe.subscriptions.retrieve(row.id)).items.data[0]?.current_period_end;
  expect(row.next_charge_at).toEqual(new Date((next ?? 0) * 1000));
});

test('each renewal moves the next charge date', async () => {
  const { id } = await monthly();
  const initialRow = await rowOf(id);
  await provider.press('clock', { months: '1' });
  await provider.deliver();
  const finalRow = await rowOf(id);
  expect(finalRow.next_charge_at?.getTime()).toBeGreaterThan(initialRow.next_charge_at?.getTime() ?? 0);
  expect({ ...finalRow, next_charge_at: null, provider_checked_at: null }).toEqual({
    ...initialRow,
    next_charge_at: null,
    provider_checked_at: null,
  });
});

test('pausing, resuming, and ending at the provider are recorded', async () => {
  const { id } = await monthly([donationItem(25, 'year')]);
  const { id: subscription } = await rowOf(id);
  const rowAfter = async (change: () => Promise<unknown>) => {
    await change();
    await provider.deliver();
    return rowOf(id);
  };
  const { subscriptions } = provider.stripe;
  expect(
    await rowAfter(() => subscriptions.update(subscription, { pause_collection: { behavior: 'void' } })),
  ).toMatchObject({
    status: 'paused',
    next_charge_at: null,
    interval_unit: 'year',
  });
  expect(await rowAfter(() => subscriptions.update(subscription, { pause_collection: '' }))).toMatchObject({
    status: 'active',
    next_charge_at: expect.any(Date),
  });
  expect(await rowAfter(() => subscriptions.update(subscription, { cancel_at_period_end: true }))).toMatchObject({
    status: 'canceled',
    canceled_at: null,
    next_charge_at: null,
  });
  expect(await rowAfter(() => subscriptions.update(subscription, { cancel_at_period_end: false }))).toMatchObject({
    status: 'active',
  });
  expect(await rowAfter(() => subscriptions.cancel(subscription))).toMatchObject({
    status: 'canceled',
    canceled_at: expect.any(Date),
    ended_unpaid: false,
  });
});

test('a stale provider response changes nothing, and an ended gift doesn’t start again', async () => {
  const { id } = await monthly();
  const { id: subscription } = await rowOf(id);
  const facts = await deps.payments.readSubscription(subscription);
  if (facts instanceof Failure || facts === 'unknown') throw new Error('The sandbox knows it');
  const payments = { ...deps.payments, readSubscription: async () => ({ ...facts, amount: 1 }) };
  const earlier = { ...deps, payments, now: () => new Date(giving.clock.now().getTime() - HOUR) };
  await recordSubscription(earlier, subscription);
  expect(await rowOf(id)).toMatchObject({ amount_cents: 1000 });
  await provider.stripe.subscriptions.cancel(subscription);
  await provider.deliver();
  const later = { ...earlier, now: () => new Date(giving.clock.now().getTime() + HOUR) };
  await recordSubscription(later, subscription);
  expect(await rowOf(id)).toMatchObject({ status: 'canceled', amount_cents: 1000 });
});

test('an unreadable subscription is requested again', async () => {
  const { id } = await monthly();
  const { id: subscription } = await rowOf(id);
  const unknown = { status: 'unknown', amount_cents: null, provider_checked_at: null } as const;
  await db.kysely.updateTable('subscriptions').set(unknown).where('id', '=', subscription).execute();
  const { log, loggedProblems } = watchedLog();
  const out = { ...deps.payments, readSubscription: async () => new Failure('payment-unavailable') };
  await refreshSubscriptions({ ...deps, payments: out }, log);
  expect(await rowOf(id)).toMatchObject({ status: 'unknown', amount_cents: null });
  expect(loggedProblems).toContain('a recurring gift could not be read');
  await refreshSubscriptions(deps, log);
  expect(await rowOf(id)).toMatchObject({ status: 'active', amount_cents: 1000 });
});

test('a subscription whose charge is a day late is checked', async () => {
  const { id } = await monthly();
  const { id: subscription } = await rowOf(id);
  await provider.stripe.subscriptions.cancel(subscription);
  const { log } = watchedLog();
  await refreshSubscriptions(deps, log);
  expect(await rowOf(id)).toMatchObject({ status: 'active' });
  const lateCharge = new Date(giving.clock.now().getTime() - 25 * HOUR);
  await db.kysely
    .updateTable('subscriptions')
    .set({ next_charge_at: lateCharge, provider_checked_at: lateCharge })
    .where('id', '=', subscription)
    .execute();
  await refreshSubscriptions(deps, log);
  expect(await rowOf(id)).toMatchObject({ status: 'canceled' });
});

test('foreign and unknown subscriptions are ignored', async () => {
  const { id } = await monthly();
  const { id: subscription } = await rowOf(id);
  const facts = await deps.payments.readSubscription(subscription);
  if (facts instanceof Failure || facts === 'unknown') throw new Error('The sandbox knows it');
  const record = (change: object) => {
    const payments = { ...deps.payments, readSubscription: async () => ({ ...facts, ...change }) };
    return recordSubscription({ ...deps, payments }, subscription);
  };
  expect(await record({ origin: 'foreign' })).toEqual({ outcome: 'ignored' });
  expect(await record({ checkoutId: undefined })).toEqual({ outcome: 'ignored' });
  expect(await record({ orgId: 'another' })).toEqual({ outcome: 'ignored' });
  expect(await record({ subscriptionId: 'sub_another' })).toEqual({ outcome: 'ignored' });
  expect(await recordSubscription(deps, 'sub_unknown')).toEqual({ outcome: 'unknown' });
  const rows = await db.kysely.selectFrom('subscriptions').select('id').where('id', '=', 'sub_another').execute();
  expect(rows).toEqual([]);
});
