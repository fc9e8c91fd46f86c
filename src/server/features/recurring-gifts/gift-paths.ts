import type { Kysely } from 'kysely';
import { localizeAddress } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import type { CheckoutId, OrgId } from '#domain/ids.ts';
import type { Language } from '#messages';
import type { Tables } from '#server/db/tables.ts';
import { findPageKey } from './subscriptions.store.ts';

/** `checkoutId` is null for a check. */
type Gift = { readonly orgId: OrgId; readonly checkoutId: CheckoutId | null };

/**
 * Finds the link to a recurring gift's page; undefined for a one-time gift. Anyone with the link's key can lower,
 * pause, or stop the gift and change its card.
 */
export async function findRecurringGiftLink(
  db: Kysely<Tables>,
  publicUrl: string,
  { orgId, checkoutId }: Gift,
  language: Language,
): Promise<string | undefined> {
  const key = checkoutId === null ? undefined : await findPageKey(db, orgId, checkoutId);
  return key === undefined ? undefined : publicUrl + localizeAddress(recurringGiftPath(orgId, key), language);
}

export function recurringGiftPath(orgId: string, giftKey: string): string {
  return pagePath('recurring-gift-page', { orgid: orgId, giftkey: giftKey });
}

/** Path of the page that shows where a gift went, for anyone with the receipt's key. */
export function giftHomesPath(orgId: string, receiptKey: string): string {
  return pagePath('gift-homes-page', { orgid: orgId, receiptkey: receiptKey });
}
