// @spec decisions.3
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { Failure } from '#domain/failures.ts';
import { sweepCheckouts } from '#server/features/checkouts/sweep-checkouts.ts';
import { settleCheckouts } from '#server/features/payments/settle-checkouts.ts';
import { applyDueEvents } from '#server/features/provider-events/apply-events.ts';
import { readEventList } from '#server/features/provider-events/read-event-list.ts';
import { sessionIdOf } from '#test/support/card-provider.ts';
import { HOUR, MINUTE } from '#test/support/clock.ts';
import { type Giving, startGiving } from '#test/support/giving.ts';
import { watchedLog } from '#test/support/watched-log.ts';

const giving: Giving = await startGiving();
const { deps, provider, clock, db } = giving;

/** Runs the reconciler once. @returns logged warnings */
async function reconcile(payments = deps.payments): Promise<readonly string[]> {
  const { log, loggedProblems } = watchedLog();
  const watchfulDeps = { ...deps, payments };
  await readEventList(watchfulDeps, log);
  await applyDueEvents(watchfulDeps, log);
  await settleCheckouts(watchfulDeps, log);
  return loggedProblems;
}

/** A provider that can't list events, for example because the key may not read them. */
const withBrokenList: typeof deps.payments = {
  ...deps.payments,
  listEvents: async () => new Failure('payment-unavailable'),
};

/** A provider without events, so that the program has to ask about each checkout. */
const withoutEvents: typeof deps.payments = { ...deps.payments, listEvents: async () => 'listed' };

async function statusOf(checkoutId: string): Promise<string> {
  const { payment_status } = await db.kysely
    .selectFrom('checkouts')
    .select('payment_status')
    .where('id', '=', checkoutId)
    .executeTakeFirstOrThrow();
  return payment_status;
}

test('a payment with neither a webhook nor a return is found by its event', async () => {
  const { id, paymentUrl } = await giving.open();
  await provider.pay(paymentUrl);
  expect(await reconcile()).toEqual([]);
  expect(await statusOf(id)).toBe('paid');
  const event = (await provider.events()).at(-1);
  const storedRows = await db.kysely
    .selectFrom('provider_events')
    .select('outcome')
    .where('id', '=', event?.id ?? '')
    .executeTakeFirst();
  expect(storedRows?.outcome).toBe('recorded');
  expect(await giving.differences()).toEqual([]);
});

test('a payment is also found through its checkout', async () => {
  const { id, paymentUrl } = await giving.open();
  await provider.pay(paymentUrl);
  await reconcile(withoutEvents);
  expect(await statusOf(id)).toBe('unpaid');
  clock.pass(MINUTE);
  await reconcile(withoutEvents);
  expect(await statusOf(id)).toBe('paid');
});

test('an old checkout is checked less and less often, but at least hourly', async () => {
  const { id } = await giving.open();
  let requestCount = 0;
  const sessionId = (
    await db.kysely.selectFrom('checkouts').select('provider_session_id').where('id', '=', id).executeTakeFirstOrThrow()
  ).provider_session_id;
  const counting: typeof withoutEvents = {
    ...withoutEvents,
    read: (session) => {
      if (session === sessionId) requestCount += 1;
      return deps.payments.read(session);
    },
  };
  for (let minute = 0; minute < 20 * 60; minute += 10) {
    clock.pass(10 * MINUTE);
    await reconcile(counting);
  }
  expect(requestCount).toBeGreaterThan(20);
  expect(requestCount).toBeLessThan(60);
}, 60_000);

test('a thousand junk checkouts from one client don’t delay another client’s gift', async () => {
  await sql`
    insert into checkouts (id, org_id, cart, total_cents, carbon, provider_session_id, client_hash, created_at)
    select 'junk-' || n, ${giving.orgId}, '[]', 500, 0, 'cs_junk_' || n, 'somewhere', ${clock.now()}
    from generate_series(1, 1000) n`.execute(db.kysely);
  clock.pass(MINUTE);
  const { id, paymentUrl } = await giving.open();
  await provider.pay(paymentUrl);
  clock.pass(MINUTE);
  const askedIds: string[] = [];
  const quick: typeof withoutEvents = {
    ...withoutEvents,
    read: async (session) => {
      askedIds.push(session);
      return session.startsWith('cs_junk') ? 'unknown' : deps.payments.read(session);
    },
  };
  await reconcile(quick);
  expect(await statusOf(id)).toBe('paid');
  expect(askedIds.length).toBeGreaterThan(100);
  await db.kysely.deleteFrom('checkouts').where('client_hash', '=', 'somewhere').execute();
});

