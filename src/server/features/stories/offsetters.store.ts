import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import type { OffsettersTable, Tables } from '#server/db/tables.ts';

export type OffsetterRow = Selectable<OffsettersTable>;

/** The offsetter that a checkout's profile became, whether it is shown or not. */
export function offsetterOfCheckout(
  db: Kysely<Tables>,
  orgId: string,
  checkoutId: string,
): Promise<OffsetterRow | undefined> {
  return db
    .selectFrom('offsetters')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('checkout_id', '=', checkoutId)
    .executeTakeFirst();
}

export function insertOffsetter(
  tx: Transaction<Tables>,
  offsetter: Insertable<OffsettersTable>,
): Promise<OffsetterRow> {
  return tx.insertInto('offsetters').values(offsetter).returningAll().executeTakeFirstOrThrow();
}
