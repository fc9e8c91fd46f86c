// @spec decisions.3
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { Failure } from '#domain/failures.ts';
import { sweepCheckouts } from '#server/features/checkouts/sweep-checkouts.ts';
import { recordSession } from '#server/features/payments/record-session.ts';
import { refreshCheckouts } from '#server/features/payments/refresh-checkouts.ts';
import { applyDueEvents } from '#server/features/provider-events/apply-events.ts';
import { readEventList } from '#server/features/provider-events/read-event-list.ts';
import { parseSessionId } from '#test/support/card-provider.ts';
import { HOUR, MINUTE } from '#test/support/clock.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';
import { createLogSpy } from '#test/support/log-spy.ts';

const setup: DonationSetup = await startDonationSetup();
const { deps, provider, clock, db } = setup;

/** Runs the reconciler once. @returns logged warnings */
async function reconcile(payments = deps.payments): Promise<readonly string[]> {
  const { log, loggedProblems } = createLogSpy();
  const reconcileDeps = { ...deps, payments };
  await readEventList(reconcileDeps, log);
  await applyDueEvents(reconcileDeps, log);
  await refreshCheckouts(reconcileDeps, log);
  return loggedProblems;
}

/** A provider that can't list events, for example because the key may not read them. */
const paymentsWithBrokenList: typeof deps.payments = {
  ...deps.payments,
  listEvents: async () => new Failure('payment-unavailable'),
};

/** A provider without events, so the program has to poll each checkout. */
const paymentsWithoutEvents: typeof deps.payments = { ...deps.payments, listEvents: async () => 'complete' };

async function readStatus(checkoutId: string): Promise<string> {
  const { payment_status } = await db.kysely
    .selectFrom('checkouts')
    .select('payment_status')
    .where('id', '=', checkoutId)
    .executeTakeFirstOrThrow();
  return payment_status;
}

test('a payment reported by neither a webhook nor a returning browser is found in the event list', async () => {
  const { id, paymentUrl } = await setup.openCheckout();
  await provider.pay(paymentUrl);
  expect(await reconcile()).toEqual([]);
  expect(await readStatus(id)).toBe('paid');
  const event = (await provider.listSessionEvents()).at(-1);
  const storedEvent = await db.kysely
    .selectFrom('provider_events')
    .select('outcome')
    .where('id', '=', event?.id ?? '')
    .executeTakeFirst();
  expect(storedEvent?.outcome).toBe('recorded');
  expect(await setup.findDifferences()).toEqual([]);
});

test('a payment is also found through its checkout', async () => {
  const { id, paymentUrl } = await setup.openCheckout();
  await provider.pay(paymentUrl);
  await reconcile(paymentsWithoutEvents);
  expect(await readStatus(id)).toBe('unpaid');
  clock.advance(MINUTE);
  await reconcile(paymentsWithoutEvents);
  expect(await readStatus(id)).toBe('paid');
});

test('an old checkout is polled less and less often, but at least hourly', async () => {
  const { id } = await setup.openCheckout();
  let requestCount = 0;
  const sessionId = (
    await db.kysely.selectFrom('checkouts').select('provider_session_id').where('id', '=', id).executeTakeFirstOrThrow()
  ).provider_session_id;
  const countingPayments: typeof paymentsWithoutEvents = {
    ...paymentsWithoutEvents,
    readSession: (session) => {
      if (session === sessionId) requestCount += 1;
      return deps.payments.readSession(session);
    },
  };
  for (let minute = 0; minute < 20 * 60; minute += 10) {
    clock.advance(10 * MINUTE);
    await reconcile(countingPayments);
  }
  expect(requestCount).toBeGreaterThan(20);
  expect(requestCount).toBeLessThan(60);
}, 60_000);

test('a thousand junk checkouts from one client don’t delay another client’s gift', async () => {
  await sql`
    insert into checkouts (id, org_id, cart, total_cents, carbon, provider_session_id, client_hash, created_at)
    select 'junk-' || n, ${setup.orgId}, '[]', 500, 0, 'cs_junk_' || n, 'somewhere', ${clock.now()}
    from generate_series(1, 1000) n`.execute(db.kysely);
  clock.advance(MINUTE);
  const { id, paymentUrl } = await setup.openCheckout();
  await provider.pay(paymentUrl);
  clock.advance(MINUTE);
  const requestedIds: string[] = [];
  const trackedPayments: typeof paymentsWithoutEvents = {
    ...paymentsWithoutEvents,
    readSession: async (session) => {
      requestedIds.push(session);
      return session.startsWith('cs_junk') ? 'unknown' : deps.payments.readSession(session);
    },
  };
  await reconcile(trackedPayments);
  expect(await readStatus(id)).toBe('paid');
  expect(requestedIds.length).toBeGreaterThan(100);
  await db.kysely.deleteFrom('checkouts').where('client_hash', '=', 'somewhere').execute();
});

test('after 30 days an unpaid checkout is deleted, and a paid one no longer shows who opened it', async () => {
  const [unpaidCheckout, paidCheckout] = [await setup.openCheckout(), await setup.openAndPay()];
  const openers = db.kysely.selectFrom('checkouts').select('id').where('creator_hash', 'is not', null);
  clock.advance(26 * HOUR);
  await reconcile(paymentsWithoutEvents);
  await sweepCheckouts(deps);
  expect(await readStatus(unpaidCheckout.id)).toBe('expired');
  const clients = await db.kysely.selectFrom('checkouts').select('id').where('client_hash', 'is not', null).execute();
  expect(clients).toEqual([]);
  expect(await openers.execute()).toContainEqual({ id: paidCheckout.id });
  clock.advance(30 * 24 * HOUR);
  await sweepCheckouts(deps);
  expect(await openers.execute()).toEqual([]);
  const remainingCheckouts = await db.kysely
    .selectFrom('checkouts')
    .select('id')
    .where('id', 'in', [unpaidCheckout.id, paidCheckout.id])
    .execute();
  expect(remainingCheckouts).toEqual([{ id: paidCheckout.id }]);
  expect(await setup.findDifferences()).toEqual([]);
});

