import { setTimeout as pause } from 'node:timers/promises';
import { EVENT_FAILED } from '#domain/attention.ts';
import { Failure } from '#domain/failures.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { closeAttentionItem, reportForAttention } from '#server/features/attention/attention.ts';
import { recordDispute, recordFraudWarning } from '#server/features/payments/record-alert.ts';
import { recordCharge } from '#server/features/payments/record-charge.ts';
import { recordDecline } from '#server/features/payments/record-decline.ts';
import { recordInvoice } from '#server/features/payments/record-invoice.ts';
import type { RecordDeps } from '#server/features/payments/record-result.ts';
import { recordSession } from '#server/features/payments/record-session.ts';
import { recordPayout } from '#server/features/payouts/record-payout.ts';
import { recordSubscription } from '#server/features/subscriptions/record-subscription.ts';
import { isOurs } from '#server/gateways/payments/origin.ts';
import type { SubjectKind } from '#server/gateways/payments/payments.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import type { Log } from '#server/log.ts';
import {
  type Applied,
  claimDueEvents,
  type EventRow,
  eventsLeftForLater,
  FAILED_ATTEMPTS,
  markApplied,
  payloadOf,
  postponeEvent,
  queueEvent,
  renewEvents,
} from './provider-events.store.ts';

export { countFailedEvents } from './provider-events.store.ts';

const AT_ONCE = 32;
/** How long a crashed process keeps its events. While events are being applied, their leases are renewed. */
const LEASE_MS = 10_000;
const RENEW_EVERY_MS = 3000;
const LONGEST_PAUSE_MS = 60 * 60_000;

type Recorded = Awaited<ReturnType<typeof recordSession | typeof recordPayout>>;

/** How each kind of object is read from the provider and recorded. */
const RECORDERS: Readonly<Record<SubjectKind, (deps: RecordDeps, id: string) => Promise<Recorded>>> = {
  session: recordSession,
  charge: recordCharge,
  dispute: recordDispute,
  'fraud-warning': recordFraudWarning,
  decline: recordDecline,
  invoice: recordInvoice,
  subscription: recordSubscription,
  payout: recordPayout,
};

export type EventSignals = {
  /** Settles when new events were stored. */
  woken(): Promise<unknown>;
  /** Says whether more events wait than are applied at once. */
  tellBusy(isBusy: boolean): void;
  /** Whether what has begun shall be finished, and nothing else begun. */
  isStopping(): boolean;
};

const NO_SIGNALS: EventSignals = { woken: () => new Promise(() => {}), tellBusy: () => {}, isStopping: () => false };

/**
 * Applies the stored events that are due, several at a time, so that one that the provider does not answer holds up no
 * other. One that fails is tried again, less and less often, and never given up. After five failed attempts it also needs
 * attention, with its money.
 */
export async function applyDueEvents(deps: RecordDeps, log: Log, signals = NO_SIGNALS): Promise<void> {
  const running = new Map<string, Promise<void>>();
  const leaseEnd = () => new Date(deps.now().getTime() + LEASE_MS);
  // The next renewal repeats one that failed.
  const renew = () => void renewEvents(deps.db.kysely, [...running.keys()], leaseEnd()).catch(() => {});
  const renewing = setInterval(renew, RENEW_EVERY_MS).unref();
  try {
    for (;;) {
      // Before looking, so that what is stored meanwhile is noticed.
      const woken = signals.woken();
      // Half of them at a time, to ask the database less often.
      const mayClaim = running.size <= AT_ONCE / 2 && !signals.isStopping();
      const most = mayClaim ? AT_ONCE - running.size : 0;
      const claim = { now: deps.now(), until: leaseEnd(), most };
      const due = most > 0 ? await claimDueEvents(deps.db.kysely, claim) : [];
      if (most > 0) signals.tellBusy(due.length === most);
      for (const event of due)
        running.set(
          event.id,
          applyEvent(deps, log, event).finally(() => running.delete(event.id)),
        );
      if (running.size === 0) return;
      if (due.length === 0) await Promise.race([...running.values(), woken]);
    }
  } finally {
    clearInterval(renewing);
  }
}

