import { setTimeout as pause } from 'node:timers/promises';
import { EVENT_FAILED_PREFIX } from '#domain/attention.ts';
import { attentionSubject } from '#domain/attention-subjects.ts';
import { Failure } from '#domain/failures.ts';
import { ATTEMPTS_BEFORE_ATTENTION } from '#domain/health-checks.ts';
import { CURRENCY } from '#domain/money.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { reportForAttention, resolveAttentionAutomatically } from '#server/features/attention/attention.ts';
import { recordDispute, recordFraudWarning } from '#server/features/payments/record-alert.ts';
import { recordCharge } from '#server/features/payments/record-charge.ts';
import { recordDecline } from '#server/features/payments/record-decline.ts';
import { recordInvoice } from '#server/features/payments/record-invoice.ts';
import type { RecordDeps, RecordResult } from '#server/features/payments/record-result.ts';
import { recordSession } from '#server/features/payments/record-session.ts';
import { recordPayout } from '#server/features/payouts/record-payout.ts';
import { recordSubscription } from '#server/features/recurring-gifts/record-subscription.ts';
import { isOurs } from '#server/gateways/payments/origin.ts';
import type { SubjectKind } from '#server/gateways/payments/payments.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import type { Log } from '#server/log.ts';
import { NO_SIGNALS, type ProcessingSignals } from '#server/process/event-signals.ts';
import {
  claimDueEvents,
  type EventResult,
  type EventRow,
  findPayload,
  listUnhandledEvents,
  markApplied,
  postponeEvent,
  queueEvent,
  renewLeases,
} from './provider-events.store.ts';

const CONCURRENCY = 32;
/** Duration of a lease on an event, which is renewed while the event is being applied. A crashed process keeps its events this long. */
const LEASE_MS = 10_000;
const RENEWAL_INTERVAL_MS = 3000;
const MAX_RETRY_DELAY_MS = 60 * 60_000;

/** Functions that read an object from the provider and record it, by the kind of object. */
const RECORD_FUNCTIONS: Readonly<
  Record<SubjectKind, (deps: RecordDeps, id: string) => Promise<RecordResult | Failure>>
> = {
  session: recordSession,
  charge: recordCharge,
  dispute: recordDispute,
  'fraud-warning': recordFraudWarning,
  decline: recordDecline,
  invoice: recordInvoice,
  subscription: recordSubscription,
  payout: recordPayout,
};

/**
 * Applies pending events, several at a time, so that one slow event doesn't delay the others. A failed event is retried
 * forever, with growing pauses of up to an hour. After five errors, "Needs attention" also lists it with its amount.
 */
export async function applyDueEvents(
  deps: RecordDeps,
  log: Log,
  signals: ProcessingSignals = NO_SIGNALS,
): Promise<void> {
  const eventsInProgress = new Map<string, Promise<void>>();
  const getLeaseEnd = () => new Date(deps.now().getTime() + LEASE_MS);
  // Ignore failures; the next renewal tries again.
  const renew = () => void renewLeases(deps.db.kysely, [...eventsInProgress.keys()], getLeaseEnd()).catch(() => {});
  const timer = setInterval(renew, RENEWAL_INTERVAL_MS).unref();
  try {
    for (;;) {
      // Subscribe before the query, so that events stored during the query are noticed.
      const newEvents = signals.whenNewEvents();
      // Claim only if half of the slots are free, to save queries.
      const canClaim = eventsInProgress.size <= CONCURRENCY / 2 && !signals.isStopping();
      const max = canClaim ? CONCURRENCY - eventsInProgress.size : 0;
      const claimOptions = { now: deps.now(), until: getLeaseEnd(), max };
      const dueEvents = max > 0 ? await claimDueEvents(deps.db.kysely, claimOptions) : [];
      if (max > 0) signals.setBusy(dueEvents.length === max);
      for (const event of dueEvents) {
        const work = applyEvent(deps, log, event).finally(() => eventsInProgress.delete(event.id));
        eventsInProgress.set(event.id, work);
      }
      if (eventsInProgress.size === 0) return;
      if (dueEvents.length === 0) await Promise.race([...eventsInProgress.values(), newEvents]);
    }
  } finally {
    clearInterval(timer);
  }
}

async function applyEvent(deps: RecordDeps, log: Log, event: EventRow): Promise<void> {
  const logDetails = { event: event.id, type: event.type };
  let error: string | undefined;
  try {
    const result = await recordSubject(deps, event);
    if (!(result instanceof Failure)) {
      // Close the item first: an applied event is never retried.
      if (event.errors >= ATTEMPTS_BEFORE_ATTENTION) await resolveFailureItem(deps, event);
      await markApplied(deps.db.kysely, { id: event.id, ...toEventResult(result) }, deps.now());
      return;
    }
    log.warn({ ...logDetails, code: result.code, ...result.details }, 'an event could not be applied yet');
  } catch (err) {
    log.error({ ...logDetails, err }, 'an event could not be applied');
    error = getErrorName(err);
  }
  try {
    const retryAt = computeNextAttempt(event.attempts, deps.now());
    const errors = await postponeEvent(deps.db.kysely, event.id, retryAt, error);
    if (error !== undefined && errors !== undefined && errors >= ATTEMPTS_BEFORE_ATTENTION)
      await reportFailedEvent(deps, event, error);
  } catch (err) {
    // The event is retried when its lease expires.
    log.error({ ...logDetails, err }, 'an event could not be postponed');
  }
}

