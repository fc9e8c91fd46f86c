import { type Kysely, type Selectable, sql } from 'kysely';
import type { CheckoutId } from '#domain/ids.ts';
import type { Tables } from '#server/db/tables.ts';
import type { ProviderEvent, Subject } from '#server/gateways/payments/payments.ts';

export type EventRow = Pick<
  Selectable<Tables['provider_events']>,
  'id' | 'type' | 'subject_kind' | 'subject_id' | 'attempts' | 'livemode' | 'occurred_at'
>;

/**
 * Stores events whole, each once. Known events cost no write, so no wait for the disk.
 * @returns whether any is new
 */
export async function storeEvents(db: Kysely<Tables>, events: readonly ProviderEvent[], now: Date): Promise<boolean> {
  if (events.length === 0) return false;
  // In one order, so that two servers that store the same events do not wait for each other forever.
  const rows = events.map((event) => rowOf(event, now)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const inserted = await db
    .insertInto('provider_events')
    .values(rows)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

function rowOf({ id, type, account, livemode, payload, subject, occurredAt }: ProviderEvent, now: Date) {
  return {
    id,
    type,
    outcome: subject ? ('pending' as const) : ('later' as const),
    account: account ?? null,
    livemode,
    payload,
    subject_kind: subject?.kind ?? null,
    subject_id: subject?.id ?? null,
    next_attempt_at: subject ? now : null,
    occurred_at: occurredAt,
  };
}

/** Takes events that are due, for so long that no other process takes them too. */
export async function claimDueEvents(
  db: Kysely<Tables>,
  { now, until, most }: { readonly now: Date; readonly until: Date; readonly most: number },
): Promise<EventRow[]> {
  // Found first: as a subquery, PostgreSQL may look for the due ones again for each row, and take more than the limit.
  return db
    .with('due', (found) =>
      found
        .selectFrom('provider_events')
        .select('id')
        .where('outcome', '=', 'pending')
        .where('next_attempt_at', '<=', now)
        .orderBy('next_attempt_at')
        .orderBy('id')
        .limit(most)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('provider_events')
    .set({ attempts: sql`attempts + 1`, next_attempt_at: until })
    .where('id', 'in', (due) => due.selectFrom('due').select('due.id'))
    .returning(['id', 'type', 'subject_kind', 'subject_id', 'attempts', 'livemode', 'occurred_at'])
    .execute();
}

/** Keeps claimed events for longer. Those that were applied or postponed meanwhile stay as they are. */
export async function renewEvents(db: Kysely<Tables>, ids: readonly string[], until: Date): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('provider_events')
    .set({ next_attempt_at: until })
    .where('id', 'in', ids)
    .where('outcome', '=', 'pending')
    .where('next_attempt_at', '<', until)
    .execute();
}

export type Applied = {
  readonly id: string;
  readonly outcome: 'recorded' | 'ignored' | 'refused';
  readonly reason?: string | undefined;
  readonly checkoutId?: CheckoutId | undefined;
  /** A paid page and its settled charge, if it was about them. */
  readonly settled?: { readonly sessionId: string | undefined; readonly chargeId: string } | undefined;
};

export async function markApplied(
  db: Kysely<Tables>,
  { id, outcome, reason, checkoutId, settled }: Applied,
  at: Date,
): Promise<void> {
  const applied = { checkout_id: checkoutId ?? null, applied_at: at, next_attempt_at: null };
  await db
    .updateTable('provider_events')
    .set({ ...applied, outcome, reason: reason ?? null })
    .where('id', '=', id)
    .execute();
  if (!settled) return;
  // A page that is paid stays paid, and of a charge that is settled this type of event says nothing else.
  await db
    .updateTable('provider_events')
    .set({ ...applied, outcome: 'recorded' })
    .where('outcome', '=', 'pending')
    .where('subject_id', 'in', [settled.sessionId ?? null, settled.chargeId])
    .where((row) => row.or([row('subject_kind', '=', 'session'), row('type', '=', 'charge.updated')]))
    .execute();
}

/** @param reason the error that kept it from being applied; undefined if the provider didn't answer */
export async function postponeEvent(
  db: Kysely<Tables>,
  id: string,
  until: Date,
  reason: string | undefined,
): Promise<void> {
  await db
    .updateTable('provider_events')
    .set({ next_attempt_at: until, reason: reason ?? null })
    .where('id', '=', id)
    .where('outcome', '=', 'pending')
    .execute();
}

/** Number of failed attempts after which an event needs a person. */
export const FAILED_ATTEMPTS = 5;

/** Counts events that can't be applied. */
export async function countFailedEvents(db: Kysely<Tables>): Promise<number> {
  const { events } = await db
    .selectFrom('provider_events')
    .select(({ fn }) => fn.countAll<number>().as('events'))
    .where('outcome', '=', 'pending')
    .where('reason', 'is not', null)
    .where('attempts', '>=', FAILED_ATTEMPTS)
    .executeTakeFirstOrThrow();
  return events;
}

export async function payloadOf(db: Kysely<Tables>, id: string): Promise<object | undefined> {
  const row = await db.selectFrom('provider_events').select('payload').where('id', '=', id).executeTakeFirst();
  return row?.payload ?? undefined;
}

export type LeftEvent = { readonly id: string; readonly payload: object };

/** The events of these types that were stored whole by a version that did not handle them. */
export async function eventsLeftForLater(
  db: Kysely<Tables>,
  types: readonly string[],
  most: number,
): Promise<LeftEvent[]> {
  const rows = await db
    .selectFrom('provider_events')
    .select(['id', 'payload'])
    .where('outcome', '=', 'later')
    .where('payload', 'is not', null)
    .where('type', 'in', [...types])
    .orderBy('occurred_at')
    .orderBy('id')
    .limit(most)
    .execute();
  return rows.map(({ id, payload }) => ({ id, payload: payload ?? {} }));
}

export async function queueEvent(
  db: Kysely<Tables>,
  id: string,
  subject: Subject | undefined,
  now: Date,
): Promise<void> {
  await db
    .updateTable('provider_events')
    .set({
      outcome: subject ? 'pending' : 'ignored',
      subject_kind: subject?.kind ?? null,
      subject_id: subject?.id ?? null,
      next_attempt_at: now,
    })
    .where('id', '=', id)
    .execute();
}

export type Cursor = { readonly readUntil: Date; readonly types: string };

export async function readCursor(db: Kysely<Tables>, name: string): Promise<Cursor | undefined> {
  const row = await db.selectFrom('provider_cursors').selectAll().where('name', '=', name).executeTakeFirst();
  return row && { readUntil: row.read_until, types: row.types };
}

export async function saveCursor(db: Kysely<Tables>, name: string, { readUntil, types }: Cursor): Promise<void> {
  await db
    .insertInto('provider_cursors')
    .values({ name, read_until: readUntil, types })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ read_until: readUntil, types }))
    .execute();
}
