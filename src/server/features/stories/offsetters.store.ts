import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
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

/** Gives every offsetter that has this address and no owner to its owner, in all organisations. */
export async function giveOffsetters(tx: Transaction<Tables>, address: string, userId: string): Promise<void> {
  await tx
    .updateTable('offsetters')
    .set({ user_id: userId })
    .where('user_id', 'is', null)
    .where(sql<boolean>`lower(email) = ${address}`)
    .execute();
}
