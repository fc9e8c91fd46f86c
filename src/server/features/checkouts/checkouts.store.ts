import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely';
import type { CheckoutsTable, Tables } from '#server/db/tables.ts';

export type CheckoutRow = Selectable<CheckoutsTable>;
/** Which checkout of which organisation: one without the other finds nothing. */
export type CheckoutKey = { readonly orgId: string; readonly checkoutId: string };
export type CheckoutChange = Omit<Updateable<CheckoutsTable>, 'id' | 'org_id'>;

export async function insertCheckout(db: Kysely<Tables>, checkout: Insertable<CheckoutsTable>): Promise<void> {
  await db.insertInto('checkouts').values(checkout).execute();
}

/** A checkout, unless its record was taken away. */
export function checkoutById(db: Kysely<Tables>, key: CheckoutKey): Promise<CheckoutRow | undefined> {
  return oneCheckout(db, key).where('deleted_at', 'is', null).executeTakeFirst();
}

/**
 * Reads a checkout that nobody else can change, or read in this way, until the transaction ends; also one whose record
 * was taken away, since its money is counted all the same.
 */
export function lockedCheckout(tx: Transaction<Tables>, key: CheckoutKey): Promise<CheckoutRow | undefined> {
  return oneCheckout(tx, key).forUpdate().executeTakeFirst();
}

function oneCheckout(db: Kysely<Tables>, { orgId, checkoutId }: CheckoutKey) {
  return db.selectFrom('checkouts').selectAll().where('org_id', '=', orgId).where('id', '=', checkoutId);
}

export async function changeCheckout(db: Kysely<Tables>, key: CheckoutKey, change: CheckoutChange): Promise<void> {
  await db
    .updateTable('checkouts')
    .set(change)
    .where('org_id', '=', key.orgId)
    .where('id', '=', key.checkoutId)
    .execute();
}

/**
 * Notes that the provider is asked about an unsettled checkout now, unless it was since `notSince`.
 * Of many who want to ask at once, one may. @returns the session to ask about, for that one
 */
export async function claimAsking(
  db: Kysely<Tables>,
  { orgId, checkoutId }: CheckoutKey,
  { now, notSince }: { now: Date; notSince: Date },
): Promise<string | undefined> {
  const claimed = await db
    .updateTable('checkouts')
    .set({ asked_provider_at: now })
    .where('org_id', '=', orgId)
    .where('id', '=', checkoutId)
    .where('payment_status', 'in', ['unpaid', 'processing'])
    .where('provider_session_id', 'is not', null)
    .where((row) => row.or([row('asked_provider_at', 'is', null), row('asked_provider_at', '<=', notSince)]))
    .returning('provider_session_id')
    .executeTakeFirst();
  return claimed?.provider_session_id ?? undefined;
}

/**
 * The unsettled checkouts that it is time to ask the provider about: after a minute at first, then ever more rarely,
 * but every hour. Of all organisations, since this is the program's own work and nobody's view of them.
 */
export function checkoutsToAsk(db: Kysely<Tables>, now: Date, most: number): Promise<CheckoutRow[]> {
  const age = sql`${now}::timestamptz - created_at`;
  const pause = sql<Date>`least(greatest(interval '1 minute', (${age}) / 10), interval '1 hour')`;
  return db
    .selectFrom('checkouts')
    .selectAll()
    .where('payment_status', 'in', ['unpaid', 'processing'])
    .where('provider_session_id', 'is not', null)
    .where(sql<boolean>`coalesce(asked_provider_at, created_at) <= ${now}::timestamptz - ${pause}`)
    .orderBy('created_at')
    .limit(most)
    .execute();
}

/** Gives up the checkouts whose hosted page never opened, so that nobody could pay. @returns how many */
export async function expireUnopened(db: Kysely<Tables>, createdBefore: Date): Promise<number> {
  const expired = await db
    .updateTable('checkouts')
    .set({ payment_status: 'expired' })
    .where('payment_status', '=', 'unpaid')
    .where('provider_session_id', 'is', null)
    .where('created_at', '<', createdBefore)
    .executeTakeFirst();
  return Number(expired.numUpdatedRows);
}
