import type { Kysely, Selectable, Transaction, Updateable } from 'kysely';
import type { CheckoutId, OrgId } from '#domain/ids.ts';
import type { Tables } from '#server/db/tables.ts';

export type CheckoutRow = Selectable<Tables['checkouts']>;
export type CheckoutKey = { readonly orgId: OrgId; readonly checkoutId: CheckoutId };
export type CheckoutChange = Omit<Updateable<Tables['checkouts']>, 'id' | 'org_id'>;

/** The key of the checkout in a call's path. */
export function toCheckoutKey(params: { readonly orgid: OrgId; readonly checkoutid: CheckoutId }): CheckoutKey {
  return { orgId: params.orgid, checkoutId: params.checkoutid };
}

/** Finds a checkout unless it was deleted. */
export function findCheckoutRow(db: Kysely<Tables>, key: CheckoutKey): Promise<CheckoutRow | undefined> {
  return selectCheckout(db, key).where('deleted_at', 'is', null).executeTakeFirst();
}

/**
 * Finds a checkout for a report from the provider. Ids are unique across organizations, and deleted checkouts are
 * included.
 */
export function findCheckoutInAnyOrg(db: Kysely<Tables>, id: string): Promise<CheckoutRow | undefined> {
  return db.selectFrom('checkouts').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Locks a checkout, even a deleted one, because its money still counts. */
export function lockCheckout(tx: Transaction<Tables>, key: CheckoutKey): Promise<CheckoutRow | undefined> {
  return selectCheckout(tx, key).forUpdate().executeTakeFirst();
}

/** Locks the checkout named in the provider's metadata, if any. */
export async function lockReportedCheckout(
  tx: Transaction<Tables>,
  { orgId, checkoutId }: { readonly orgId: OrgId | undefined; readonly checkoutId: CheckoutId | undefined },
): Promise<CheckoutRow | undefined> {
  return orgId === undefined || checkoutId === undefined ? undefined : lockCheckout(tx, { orgId, checkoutId });
}

export async function changeCheckout(db: Kysely<Tables>, key: CheckoutKey, change: CheckoutChange): Promise<void> {
  await db
    .updateTable('checkouts')
    .set(change)
    .where('org_id', '=', key.orgId)
    .where('id', '=', key.checkoutId)
    .execute();
}

function selectCheckout(db: Kysely<Tables>, { orgId, checkoutId }: CheckoutKey) {
  return db.selectFrom('checkouts').selectAll().where('org_id', '=', orgId).where('id', '=', checkoutId);
}