test('after 30 days an unpaid checkout is deleted, and one with money forgets the browser that opened it', async () => {
  const [junk, kept] = [await giving.open(), await giving.openPaid()];
  const openers = db.kysely.selectFrom('checkouts').select('id').where('opener_hash', 'is not', null);
  clock.pass(26 * HOUR);
  await reconcile(withoutEvents);
  await sweepCheckouts(deps);
  expect(await statusOf(junk.id)).toBe('expired');
  const clients = await db.kysely.selectFrom('checkouts').select('id').where('client_hash', 'is not', null).execute();
  expect(clients).toEqual([]);
  expect(await openers.execute()).toContainEqual({ id: kept.id });
  clock.pass(30 * 24 * HOUR);
  await sweepCheckouts(deps);
  expect(await openers.execute()).toEqual([]);
  const remaining = await db.kysely
    .selectFrom('checkouts')
    .select('id')
    .where('id', 'in', [junk.id, kept.id])
    .execute();
  expect(remaining).toEqual([{ id: kept.id }]);
  expect(await giving.differences()).toEqual([]);
});

test('an abandoned page is found expired', async () => {
  const { id } = await giving.open();
  clock.pass(25 * HOUR);
  await reconcile(withoutEvents);
  expect(await statusOf(id)).toBe('expired');
});

test('a checkout whose page never opened is given up after a day but still counts if paid', async () => {
  const { id, paymentUrl } = await giving.open();
  await db.kysely.updateTable('checkouts').set({ provider_session_id: null }).where('id', '=', id).execute();
  await provider.pay(paymentUrl);
  clock.pass(23 * HOUR);
  await reconcile(withBrokenList);
  expect(await statusOf(id)).toBe('unpaid');
  clock.pass(2 * HOUR);
  await reconcile(withBrokenList);
  expect(await statusOf(id)).toBe('expired');
  await reconcile();
  expect(await statusOf(id)).toBe('paid');
});

test('a failing event list doesn’t stop checks of single checkouts', async () => {
  const { id, paymentUrl } = await giving.open();
  await provider.pay(paymentUrl);
  clock.pass(MINUTE);
  expect(await reconcile(withBrokenList)).toEqual(['the provider could not list its events']);
  expect(await statusOf(id)).toBe('paid');
});

test('the event list continues from the last position, and repeats it after a failure', async () => {
  const askedSince: Date[] = [];
  let works = true;
  const listing: typeof deps.payments = {
    ...withoutEvents,
    listEvents: async (since) => {
      askedSince.push(since);
      return works ? 'listed' : new Failure('payment-unavailable');
    },
  };
  const start = clock.now().getTime();
  await reconcile(listing);
  clock.pass(5 * HOUR);
  works = false;
  await reconcile(listing);
  works = true;
  await reconcile(listing);
  await reconcile(listing);
  const hours = askedSince.slice(1).map((since) => (since.getTime() - start) / HOUR);
  expect(hours).toEqual([-1, -1, 4]);
  await reconcile({ ...listing, eventTypes: [...listing.eventTypes, 'invoice.paid'] });
  expect((askedSince.at(-1)?.getTime() ?? 0) - clock.now().getTime()).toBe(-30 * 24 * HOUR);
});

test('abandoned pages don’t delay a payment: the longest waiting is checked first', async () => {
  const askedIds: string[] = [];
  const slow: typeof deps.payments = {
    ...withoutEvents,
    read: (session) => {
      askedIds.push(session);
      return deps.payments.read(session);
    },
  };
  const abandonedIds = [];
  for (let n = 0; n < 3; n += 1) abandonedIds.push(await giving.open());
  clock.pass(30 * MINUTE);
  await reconcile(slow);
  const { id, paymentUrl } = await giving.open();
  await provider.pay(paymentUrl);
  askedIds.length = 0;
  clock.pass(2 * MINUTE);
  await reconcile(slow);
  expect(askedIds).toEqual([sessionIdOf(paymentUrl)]);
  expect(await statusOf(id)).toBe('paid');
});

test('a checkout unknown to the provider expires without delaying others', async () => {
  const [strange, plain] = [await giving.open(), await giving.open()];
  await db.kysely
    .updateTable('checkouts')
    .set({ provider_session_id: `cs_test_gone_${strange.id}` })
    .where('id', '=', strange.id)
    .execute();
  await provider.pay(plain.paymentUrl);
  clock.pass(MINUTE);
  expect(await reconcile(withoutEvents)).toEqual([]);
  expect(await statusOf(plain.id)).toBe('paid');
  expect(await statusOf(strange.id)).toBe('unpaid');
  clock.pass(25 * HOUR);
  await reconcile(withoutEvents);
  expect(await statusOf(strange.id)).toBe('expired');
});

test('an unreachable provider is logged and changes nothing', async () => {
  await giving.open();
  clock.pass(MINUTE);
  const unavailable = async () => new Failure('payment-unavailable');
  const loggedProblems = await reconcile({ ...deps.payments, read: unavailable, listEvents: unavailable });
  expect(loggedProblems).toContain('the provider could not list its events');
  expect(loggedProblems).toContain('a payment could not be settled');
});