async function applyEvent(deps: RecordDeps, log: Log, event: EventRow): Promise<void> {
  const about = { event: event.id, type: event.type };
  let error: string | undefined;
  try {
    const recorded = await recordSubject(deps, event);
    if (!(recorded instanceof Failure)) {
      await markApplied(deps.db.kysely, { id: event.id, ...appliedOf(recorded) }, deps.now());
      if (event.attempts > FAILED_ATTEMPTS) await closeFailure(deps, event);
      return;
    }
    log.warn({ ...about, code: recorded.code, ...recorded.details }, 'an event could not be applied yet');
  } catch (err) {
    log.error({ ...about, err }, 'an event could not be applied');
    error = nameOf(err);
  }
  try {
    if (error !== undefined && event.attempts >= FAILED_ATTEMPTS) await reportFailure(deps, event, error);
    await postponeEvent(deps.db.kysely, event.id, nextAttempt(event.attempts, deps.now()), error);
  } catch (err) {
    // Its lease ends by itself.
    log.error({ ...about, err }, 'an event could not be postponed');
  }
}

/** The constraint that refused it, or the kind of error. Never the message, which can name a donor. */
function nameOf(err: unknown): string {
  if (!(err instanceof Error)) return 'unknown error';
  const { constraint, code } = err as Error & { readonly constraint?: string; readonly code?: string };
  return constraint ?? code ?? err.name;
}

async function reportFailure({ db, payments }: RecordDeps, event: EventRow, error: string): Promise<void> {
  const payload = await payloadOf(db.kysely, event.id);
  const money = payload === undefined ? undefined : payments.moneyOf(payload);
  const { amount, currency, orgId, checkoutId } = money ?? { amount: 0, currency: 'usd', orgId: '', checkoutId: '' };
  await inTransaction(db, async (tx) => {
    await reportForAttention(tx, {
      subject: failureOf(event),
      reason: `${EVENT_FAILED}${error}`,
      orgId,
      checkoutId,
      amount,
      currency,
      livemode: event.livemode,
      occurredAt: event.occurred_at,
    });
  });
}

function closeFailure({ db, now }: RecordDeps, event: EventRow): Promise<void> {
  return inTransaction(db, (tx) => closeAttentionItem(tx, failureOf(event), now()));
}

function failureOf({ id }: EventRow): string {
  return `event:${id}`;
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
  return inTransaction(db, (tx) => reportForAttention(tx, { ...claim, ...about }));
}

function appliedOf(recorded: Exclude<Recorded, Failure>): Omit<Applied, 'id'> {
  const { outcome, checkoutId } = recorded;
  if (outcome === 'unknown') return { outcome: 'ignored', reason: 'unknown to the provider' };
  if (outcome === 'attention') return { outcome: 'refused', reason: recorded.reason, checkoutId };
  return { outcome, checkoutId, settled: 'settled' in recorded ? recorded.settled : undefined };
}

function nextAttempt(attempts: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(1000 * 2 ** attempts, LONGEST_PAUSE_MS));
}

const LEFT_AT_ONCE = 100;

/** Queues stored events whose type only a newer version handles. Run it at each start, as an upgrade may add types. */
export async function queueEventsLeftForLater({ db, payments, now }: RecordDeps): Promise<void> {
  for (;;) {
    const left = await eventsLeftForLater(db.kysely, payments.eventTypes, LEFT_AT_ONCE);
    if (left.length === 0) return;
    for (const { id, payload } of left) await queueEvent(db.kysely, id, payments.subjectOf(payload), now());
  }
}

/** How soon a process finds events that another process stored, or that are due for a retry. */
const LOOK_EVERY_MS = 1000;

type ApplyDeps = RecordDeps & { readonly log: Log; readonly events: EventSignals };

/** Runs until an event was stored or a second has passed, so a new event is applied at once. */
export const eventApplication = defineRecurringJob({
  name: 'apply-events',
  firstMs: 0,
  everyMs: 0,
  isExclusive: false,
  async run(deps: ApplyDeps) {
    const woken = deps.events.woken();
    await applyDueEvents(deps, deps.log, deps.events).catch((err: unknown) =>
      deps.log.error({ err }, 'payment events could not be applied'),
    );
    await Promise.race([pause(LOOK_EVERY_MS, undefined, { ref: false }), woken]);
  },
});

/** Queues events that an earlier version stored but didn't handle. An upgrade of the program may add event types. */
export const leftEventQueueing = defineRecurringJob({
  name: 'queue-left-events',
  firstMs: 0,
  everyMs: 60 * 60_000,
  isExclusive: false,
  run: queueEventsLeftForLater,
});
