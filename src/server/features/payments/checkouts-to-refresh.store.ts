import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/db/tables.ts';
import type { CheckoutKey, CheckoutRow } from '#server/entities/find-checkout.ts';

/**
 * Lists unsettled checkouts of all organizations whose state must be read from the provider again: first after a minute,
 * then less often, but at least every hour. Each client's least recently read checkout comes first, then each
 * client's second, and so on, so that one client's checkouts can't delay the others.
 */
export async function listDueCheckouts(db: Kysely<Tables>, now: Date, max: number): Promise<CheckoutRow[]> {
  const age = sql`${now}::timestamptz - created_at`;
  const pause = sql<Date>`least(greatest(interval '1 minute', (${age}) / 10), interval '1 hour')`;
  const lastReadAt = sql`coalesce(provider_checked_at, created_at)`;
  const positionInClient = sql<number>`row_number() over (partition by coalesce(client_hash, id) order by ${lastReadAt}, id)`;
  const dueCheckouts = await db
    .selectFrom('checkouts')
    .select(['id', positionInClient.as('turn'), lastReadAt.as('last_read_at')])
    .where('payment_status', 'in', ['unpaid', 'processing'])
    .where('provider_session_id', 'is not', null)
    .where(sql<boolean>`${lastReadAt} <= ${now}::timestamptz - ${pause}`)
    .orderBy('turn')
    .orderBy('last_read_at')
    .orderBy('id')
    .limit(max)
    .execute();
  const rows = await db
    .selectFrom('checkouts')
    .selectAll()
    .where('id', 'in', ['', ...dueCheckouts.map(({ id }) => id)])
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return dueCheckouts.flatMap(({ id }) => byId.get(id) ?? []);
}

/** Expires unpaid checkouts created before a time whose payment page was never opened. @returns the number of checkouts */
export async function expireUnopenedCheckouts(db: Kysely<Tables>, createdBefore: Date): Promise<number> {
  const result = await db
    .updateTable('checkouts')
    .set({ payment_status: 'expired' })
    .where('payment_status', '=', 'unpaid')
    .where('provider_session_id', 'is', null)
    .where('created_at', '<', createdBefore)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Expires a checkout unless its payment was recorded since it was listed. */
export async function expireUnsettledCheckout(db: Kysely<Tables>, { orgId, checkoutId }: CheckoutKey): Promise<void> {
  await db
    .updateTable('checkouts')
    .set({ payment_status: 'expired' })
    .where('org_id', '=', orgId)
    .where('id', '=', checkoutId)
    .where('payment_status', 'in', ['unpaid', 'processing'])
    .execute();
}
