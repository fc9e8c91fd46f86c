import type { Kysely } from 'kysely';
import type { RecurringGift, UserRecurringGift } from '#contract/schemas/recurring-gifts.ts';
import { Failure } from '#domain/failures.ts';
import type { CheckoutId, OrgId } from '#domain/ids.ts';
import type { Tables } from '#server/db/tables.ts';
import type { AppDeps } from '#server/deps.ts';
import type { UserFacts } from '#server/entities/find-user.ts';
import { recordSubscription, type SubscriptionDeps } from './record-subscription.ts';
import { presentRecurringGift } from './recurring-gifts.present.ts';
import {
  findRecurringGiftByCheckout,
  findRecurringGiftById,
  findRecurringGiftByKey,
  listActiveDonorGifts,
  listUserRecurringGiftRows,
  type RecurringGiftRow,
} from './subscriptions.store.ts';

export type RecurringGiftKey = { readonly orgId: OrgId; readonly key: string };

const FRESH_MS = 60_000;

/**
 * Reads a recurring gift for a visitor with the key of its page. Refreshes it from the provider unless an active gift was
 * refreshed within the last minute. Returns the stored gift if the provider can't be reached.
 * @returns Failure gift-not-found
 */
export async function readRecurringGift(
  deps: SubscriptionDeps,
  { orgId, key }: RecurringGiftKey,
): Promise<RecurringGift | Failure> {
  const { kysely } = deps.db;
  const row = await findRecurringGiftByKey(kysely, { orgId, key }, deps.now());
  if (!row) return new Failure('gift-not-found');
  if (!isFresh(row, deps.now())) await recordSubscription(deps, row.id);
  return presentRecurringGift((await findRecurringGiftById(kysely, row.id)) ?? row);
}

function isFresh({ canceled_at, status, provider_checked_at }: RecurringGiftRow, now: Date): boolean {
  if (canceled_at !== null) return true;
  return (
    status === 'active' && provider_checked_at !== null && now.getTime() - provider_checked_at.getTime() < FRESH_MS
  );
}

/** Lists a user's recurring gifts in all organizations, newest first. */
export async function listUserRecurringGifts(
  db: Kysely<Tables>,
  { userId, email }: Pick<UserFacts, 'userId' | 'email'>,
): Promise<UserRecurringGift[]> {
  const rows = await listUserRecurringGiftRows(db, userId, email);
  return rows.map((row) => ({
    ...presentRecurringGift(row),
    orgid: row.org_id,
    orgName: row.org_name,
    giftkey: row.page_key,
  }));
}

/** Reads the active recurring gifts of donors and of the donors merged into them, grouped by donor. */
export async function readDonorRecurringGifts(
  db: Kysely<Tables>,
  orgId: OrgId,
  donorIds: readonly string[],
): Promise<Map<string, RecurringGift[]>> {
  const rows = await listActiveDonorGifts(db, orgId, donorIds);
  return new Map(
    [...Map.groupBy(rows, ({ donor_id }) => donor_id)].map(([donorId, gifts]) => [
      donorId,
      gifts.map(presentRecurringGift),
    ]),
  );
}

/** Reads the recurring gift that began with a checkout, for editors. */
export async function readCheckoutRecurringGift(
  db: Kysely<Tables>,
  { orgId, checkoutId }: { readonly orgId: OrgId; readonly checkoutId: CheckoutId },
): Promise<RecurringGift | undefined> {
  const row = await findRecurringGiftByCheckout(db, orgId, checkoutId);
  return row && presentRecurringGift(row);
}

export async function hasRecurringGift(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  key: RecurringGiftKey,
): Promise<boolean> {
  return (await findRecurringGiftByKey(db.kysely, key, now())) !== undefined;
}
