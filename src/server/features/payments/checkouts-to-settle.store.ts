import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/db/tables.ts';
import type { CheckoutRow } from '#server/entities/find-checkout.ts';

/**
 * The unsettled checkouts, of all organizations, that the provider should be asked about again: first after a minute,
 * then less and less often, but at least every hour; the ones that waited longest first. Clients take turns, so that
 * one that opened thousands delays no other.
 */
export async function checkoutsToAsk(db: Kysely<Tables>, now: Date, most: number): Promise<CheckoutRow[]> {
  const age = sql`${now}::timestamptz - created_at`;
  const pause = sql<Date>`least(greatest(interval '1 minute', (${age}) / 10), interval '1 hour')`;
  const waitedSince = sql`coalesce(asked_provider_at, created_at)`;
  const turn = sql<number>`row_number() over (partition by coalesce(client, id) order by ${waitedSince}, id)`;
  const due = await db
    .selectFrom('checkouts')
    .select(['id', turn.as('turn'), waitedSince.as('waited_since')])
    .where('payment_status', 'in', ['unpaid', 'processing'])
    .where('provider_session_id', 'is not', null)
    .where(sql<boolean>`${waitedSince} <= ${now}::timestamptz - ${pause}`)
    .orderBy('turn')
    .orderBy('waited_since')
    .orderBy('id')
    .limit(most)
    .execute();
  const rows = await db
    .selectFrom('checkouts')
    .selectAll()
    .where('id', 'in', ['', ...due.map(({ id }) => id)])
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return due.flatMap(({ id }) => byId.get(id) ?? []);
}

/** Expires checkouts whose payment page never opened. @returns how many */
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
