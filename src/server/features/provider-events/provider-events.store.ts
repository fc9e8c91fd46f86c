import { type Kysely, type Selectable, sql } from 'kysely';
import { ATTEMPTS_BEFORE_ATTENTION } from '#domain/health-checks.ts';
import type { CheckoutId } from '#domain/ids.ts';
import type { Tables } from '#server/db/tables.ts';
import type { SettledPayment } from '#server/features/payments/record-result.ts';
import type { ProviderEvent, Subject } from '#server/gateways/payments/payments.ts';

export type EventRow = Pick<
  Selectable<Tables['provider_events']>,
  'id' | 'type' | 'subject_kind' | 'subject_id' | 'attempts' | 'errors' | 'livemode' | 'occurred_at'
>;

/**
 * Stores events, skipping those already stored.
 * @returns whether any event is new
 */
export async function storeEvents(db: Kysely<Tables>, events: readonly ProviderEvent[], now: Date): Promise<boolean> {
  if (events.length === 0) return false;
  // Sort by id, so that two servers storing the same events don't deadlock.
  const rows = events.map((event) => toEventRow(event, now)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const result = await db
    .insertInto('provider_events')
    .values(rows)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

function toEventRow({ id, type, account, livemode, payload, subject, occurredAt }: ProviderEvent, now: Date) {
  return {
    id,
    type,
    outcome: subject ? ('pending' as const) : ('unsupported' as const),
    account: account ?? null,
    livemode,
    payload,
    subject_kind: subject?.kind ?? null,
    subject_id: subject?.id ?? null,
    next_attempt_at: subject ? now : null,
    occurred_at: occurredAt,
  };
}

/** Claims pending events for this process until the given time. */
export async function claimDueEvents(
  db: Kysely<Tables>,
  { now, until, max }: { readonly now: Date; readonly until: Date; readonly max: number },
): Promise<EventRow[]> {
  // Use a CTE, because PostgreSQL may run a subquery again for each row and claim more rows than the limit.
  return db
    .with('due', (query) =>
      query
        .selectFrom('provider_events')
        .select('id')
        .where('outcome', '=', 'pending')
        .where('next_attempt_at', '<=', now)
        .orderBy('next_attempt_at')
        .orderBy('id')
        .limit(max)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('provider_events')
    .set({ attempts: sql`attempts + 1`, next_attempt_at: until })
    .where('id', 'in', (due) => due.selectFrom('due').select('due.id'))
    .returning(['id', 'type', 'subject_kind', 'subject_id', 'attempts', 'errors', 'livemode', 'occurred_at'])
    .execute();
}

/** Extends the claim on events. Events that have been applied or postponed don't change. */
export async function renewLeases(db: Kysely<Tables>, ids: readonly string[], until: Date): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('provider_events')
    .set({ next_attempt_at: until })
    .where('id', 'in', ids)
    .where('outcome', '=', 'pending')
    .where('next_attempt_at', '<', until)
    .execute();
}

export type EventResult = {
  readonly id: string;
  readonly outcome: 'recorded' | 'ignored' | 'attention';
  readonly reason?: string | undefined;
  readonly checkoutId?: CheckoutId | undefined;
  /** The paid session and its charge, if the charge's fee is known. */
  readonly settledPayment?: SettledPayment | undefined;
};

export async function markApplied(
  db: Kysely<Tables>,
  { id, outcome, reason, checkoutId, settledPayment }: EventResult,
  time: Date,
): Promise<void> {
  const columns = { checkout_id: checkoutId ?? null, applied_at: time, next_attempt_at: null };
  await db
    .updateTable('provider_events')
    .set({ ...columns, outcome, reason: reason ?? null })
    .where('id', '=', id)
    .execute();
  if (!settledPayment) return;
  // Other pending events about the session or charge add nothing, because both are final. An event listed
  // under "Needs attention" is applied separately, which also resolves its item.
  await db
    .updateTable('provider_events')
    .set({ ...columns, outcome: 'recorded' })
    .where('outcome', '=', 'pending')
    .where('errors', '<', ATTEMPTS_BEFORE_ATTENTION)
    .where('subject_id', 'in', [settledPayment.sessionId ?? null, settledPayment.chargeId])
    .where((row) => row.or([row('subject_kind', '=', 'session'), row('type', '=', 'charge.updated')]))
    .execute();
}

/**
 * Postpones an event.
 * @param reason name of the error that prevented applying the event; undefined if the provider was unavailable
 * @returns the number of errors so far; undefined if the event is no longer pending
 */
export async function postponeEvent(
  db: Kysely<Tables>,
  id: string,
  until: Date,
  reason: string | undefined,
): Promise<number | undefined> {
  const event = await db
    .updateTable('provider_events')
    .set({ next_attempt_at: until, reason: reason ?? null, errors: sql`errors + ${reason === undefined ? 0 : 1}` })
    .where('id', '=', id)
    .where('outcome', '=', 'pending')
    .returning('errors')
    .executeTakeFirst();
  return event?.errors;
}

export async function findPayload(db: Kysely<Tables>, id: string): Promise<object | undefined> {
  const row = await db.selectFrom('provider_events').select('payload').where('id', '=', id).executeTakeFirst();
  return row?.payload ?? undefined;
}

type UnhandledEvent = { readonly id: string; readonly payload: object };

/** Lists events of these types that an earlier version stored but didn't handle. */
export async function listUnhandledEvents(
  db: Kysely<Tables>,
  types: readonly string[],
  max: number,
): Promise<UnhandledEvent[]> {
  const rows = await db
    .selectFrom('provider_events')
    .select(['id', 'payload'])
    .where('outcome', '=', 'unsupported')
    .where('payload', 'is not', null)
    .where('type', 'in', [...types])
    .orderBy('occurred_at')
    .orderBy('id')
    .limit(max)
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

export type Cursor = { readonly readUntil: Date; readonly types: string | null };

export async function readCursor(db: Kysely<Tables>, name: string): Promise<Cursor | undefined> {
  const row = await db.selectFrom('provider_cursors').selectAll().where('name', '=', name).executeTakeFirst();
  return row && { readUntil: row.read_until, types: row.types };
}

export async function saveCursor(
  db: Kysely<Tables>,
  name: string,
  readUntil: Date,
  types: string | null = null,
): Promise<void> {
  await db
    .insertInto('provider_cursors')
    .values({ name, read_until: readUntil, types })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ read_until: readUntil, types }))
    .execute();
}
