import { Failure } from '#domain/failures.ts';
import type { Log } from '#server/db/connection.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { needsAttention } from '#server/features/checkouts/attention.ts';
import { recordCharge } from '#server/features/checkouts/record-charge.ts';
import { recordInvoice } from '#server/features/checkouts/record-invoice.ts';
import { type RecordDeps, recordSession } from '#server/features/checkouts/record-session.ts';
import { recordPayout } from '#server/features/payouts/record-payout.ts';
import { recordSubscription } from '#server/features/subscriptions/record-subscription.ts';
import { isOurs } from '#server/gateways/payments/origin.ts';
import type { SubjectKind } from '#server/gateways/payments/payments.ts';
import {
  type Applied,
  claimDueEvents,
  type EventRow,
  eventsLeftForLater,
  markApplied,
  payloadOf,
  postponeEvent,
  queueEvent,
} from './provider-events.store.ts';

const AT_ONCE = 16;
/** Longer than the provider and the database may take together. */
const LEASE_MS = 60_000;
const LONGEST_PAUSE_MS = 60 * 60_000;

type Recorded = Awaited<ReturnType<typeof recordSession | typeof recordPayout>>;

/** How each kind of object is read from the provider and recorded. */
const RECORDERS: Readonly<Record<SubjectKind, (deps: RecordDeps, id: string) => Promise<Recorded>>> = {
  session: recordSession,
  charge: recordCharge,
  invoice: recordInvoice,
  subscription: recordSubscription,
  payout: recordPayout,
};

/**
 * Applies the stored events that are due, several at a time, so that one that the provider does not answer holds up no
 * other. One that fails is tried again, less and less often, and never given up.
 * @param isWoken settles when new events were stored; by default never
 */
export async function applyDueEvents(
  deps: RecordDeps,
  log: Log,
  isWoken: () => Promise<unknown> = () => new Promise(() => {}),
): Promise<void> {
  const running = new Set<Promise<void>>();
  for (;;) {
    // Before looking, so that what is stored meanwhile is noticed.
    const woken = isWoken();
    const now = deps.now();
    const until = new Date(now.getTime() + LEASE_MS);
    const most = AT_ONCE - running.size;
    const due = most > 0 ? await claimDueEvents(deps.db.kysely, { now, until, most }) : [];
    for (const event of due) {
      const work: Promise<void> = applyEvent(deps, log, event).finally(() => running.delete(work));
      running.add(work);
    }
    if (running.size === 0) return;
    if (due.length === 0) await Promise.race([...running, woken]);
  }
}

async function applyEvent(deps: RecordDeps, log: Log, event: EventRow): Promise<void> {
  const about = { event: event.id, type: event.type };
  try {
    const recorded = await recordSubject(deps, event);
    if (!(recorded instanceof Failure)) {
      await markApplied(deps.db.kysely, event.id, appliedOf(recorded), deps.now());
      return;
    }
    log.warn({ ...about, code: recorded.code, ...recorded.details }, 'an event could not be applied yet');
  } catch (err) {
    log.error({ ...about, err }, 'an event could not be applied');
  }
  await postponeEvent(deps.db.kysely, event.id, nextAttempt(event.attempts, deps.now())).catch((err: unknown) =>
    // Its lease ends by itself.
    log.error({ ...about, err }, 'an event could not be postponed'),
  );
}

async function recordSubject(deps: RecordDeps, event: EventRow): Promise<Recorded> {
  const { subject_kind: kind, subject_id: id } = event;
  if (kind === null || id === null) return { outcome: 'ignored' };
  const recorded = await RECORDERS[kind](deps, id);
  return !(recorded instanceof Failure) && recorded.outcome === 'unknown' ? strayMoney(deps, event) : recorded;
}

/** Money for a checkout of ours that went into another account, or another mode of it, is not dropped (decisions §3). */
async function strayMoney({ db, payments }: RecordDeps, { id, occurred_at }: EventRow): Promise<Recorded> {
  const payload = await payloadOf(db.kysely, id);
  const claim = payload === undefined ? undefined : payments.claimOf(payload);
  if (claim?.report !== 'paid' || !isOurs(claim)) return { outcome: 'unknown' };
  const { sessionId, orgId = '', checkoutId = '' } = claim;
  const about = { subject: `session:${sessionId}`, reason: 'account', orgId, checkoutId, occurredAt: occurred_at };
  return inTransaction(db, (tx) => needsAttention(tx, { ...claim, ...about }));
}

function appliedOf(recorded: Exclude<Recorded, Failure>): Applied {
  const { outcome, checkoutId } = recorded;
  if (outcome === 'unknown') return { outcome: 'ignored', reason: 'unknown to the provider' };
  if (outcome === 'attention') return { outcome: 'refused', reason: recorded.reason, checkoutId };
  return { outcome, checkoutId };
}

function nextAttempt(attempts: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(1000 * 2 ** attempts, LONGEST_PAUSE_MS));
}

const LEFT_AT_ONCE = 100;

/** Queues the events that an earlier version stored without handling their type. Run it at each start. */
export async function queueEventsLeftForLater({ db, payments, now }: RecordDeps): Promise<void> {
  for (;;) {
    const left = await eventsLeftForLater(db.kysely, payments.eventTypes, LEFT_AT_ONCE);
    if (left.length === 0) return;
    for (const { id, payload } of left) await queueEvent(db.kysely, id, payments.subjectOf(payload), now());
  }
}
