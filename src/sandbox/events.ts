import Stripe from 'stripe';
import { noSuch } from './api-error.ts';
import type { Condition, Page } from './collection.ts';
import { stripeId } from './ids.ts';
import { API_VERSION } from './request-check.ts';
import type { Store } from './store.ts';

/** Writes an event down, to be delivered from now on. @param at milliseconds since 1970 */
export function recordEvent(store: Store, type: string, object: object, at: number): void {
  const event = {
    id: stripeId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: Math.floor(at / 1000),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
  // The SDK's type of an event is a choice of some 250 pairs of type and object; `Reports` has made the pair right.
  store.events.save(event as unknown as Stripe.Event);
  store.db.prepare('INSERT INTO deliveries (event, next_attempt_at) VALUES (?, ?)').run(event.id, at);
}

/** @throws StripeApiError 404 */
export function retrieveEvent(store: Store, id: string): Stripe.Event {
  const event = store.events.find(id);
  if (!event) throw noSuch('event', id);
  return presentEvent(store, event);
}

export function listEvents(
  store: Store,
  request: Stripe.EventListParams,
  page: Page,
): { data: Stripe.Event[]; hasMore: boolean } {
  const conditions = [
    ...(page.conditions ?? []),
    ...typeConditions(request),
    ...deliveryConditions(request.delivery_success),
  ];
  const { data, hasMore } = store.events.list({ ...page, conditions });
  return { data: data.map((event) => presentEvent(store, event)), hasMore };
}

/** `checkout.session.*` stands for all events of that group. */
function typeConditions({ type, types }: Stripe.EventListParams): Condition[] {
  const wanted = types ?? (type === undefined ? [] : [type]);
  if (wanted.length === 0) return [];
  return [{ sql: wanted.map(() => 'type GLOB ?').join(' OR '), values: wanted }];
}

function deliveryConditions(success: boolean | undefined): Condition[] {
  if (success === undefined) return [];
  return [
    { sql: `id IN (SELECT event FROM deliveries WHERE delivered_at IS ${success ? 'NOT NULL' : 'NULL'})`, values: [] },
  ];
}

function presentEvent(store: Store, event: Stripe.Event): Stripe.Event {
  const row = store.db.prepare('SELECT delivered_at FROM deliveries WHERE event = ?').get(event.id);
  return { ...event, pending_webhooks: row?.delivered_at === null ? 1 : 0 };
}

/** The `stripe-signature` of a body. @param at milliseconds since 1970 */
export function signatureOf(payload: string, secret: string, at: number): string {
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(at / 1000) });
}
