// @spec decisions.3
import { expect, test } from 'vitest';
import { donationItem } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import { recordSubscription, refreshSubscriptions } from '#server/features/recurring-gifts/record-subscription.ts';
import { HOUR } from '#test/support/clock.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';
import { createLogSpy } from '#test/support/log-spy.ts';

const setup: DonationSetup = await startDonationSetup();
const { db, deps, provider } = setup;

async function addMonthlyGift(cart = [donationItem(10, 'month'), donationItem(15)]) {
  const checkout = await setup.openCheckout(cart);
  await provider.pay(checkout.paymentUrl);
  await provider.deliverEvents();
  return checkout;
}

function readRow(checkoutId: string) {
  return db.kysely
    .selectFrom('subscriptions')
    .selectAll()
    .where('checkout_id', '=', checkoutId)
    .executeTakeFirstOrThrow();
}

test('a recurring gift’s amount, interval, and next charge are stored when it’s reported', async () => {
  const { id } = await addMonthlyGift();
  const row = await readRow(id);
  expect(row).toMatchObject({
    org_id: setup.orgId,
    status: 'active',
    amount_cents: 1000,
    interval_unit: 'month',
    interval_count: 1,
    canceled_at: null,
    ended_unpaid: false,
    livemode: false,
  });
  expect(row.page_key).toMatch(/^[\w-]{22,}$/);
  const periodEnd = (await provider.stripe.subscriptions.retrieve(row.id)).items.data[0]?.current_period_end;
  expect(row.next_charge_at).toEqual(new Date((periodEnd ?? 0) * 1000));
});

test('each renewal moves the next charge date', async () => {
  const { id } = await addMonthlyGift();
  const initialRow = await readRow(id);
  await provider.submitDashboardForm('clock', { months: '1' });
  await provider.deliverEvents();
  const finalRow = await readRow(id);
  expect(finalRow.next_charge_at?.getTime()).toBeGreaterThan(initialRow.next_charge_at?.getTime() ?? 0);
  expect({ ...finalRow, next_charge_at: null, provider_checked_at: null }).toEqual({
    ...initialRow,
    next_charge_at: null,
    provider_checked_at: null,
  });
});

test('pausing, resuming, and ending at the provider are recorded', async () => {
  const { id } = await addMonthlyGift([donationItem(25, 'year')]);
  const { id: subscriptionId } = await readRow(id);
  const readRowAfter = async (change: () => Promise<unknown>) => {
    await change();
    await provider.deliverEvents();
    return readRow(id);
  };
  const { subscriptions } = provider.stripe;
  expect(
    await readRowAfter(() => subscriptions.update(subscriptionId, { pause_collection: { behavior: 'void' } })),
  ).toMatchObject({
    status: 'paused',
    next_charge_at: null,
    interval_unit: 'year',
  });
  expect(await readRowAfter(() => subscriptions.update(subscriptionId, { pause_collection: '' }))).toMatchObject({
    status: 'active',
    next_charge_at: expect.any(Date),
  });
  expect(await readRowAfter(() => subscriptions.update(subscriptionId, { cancel_at_period_end: true }))).toMatchObject({
    status: 'canceled',
    canceled_at: null,
    next_charge_at: null,
  });
  expect(await readRowAfter(() => subscriptions.update(subscriptionId, { cancel_at_period_end: false }))).toMatchObject(
    {
      status: 'active',
    },
  );
  expect(await readRowAfter(() => subscriptions.cancel(subscriptionId))).toMatchObject({
    status: 'canceled',
    canceled_at: expect.any(Date),
    ended_unpaid: false,
  });
});

test('a stale provider response changes nothing, and an ended gift doesn’t start again', async () => {
  const { id } = await addMonthlyGift();
  const { id: subscriptionId } = await readRow(id);
  const facts = await deps.payments.readSubscription(subscriptionId);
  if (facts instanceof Failure || facts === 'unknown') throw new Error('The subscription must exist');
  const payments = { ...deps.payments, readSubscription: async () => ({ ...facts, amount: 1 }) };
  const earlierDeps = { ...deps, payments, now: () => new Date(setup.clock.now().getTime() - HOUR) };
  await recordSubscription(earlierDeps, subscriptionId);
  expect(await readRow(id)).toMatchObject({ amount_cents: 1000 });
  await provider.stripe.subscriptions.cancel(subscriptionId);
  await provider.deliverEvents();
  const laterDeps = { ...earlierDeps, now: () => new Date(setup.clock.now().getTime() + HOUR) };
  await recordSubscription(laterDeps, subscriptionId);
  expect(await readRow(id)).toMatchObject({ status: 'canceled', amount_cents: 1000 });
});

test('an unreadable subscription is requested again', async () => {
  const { id } = await addMonthlyGift();
  const { id: subscriptionId } = await readRow(id);
  const unknownState = { status: 'unknown', amount_cents: null, provider_checked_at: null } as const;
  await db.kysely.updateTable('subscriptions').set(unknownState).where('id', '=', subscriptionId).execute();
  const { log, loggedProblems } = createLogSpy();
  const offlinePayments = { ...deps.payments, readSubscription: async () => new Failure('payment-unavailable') };
  await refreshSubscriptions({ ...deps, payments: offlinePayments }, log);
  expect(await readRow(id)).toMatchObject({ status: 'unknown', amount_cents: null });
  expect(loggedProblems).toContain('a recurring gift could not be read');
  await refreshSubscriptions(deps, log);
  expect(await readRow(id)).toMatchObject({ status: 'active', amount_cents: 1000 });
});

test('a subscription whose charge is a day late is checked', async () => {
  const { id } = await addMonthlyGift();
  const { id: subscriptionId } = await readRow(id);
  await provider.stripe.subscriptions.cancel(subscriptionId);
  const { log } = createLogSpy();
  await refreshSubscriptions(deps, log);
  expect(await readRow(id)).toMatchObject({ status: 'active' });
  const lateCharge = new Date(setup.clock.now().getTime() - 25 * HOUR);
  await db.kysely
    .updateTable('subscriptions')
    .set({ next_charge_at: lateCharge, provider_checked_at: lateCharge })
    .where('id', '=', subscriptionId)
    .execute();
  await refreshSubscriptions(deps, log);
  expect(await readRow(id)).toMatchObject({ status: 'canceled' });
});

test('foreign and unknown subscriptions are ignored', async () => {
  const { id } = await addMonthlyGift();
  const { id: subscriptionId } = await readRow(id);
  const facts = await deps.payments.readSubscription(subscriptionId);
  if (facts instanceof Failure || facts === 'unknown') throw new Error('The subscription must exist');
  const recordWith = (change: object) => {
    const payments = { ...deps.payments, readSubscription: async () => ({ ...facts, ...change }) };
    return recordSubscription({ ...deps, payments }, subscriptionId);
  };
  expect(await recordWith({ origin: 'foreign' })).toEqual({ outcome: 'ignored' });
  expect(await recordWith({ checkoutId: undefined })).toEqual({ outcome: 'ignored' });
  expect(await recordWith({ orgId: 'another' })).toEqual({ outcome: 'ignored' });
  expect(await recordWith({ subscriptionId: 'sub_another' })).toEqual({ outcome: 'ignored' });
  expect(await recordSubscription(deps, 'sub_unknown')).toEqual({ outcome: 'unknown' });
  const rows = await db.kysely.selectFrom('subscriptions').select('id').where('id', '=', 'sub_another').execute();
  expect(rows).toEqual([]);
});
