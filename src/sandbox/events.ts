import Stripe from 'stripe';
import type { Condition, Page, ResourceList } from './collection.ts';
import { invalidRequest, noSuchError } from './parameters.ts';
import { createStripeId } from './provider.ts';
import { API_VERSION } from './requests.ts';
import type { Store } from './store.ts';

export type NewEvent = {
  readonly type: string;
  readonly object: object;
  readonly before: object | undefined;
  /** Sandbox time in seconds. */
  readonly created: number;
};

/** @param queuedAt milliseconds of real time */
export function recordEvent(store: Store, { type, object, before, created }: NewEvent, queuedAt: number): void {
  const previous = before && { previous_attributes: changedFields(before, object) };
  const event = {
    id: createStripeId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created,
    data: { object, ...previous },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
  // The SDK's type is a union of some 250 pairs of type and object; `EventObjects` has already checked the pair.
  store.events.save(event as unknown as Stripe.Event);
  const queue = store.db.prepare('INSERT INTO deliveries (event, next_attempt_at, queued_at) VALUES (?, ?, ?)');
  queue.run(event.id, queuedAt, queuedAt);
}

/** Previous values of the changed fields. */
function changedFields(before: object, after: object): object {
  const newValues = new Map(Object.entries(after));
  const changedEntries = Object.entries(before).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(newValues.get(name)),
  );
  return Object.fromEntries(changedEntries);
}

/** Seconds; 0 if there is no event. */
export function lastEventTime({ db }: Store): number {
  return Number(db.prepare('SELECT created FROM events ORDER BY seq DESC LIMIT 1').get()?.created ?? 0);
}

/** @throws StripeApiError 404 */
export function retrieveEvent(store: Store, id: string): Stripe.Event {
  const event = store.events.find(id);
  if (!event) throw noSuchError('event', id);
  return presentEvent(store, event);
}

export function listEvents(store: Store, request: Stripe.EventListParams, page: Page): ResourceList<Stripe.Event> {
  const conditions = [
    ...(page.conditions ?? []),
    ...typeConditions(request),
    ...deliveryConditions(request.delivery_success),
  ];
  const { data, hasMore } = store.events.list({ ...page, conditions });
  return { data: data.map((event) => presentEvent(store, event)), hasMore };
}

const MAX_TYPES = 20;

/** `checkout.session.*` matches all events of that group. @throws StripeApiError for too many types */
function typeConditions({ type, types }: Stripe.EventListParams): Condition[] {
  const patterns = types ?? (type === undefined ? [] : [type]);
  if (patterns.length > MAX_TYPES)
    throw invalidRequest(`Invalid array: types can have at most ${MAX_TYPES} elements.`, 'types');
  if (patterns.length === 0) return [];
  return [{ sql: patterns.map(() => 'type GLOB ?').join(' OR '), values: patterns }];
}

function deliveryConditions(isDelivered: boolean | undefined): Condition[] {
  if (isDelivered === undefined) return [];
  return [
    {
      sql: `id IN (SELECT event FROM deliveries WHERE delivered_at IS ${isDelivered ? 'NOT NULL' : 'NULL'})`,
      values: [],
    },
  ];
}

function presentEvent(store: Store, event: Stripe.Event): Stripe.Event {
  const row = store.db.prepare('SELECT delivered_at FROM deliveries WHERE event = ?').get(event.id);
  return { ...event, pending_webhooks: row?.delivered_at === null ? 1 : 0 };
}

/** The `stripe-signature` header of a body. @param timestamp milliseconds since 1970 */
export function createSignature(payload: string, secret: string, timestamp: number): string {
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(timestamp / 1000) });
}

/** Stripe stops retrying after three days. */
const GIVE_UP_AFTER_MS = 3 * 24 * 60 * 60 * 1000;

/** The deliveries table. All times are in milliseconds since 1970. */
export type DeliveryQueue = {
  payload(event: string): string;
  dueEvents(now: number, limit: number): string[];
  undeliveredEvents(): string[];
  makeAllDue(now: number): void;
  /** Milliseconds until the next attempt after now. */
  msUntilNext(now: number): number | undefined;
  markDelivered(event: string, now: number): void;
  /** @returns the number of attempts so far */
  markFailed(event: string, result: string, now: number, retryDelay: (attempts: number) => number): number;
};

export function createDeliveryQueue({ db }: Store): DeliveryQueue {
  const payload = db.prepare('SELECT resource FROM events WHERE id = ?');
  const dueDeliveries = db.prepare(
    'SELECT event FROM deliveries WHERE delivered_at IS NULL AND next_attempt_at <= ? ORDER BY rowid LIMIT ?',
  );
  const undeliveredStatement = db.prepare('SELECT event FROM deliveries WHERE delivered_at IS NULL ORDER BY rowid');
  const makeAllDue = db.prepare('UPDATE deliveries SET next_attempt_at = ? WHERE delivered_at IS NULL');
  const msUntilNext = db.prepare(
    'SELECT min(next_attempt_at) AS next FROM deliveries WHERE delivered_at IS NULL AND next_attempt_at > ?',
  );
  const markDeliveredStatement = db.prepare(
    'UPDATE deliveries SET attempts = attempts + 1, delivered_at = coalesce(delivered_at, ?), next_attempt_at = NULL WHERE event = ?',
  );
  const markFailedStatement = db.prepare(
    'UPDATE deliveries SET attempts = attempts + 1, last_result = ? WHERE event = ? RETURNING attempts, delivered_at, queued_at',
  );
  const retryAt = db.prepare('UPDATE deliveries SET next_attempt_at = ? WHERE event = ?');
  return {
    payload: (event) => String(payload.get(event)?.resource),
    dueEvents: (now, limit) => dueDeliveries.all(now, limit).map((row) => String(row.event)),
    undeliveredEvents: () => undeliveredStatement.all().map((row) => String(row.event)),
    makeAllDue: (now) => void makeAllDue.run(now),
    msUntilNext: (now) => {
      const next = msUntilNext.get(now)?.next;
      return typeof next === 'number' ? next - now : undefined;
    },
    markDelivered: (event, now) => void markDeliveredStatement.run(now, event),
    markFailed: (event, result, now, retryDelay) => {
      const row = markFailedStatement.get(result, event);
      const attempts = Number(row?.attempts);
      const shouldGiveUp = now - Number(row?.queued_at) > GIVE_UP_AFTER_MS;
      if (row?.delivered_at === null) retryAt.run(shouldGiveUp ? null : now + retryDelay(attempts), event);
      return attempts;
    },
  };
}
