import type { Gift, Giving } from '#contract/schemas/users.ts';
import { calculateCarbonShare, limitReturns } from '#domain/books.ts';
import { recurringItems } from '#domain/cart.ts';
import { isProfileStepOver } from '#domain/checkout.ts';
import { dayOf } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import { toDollars, toPounds } from '#domain/money.ts';
import type { Actor } from '#domain/permissions.ts';
import type { AppDeps } from '#server/deps.ts';
import { findVerifiedUser } from '#server/entities/find-user.ts';
import { readDonorHomes } from '#server/features/allocation/read-gift-homes.ts';
import { readUnclaimedGifts } from '#server/features/donors/claim-gifts.ts';
import { receiptFilePath, receiptPath } from '#server/features/receipts/receipt-link.ts';
import { readGivingYears } from '#server/features/receipts/yearly-statement.ts';
import { listUserRecurringGifts } from '#server/features/recurring-gifts/read-recurring-gift.ts';
import { readUnclaimedStories } from '#server/features/stories/claim-story.ts';
import { readOwnOffsetters } from '#server/features/stories/offsetters.ts';
import { findTributes, presentTribute, type TributeWithCard } from '#server/features/tributes/tributes.ts';
import { type GiftRow, listUserGifts } from './gifts.store.ts';

/**
 * Reads the caller's gifts in all organizations, newest first, and the caller's offsetters (decisions §4). A gift is the
 * caller's if it was made while signed in or paid with the caller's verified email address.
 * @returns Failure user-not-found
 */
export async function readGiving(
  deps: Pick<AppDeps, 'db' | 'now' | 'parent' | 'sandbox'>,
  actor: Actor,
): Promise<Giving | Failure> {
  const { db, now } = deps;
  const user = await findVerifiedUser(db.kysely, actor);
  if (!user) return new Failure('user-not-found');
  const offsetters = await readOwnOffsetters(db, user.userId);
  const orgsWithOffsetter = new Set(offsetters.map(({ orgid: orgId }) => orgId));
  const rows = await listUserGifts(db.kysely, user);
  const time = now();
  const tributes = await findTributes(
    db.kysely,
    rows.flatMap(({ checkout_id }) => checkout_id ?? []),
  );
  const gifts = rows.map((row) =>
    presentGift(row, {
      now: time,
      hasOffsetter: orgsWithOffsetter.has(row.org_id),
      tribute: tributes.get(row.checkout_id ?? ''),
    }),
  );
  const [recurring, years] = [await listUserRecurringGifts(db.kysely, user), await readGivingYears(deps, user)];
  const storyClaims = await readUnclaimedStories(db, user);
  const giftClaims = await readUnclaimedGifts(db, user);
  const homes = await readDonorHomes(
    deps,
    rows.flatMap(({ entry_id, org_id }) => (entry_id === null ? [] : { entryId: entry_id, orgId: org_id })),
  );
  return { gifts, homes, recurring, offsetters, claims: storyClaims, giftClaims, years };
}

type GiftContext = {
  readonly now: Date;
  /** True if the donor already has an offsetter in the organization, so the page doesn't ask for a story (§4). */
  readonly hasOffsetter: boolean;
  readonly tribute: TributeWithCard | undefined;
};

function presentGift(row: GiftRow, context: GiftContext): Gift {
  const items = row.cart ?? [];
  const recurring = recurringItems(items);
  const { amount_cents: amount, returned_cents: returned, pending_cents: pending } = row;
  const returns = limitReturns(amount, { returned, pending, disputed: 0 });
  const uncountedCents = Math.min(row.returned_or_pending_cents ?? 0, amount);
  return {
    orgid: row.org_id,
    orgName: row.org_name,
    typicalGrant: row.typical_grant_cents === null ? null : toDollars(row.typical_grant_cents),
    checkoutid: row.checkout_id,
    amount: toDollars(amount),
    coveredFee: toDollars(row.covered_fee_cents),
    carbon: toPounds(row.carbon - calculateCarbonShare(row.carbon, uncountedCents, amount)),
    returned: toDollars(returns.returned),
    pendingReturn: toDollars(returns.pending),
    notes: [...row.notes],
    cart: [...(row.kind === 'renewal' ? recurring : items)],
    recurring: recurring.length > 0,
    tribute: presentGiftTribute(row, context),
    // A check has no payment status: it enters the ledger when it is received.
    paymentStatus: row.payment_status ?? 'paid',
    receiptNumber: row.receipt_number,
    receiptURL: row.receipt_key === null ? null : receiptFilePath({ orgId: row.org_id, key: row.receipt_key }),
    receiptkey: row.receipt_key,
    checkoutURL: findStoryFormPath(row, context),
    createdTimestamp: row.given_at.toISOString(),
    givenOn: dayOf(row.given_at, row.time_zone),
  };
}

function presentGiftTribute({ kind }: GiftRow, { tribute }: GiftContext): Gift['tribute'] {
  if (!tribute) return null;
  return presentTribute(kind === 'renewal' ? { ...tribute, card: null } : tribute);
}

/** The receipt's link to the checkout page, or null if a story can no longer be submitted there (decisions §3). */
function findStoryFormPath(row: GiftRow, { now, hasOffsetter }: GiftContext): string | null {
  const { kind, checkout_id, receipt_key, completed, payment_status, offsetter_id, checkout_created_at } = row;
  if (kind !== 'payment' || checkout_id === null || receipt_key === null) return null;
  if (payment_status !== 'paid' || completed || offsetter_id !== null || hasOffsetter) return null;
  const stepState = {
    completed: false,
    paymentStatus: payment_status,
    createdTimestamp: checkout_created_at ?? undefined,
  };
  if (isProfileStepOver(stepState, now, true)) return null;
  return receiptPath({ orgId: row.org_id, checkoutId: checkout_id, key: receipt_key });
}