/** Returns the violated constraint or the type of the error. Omits the message, which may contain a donor's name. */
function getErrorName(err: unknown): string {
  if (!(err instanceof Error)) return 'unknown error';
  const { constraint, code } = err as Error & { readonly constraint?: string; readonly code?: string };
  return constraint ?? code ?? err.name;
}

async function reportFailedEvent({ db, payments }: RecordDeps, event: EventRow, error: string): Promise<void> {
  const payload = await findPayload(db.kysely, event.id);
  const money = payload === undefined ? undefined : payments.getUnverifiedMoney(payload);
  const { amount, currency, orgId, checkoutId } = money ?? { amount: 0, currency: CURRENCY };
  await inTransaction(db, async (tx) => {
    await reportForAttention(tx, {
      subject: failureSubject(event),
      reason: `${EVENT_FAILED_PREFIX}${error}`,
      orgId,
      checkoutId,
      amount,
      currency,
      livemode: event.livemode,
      occurredAt: event.occurred_at,
    });
  });
}

function resolveFailureItem({ db, now }: RecordDeps, event: EventRow): Promise<void> {
  return inTransaction(db, (tx) => resolveAttentionAutomatically(tx, failureSubject(event), now()));
}

function failureSubject({ id }: EventRow): string {
  return attentionSubject('event', id);
}

async function recordSubject(deps: RecordDeps, event: EventRow): Promise<RecordResult | Failure> {
  const { subject_kind: kind, subject_id: id } = event;
  if (kind === null || id === null) return { outcome: 'ignored' };
  const result = await RECORD_FUNCTIONS[kind](deps, id);
  return !(result instanceof Failure) && result.outcome === 'unknown' ? reportUnknownSession(deps, event) : result;
}

/** Reports a payment for our checkout to another account or in another mode of the account (decisions §3). */
async function reportUnknownSession(
  { db, payments }: RecordDeps,
  { id, occurred_at }: EventRow,
): Promise<RecordResult> {
  const payload = await findPayload(db.kysely, id);
  const unverifiedSession = payload === undefined ? undefined : payments.getUnverifiedSession(payload);
  if (unverifiedSession?.status !== 'paid' || !isOurs(unverifiedSession)) return { outcome: 'unknown' };
  return inTransaction(db, (tx) =>
    reportForAttention(tx, {
      ...unverifiedSession,
      subject: attentionSubject('session', unverifiedSession.sessionId),
      reason: 'account',
      occurredAt: occurred_at,
    }),
  );
}

function toEventResult(result: RecordResult): Omit<EventResult, 'id'> {
  const { outcome, checkoutId } = result;
  if (outcome === 'unknown') return { outcome: 'ignored', reason: 'unknown to the provider' };
  if (outcome === 'attention') return { outcome, reason: result.reason, checkoutId };
  return { outcome, checkoutId, settledPayment: 'settledPayment' in result ? result.settledPayment : undefined };
}

function computeNextAttempt(attempts: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(1000 * 2 ** attempts, MAX_RETRY_DELAY_MS));
}

const UNHANDLED_BATCH_SIZE = 100;

/** Queues stored events that this version handles but an earlier version didn't. */
export async function queueUnhandledEvents({ db, payments, now }: RecordDeps): Promise<void> {
  for (;;) {
    const events = await listUnhandledEvents(db.kysely, payments.eventTypes, UNHANDLED_BATCH_SIZE);
    if (events.length === 0) return;
    for (const { id, payload } of events) await queueEvent(db.kysely, id, payments.getSubject(payload), now());
  }
}

/** Polling interval for retries and for events stored by other processes. */
const POLL_INTERVAL_MS = 1000;

type ApplyDeps = RecordDeps & { readonly log: Log; readonly events: ProcessingSignals };

/** Applies pending events, then waits for the next event, or one second. */
export const applyEventsJob = defineRecurringJob({
  name: 'apply-events',
  initialDelayMs: 0,
  intervalMs: 0,
  isExclusive: false,
  async run(deps: ApplyDeps) {
    const newEvents = deps.events.whenNewEvents();
    try {
      await applyDueEvents(deps, deps.log, deps.events);
    } finally {
      await Promise.race([pause(POLL_INTERVAL_MS, undefined, { ref: false }), newEvents]);
    }
  },
});

/** A new version may handle event types that an earlier version stored without handling them. */
export const queueUnhandledEventsJob = defineRecurringJob({
  name: 'queue-unhandled-events',
  initialDelayMs: 0,
  intervalMs: 60 * 60_000,
  isExclusive: false,
  run: queueUnhandledEvents,
});
