import type { Kysely } from 'kysely';
import { pagePath } from '#contract/pages.ts';
import type { CheckoutId, OrgId } from '#domain/ids.ts';
import type { Tables } from '#server/db/tables.ts';
import { findPageKey } from './subscriptions.store.ts';

type Checkout = { readonly orgId: OrgId; readonly checkoutId: CheckoutId };

/** Finds the path of a recurring gift's page. Anyone with its key can lower, pause, or stop the gift and change its card. */
export async function findRecurringGiftPath(
  db: Kysely<Tables>,
  { orgId, checkoutId }: Checkout,
): Promise<string | undefined> {
  const key = await findPageKey(db, orgId, checkoutId);
  return key === undefined ? undefined : recurringGiftPath(orgId, key);
}

export function recurringGiftPath(orgId: string, giftKey: string): string {
  return pagePath('gift-page', { orgid: orgId, giftkey: giftKey });
}

/** Path of the page that shows where a gift went, for anyone with the receipt's key. */
export function giftHomesPath(orgId: string, receiptKey: string): string {
  return pagePath('gift-homes-page', { orgid: orgId, receiptkey: receiptKey });
}
