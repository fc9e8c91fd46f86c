import { CHECKOUT_OPEN_MINUTES } from '#domain/checkout.ts';
import { Failure } from '#domain/failures.ts';
import type { Log } from '#server/db/connection.ts';
import { type CheckoutRow, changeCheckout, checkoutsToAsk, expireUnopened } from './checkouts.store.ts';
import { outcomesOf } from './provider-events.store.ts';
import { type RecordDeps, receiveEvent, recordPayment } from './record-payment.ts';

const CHECKOUTS_PER_ROUND = 100;

/**
 * Asks the provider about every unsettled checkout, and for events that were never delivered. Failures are logged and
 * retried in the next round, and do not hold up the rest.
 * @returns whether the provider listed its events; if not, the next round must look back just as far
 */
export async function reconcilePayments(deps: RecordDeps, log: Log, eventsSince: Date): Promise<boolean> {
  await expireUnopened(deps.db.kysely, hoursBefore(deps.now(), CHECKOUT_OPEN_MINUTES / 60));
  const isComplete = await receiveMissedEvents(deps, log, eventsSince);
  for (const checkout of await checkoutsToAsk(deps.db.kysely, deps.now(), CHECKOUTS_PER_ROUND)) {
    await settle(deps, log, checkout);
  }
  return isComplete;
}

async function receiveMissedEvents(deps: RecordDeps, log: Log, since: Date): Promise<boolean> {
  const events = await deps.payments.eventsSince(since);
  if (events instanceof Failure) {
    log.warn({ code: events.code }, 'the provider could not list its events');
    return false;
  }
  const ids = events.map(({ id }) => id);
  const known = await outcomesOf(deps.db.kysely, ids);
  for (const event of events.filter(({ id }) => !known.has(id))) {
    await logFailure(log, { event: event.id }, () => receiveEvent(deps, event));
  }
  return true;
}

async function settle(deps: RecordDeps, log: Log, checkout: CheckoutRow): Promise<void> {
  const { org_id: orgId, id: checkoutId, provider_session_id: sessionId } = checkout;
  if (sessionId === null) return;
  // First, so that a checkout that keeps failing makes room for the others.
  await changeCheckout(deps.db.kysely, { orgId, checkoutId }, { asked_provider_at: deps.now() });
  await logFailure(log, { checkoutId }, () => recordPayment(deps, sessionId));
}

async function logFailure(log: Log, about: object, work: () => Promise<unknown>): Promise<void> {
  try {
    const outcome = await work();
    if (outcome instanceof Failure) log.warn({ ...about, code: outcome.code }, 'a payment could not be settled');
  } catch (err) {
    log.error({ ...about, err }, 'a payment could not be settled');
  }
}

function hoursBefore(time: Date, hours: number): Date {
  return new Date(time.getTime() - hours * 3_600_000);
}