test('an abandoned page is marked as expired', async () => {
  const { id } = await setup.openCheckout();
  clock.advance(25 * HOUR);
  await reconcile(paymentsWithoutEvents);
  expect(await readStatus(id)).toBe('expired');
});

test('a checkout whose page never opened expires after a day but still counts if paid', async () => {
  const { id, paymentUrl } = await setup.openCheckout();
  await db.kysely.updateTable('checkouts').set({ provider_session_id: null }).where('id', '=', id).execute();
  await provider.pay(paymentUrl);
  clock.advance(23 * HOUR);
  await reconcile(paymentsWithBrokenList);
  expect(await readStatus(id)).toBe('unpaid');
  clock.advance(2 * HOUR);
  await reconcile(paymentsWithBrokenList);
  expect(await readStatus(id)).toBe('expired');
  await reconcile();
  expect(await readStatus(id)).toBe('paid');
});

test('a failing event list doesn’t stop the polling of individual checkouts', async () => {
  const { id, paymentUrl } = await setup.openCheckout();
  await provider.pay(paymentUrl);
  clock.advance(MINUTE);
  expect(await reconcile(paymentsWithBrokenList)).toEqual(['could not list the provider’s events']);
  expect(await readStatus(id)).toBe('paid');
});

test('the event list continues from the last position, and repeats it after a failure', async () => {
  const requestedSince: Date[] = [];
  let isListAvailable = true;
  const listingPayments: typeof deps.payments = {
    ...paymentsWithoutEvents,
    listEvents: async (since) => {
      requestedSince.push(since);
      return isListAvailable ? 'complete' : new Failure('payment-unavailable');
    },
  };
  const start = clock.now().getTime();
  await reconcile(listingPayments);
  clock.advance(5 * HOUR);
  isListAvailable = false;
  await reconcile(listingPayments);
  isListAvailable = true;
  await reconcile(listingPayments);
  await reconcile(listingPayments);
  const hours = requestedSince.slice(1).map((since) => (since.getTime() - start) / HOUR);
  expect(hours).toEqual([-1, -1, 4]);
  await reconcile({ ...listingPayments, eventTypes: [...listingPayments.eventTypes, 'invoice.paid'] });
  expect((requestedSince.at(-1)?.getTime() ?? 0) - clock.now().getTime()).toBe(-30 * 24 * HOUR);
});

test('abandoned pages don’t delay a payment: the checkout that has waited longest is checked first', async () => {
  const requestedIds: string[] = [];
  const trackedPayments: typeof deps.payments = {
    ...paymentsWithoutEvents,
    readSession: (session) => {
      requestedIds.push(session);
      return deps.payments.readSession(session);
    },
  };
  const abandonedCheckouts = [];
  for (let index = 0; index < 3; index += 1) abandonedCheckouts.push(await setup.openCheckout());
  clock.advance(30 * MINUTE);
  await reconcile(trackedPayments);
  const { id, paymentUrl } = await setup.openCheckout();
  await provider.pay(paymentUrl);
  requestedIds.length = 0;
  clock.advance(2 * MINUTE);
  await reconcile(trackedPayments);
  expect(requestedIds).toEqual([parseSessionId(paymentUrl)]);
  expect(await readStatus(id)).toBe('paid');
});

test('a checkout unknown to the provider expires without delaying others', async () => {
  const [unknownCheckout, knownCheckout] = [await setup.openCheckout(), await setup.openCheckout()];
  await db.kysely
    .updateTable('checkouts')
    .set({ provider_session_id: `cs_test_gone_${unknownCheckout.id}` })
    .where('id', '=', unknownCheckout.id)
    .execute();
  await provider.pay(knownCheckout.paymentUrl);
  clock.advance(MINUTE);
  expect(await reconcile(paymentsWithoutEvents)).toEqual([]);
  expect(await readStatus(knownCheckout.id)).toBe('paid');
  expect(await readStatus(unknownCheckout.id)).toBe('unpaid');
  clock.advance(25 * HOUR);
  await reconcile(paymentsWithoutEvents);
  expect(await readStatus(unknownCheckout.id)).toBe('expired');
});

test('a payment recorded while its checkout is read isn’t replaced by an expiry', async () => {
  const { id, paymentUrl } = await setup.openCheckout();
  await provider.pay(paymentUrl);
  clock.advance(25 * HOUR);
  // Another process, which still uses the earlier account, records the payment first.
  const readSession = async (sessionId: string) => {
    await recordSession(deps, sessionId);
    return 'unknown' as const;
  };
  await refreshCheckouts({ ...deps, payments: { ...paymentsWithoutEvents, readSession } }, createLogSpy().log);
  expect(await readStatus(id)).toBe('paid');
  expect(await setup.findDifferences()).toEqual([]);
});

test('an unreachable provider is logged and changes nothing', async () => {
  await setup.openCheckout();
  clock.advance(MINUTE);
  const failAsUnavailable = async () => new Failure('payment-unavailable');
  const loggedProblems = await reconcile({
    ...deps.payments,
    readSession: failAsUnavailable,
    listEvents: failAsUnavailable,
  });
  expect(loggedProblems).toContain('could not list the provider’s events');
  expect(loggedProblems).toContain('a payment could not be settled');
});
