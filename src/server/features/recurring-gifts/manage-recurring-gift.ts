import type { Transaction } from 'kysely';
import { localizeAddress } from '#contract/languages.ts';
import type { RecurringGift } from '#contract/schemas/recurring-gifts.ts';
import { type CardFee, calculateFeeToAdd, maximumFailure } from '#domain/card-fee.ts';
import { type GiftInterval, MAX_INTERVAL_MONTHS } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import type { CheckoutId, OrgId } from '#domain/ids.ts';
import { type Cents, toChargedCents } from '#domain/money.ts';
import type { Actor } from '#domain/permissions.ts';
import { isIncrease } from '#domain/recurring-gift.ts';
import type { Language } from '#messages';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps, WithSettings } from '#server/deps.ts';
import { type GiftRequest, recordGiftRequest } from '#server/features/activity/record-activity.ts';
import { checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import type { RecurringTerms, SubscriptionChange } from '#server/gateways/payments/payments.ts';
import { recurringGiftPath } from './gift-paths.ts';
import type { RecurringGiftKey } from './read-recurring-gift.ts';
import { confirmStop, type SubscriptionDeps, saveSubscription } from './record-subscription.ts';
import { type RecurringGiftChange, sendChangedRecurringGiftEmail } from './recurring-gift-emails.job.ts';
import { getTerms, presentRecurringGift } from './recurring-gifts.present.ts';
import {
  changeSubscription,
  findRecurringGiftByCheckout,
  findRecurringGiftById,
  findRecurringGiftByKey,
  isRecurringGiftDonor,
  markEnded,
  type RecurringGiftRow,
} from './subscriptions.store.ts';

/** A call made through a gift's link. */
export type RecurringGiftVisit = {
  readonly key: RecurringGiftKey;
  readonly actor: Actor;
  readonly request: { readonly ip: string };
};

/**
 * Ends a recurring gift, at the provider first, so that a gift that is still being charged never appears as ended.
 * @returns Failure too-many-requests, gift-not-found, gift-not-stopped
 */
export async function stopRecurringGift(
  deps: SubscriptionDeps,
  visit: RecurringGiftVisit,
): Promise<RecurringGift | Failure> {
  const gift = await findGiftAndRecordRequest(deps, visit, 'stop');
  return gift instanceof Failure ? gift : endRecurringGift(deps, gift);
}

/** Ends a recurring gift for an editor. Past payments don't change. @returns Failure gift-not-found, gift-not-stopped */
export async function stopRecurringGiftByCheckout(
  deps: SubscriptionDeps,
  { orgId, checkoutId }: { readonly orgId: OrgId; readonly checkoutId: CheckoutId },
): Promise<RecurringGift | Failure> {
  const gift = await findRecurringGiftByCheckout(deps.db.kysely, orgId, checkoutId);
  return gift ? endRecurringGift(deps, gift) : new Failure('gift-not-found');
}

async function endRecurringGift(deps: SubscriptionDeps, gift: RecurringGiftRow): Promise<RecurringGift | Failure> {
  if (gift.canceled_at !== null) return presentRecurringGift(gift);
  await changeSubscription(deps.db.kysely, gift.id, { stop_requested_at: deps.now() });
  const cancellation = await deps.payments.cancelSubscription(gift.id);
  if (cancellation instanceof Failure) return new Failure('gift-not-stopped');
  await inTransaction(deps.db, async (tx) => {
    await markEnded(tx, gift.id, deps.now());
    await confirmStop(tx, deps, gift.id, deps.now());
  });
  return presentRecurringGift((await findRecurringGiftById(deps.db.kysely, gift.id)) ?? gift);
}

/** Finds the gift for a link, and records the request. @returns Failure too-many-requests, gift-not-found */
async function findGiftAndRecordRequest(
  deps: SubscriptionDeps,
  { key, actor, request: call }: RecurringGiftVisit,
  request: GiftRequest['request'],
): Promise<RecurringGiftRow | Failure> {
  const failure = await checkRateLimit(deps, 'gift-change', { client: call.ip, resource: key.key });
  if (failure) return failure;
  const gift = await findRecurringGiftByKey(deps.db.kysely, key, deps.now());
  if (!gift) return new Failure('gift-not-found');
  await recordGiftRequest(deps.db, { actor, request: call }, { orgId: key.orgId, subscriptionId: gift.id, request });
  return gift;
}

function queueChangeEmail(
  tx: Transaction<Tables>,
  { jobs, now }: SubscriptionDeps,
  gift: RecurringGiftRow,
  change: RecurringGiftChange,
): Promise<void> {
  const before = change === 'changed' ? getTerms(gift) : undefined;
  const at = now().toISOString();
  return jobs.enqueue(tx, sendChangedRecurringGiftEmail, { subscriptionId: gift.id, change, at, before });
}

export type NewTerms = GiftInterval & {
  /** Dollars, without the card fee. If omitted, the amount doesn't change. */
  readonly amount?: number | undefined;
};

/**
 * Changes a recurring gift's amount and interval. The next charge date doesn't change. A gift that covers the card fee
 * covers the fee of the new amount, if the fund still offers that.
 * @returns Failure too-many-requests, gift-not-found, gift-ended, gift-past-due, gift-raise-needs-login, gift-not-changed,
 *   amount-not-whole-dollars, cart-above-maximum, interval-out-of-range, yearly-interval
 */
export async function changeRecurringGift(
  deps: SubscriptionDeps & WithSettings<'cardFee'>,
  visit: RecurringGiftVisit,
  { amount, unit, count }: NewTerms,
): Promise<RecurringGift | Failure> {
  const failure = termsFailure(amount, { unit, count });
  if (failure) return failure;
  const cents = amount === undefined ? undefined : toChargedCents(amount);
  return applyChange(deps, visit, 'change', async (gift) => {
    const terms = cents === undefined ? undefined : calculateNewTerms(gift, cents, deps.settings.cardFee);
    if (terms instanceof Failure) return terms;
    const interval = { unit, count };
    const needsLogin = wouldChargeMore(gift, terms, interval) && !(await isDonor(deps, visit.actor, gift));
    return needsLogin ? new Failure('gift-raise-needs-login') : { terms, interval };
  });
}

function wouldChargeMore(
  gift: RecurringGiftRow,
  newTerms: RecurringTerms | undefined,
  interval: GiftInterval,
): boolean {
  const terms = getTerms(gift);
  return !terms || isIncrease(terms, { amount: newTerms?.amount ?? terms.amount, interval });
}

async function isDonor({ db }: SubscriptionDeps, actor: Actor, gift: RecurringGiftRow): Promise<boolean> {
  return actor.kind === 'user' && isRecurringGiftDonor(db.kysely, gift, actor.userId);
}

function calculateNewTerms(
  { covered_fee_cents }: RecurringGiftRow,
  gift: Cents,
  cardFee: CardFee | undefined,
): RecurringTerms | Failure {
  const coveredFee = covered_fee_cents > 0 && cardFee ? calculateFeeToAdd(gift, cardFee) : 0;
  const amount = gift + coveredFee;
  return maximumFailure(amount, 'amount') ?? { amount, coveredFee };
}

function termsFailure(amount: number | undefined, { unit, count }: GiftInterval): Failure | undefined {
  if (amount !== undefined) {
    if (!Number.isSafeInteger(amount) || amount < 1)
      return new Failure('amount-not-whole-dollars', { field: 'amount' });
    const failure = maximumFailure(toChargedCents(amount), 'amount');
    if (failure) return failure;
  }
  if (unit === 'year' && count !== 1) return new Failure('yearly-interval', { field: 'count' });
  if (count < 1 || count > MAX_INTERVAL_MONTHS)
    return new Failure('interval-out-of-range', { item: 'A gift', field: 'count' });
  return undefined;
}

/** @returns Failure too-many-requests, gift-not-found, gift-ended, gift-past-due, gift-not-changed */
export function pauseRecurringGift(
  deps: SubscriptionDeps,
  visit: RecurringGiftVisit,
  isPaused: boolean,
): Promise<RecurringGift | Failure> {
  return applyChange(deps, visit, isPaused ? 'pause' : 'resume', async () => ({ paused: isPaused }));
}

const CHANGE_NAMES = { pause: 'paused', resume: 'resumed', change: 'changed' } as const;

async function applyChange(
  deps: SubscriptionDeps,
  visit: RecurringGiftVisit,
  request: keyof typeof CHANGE_NAMES,
  createChange: (gift: RecurringGiftRow) => Promise<SubscriptionChange | Failure>,
): Promise<RecurringGift | Failure> {
  const gift = await findActiveGift(deps, visit, request);
  if (gift instanceof Failure) return gift;
  // The overdue charge would match neither the old terms nor the new ones.
  if (gift.status === 'past_due') return new Failure('gift-past-due');
  const giftChange = await createChange(gift);
  if (giftChange instanceof Failure) return giftChange;
  const subscription = await deps.payments.changeSubscription(gift.id, giftChange);
  if (subscription instanceof Failure) return new Failure('gift-not-changed');
  if (subscription === 'ended') return new Failure('gift-ended');
  // Use a time after the change, because a read that began before the change may still report the old gift.
  const changedAt = deps.now();
  await inTransaction(deps.db, async (tx) => {
    await saveSubscription(tx, deps, subscription, changedAt);
    await queueChangeEmail(tx, deps, gift, CHANGE_NAMES[request]);
  });
  return presentRecurringGift((await findRecurringGiftById(deps.db.kysely, gift.id)) ?? gift);
}

/**
 * Opens the provider's page for changing a gift's card.
 * @param language language for the provider's page
 * @returns Failure too-many-requests, gift-not-found, gift-ended, gift-not-changed
 */
export async function openCardPage(
  deps: SubscriptionDeps & Pick<AppDeps, 'publicUrl'>,
  visit: RecurringGiftVisit,
  language: Language,
): Promise<{ readonly url: string } | Failure> {
  const gift = await findActiveGift(deps, visit, 'card');
  if (gift instanceof Failure) return gift;
  const { orgId, key } = visit.key;
  const returnUrl = deps.publicUrl() + localizeAddress(recurringGiftPath(orgId, key), language);
  const page = await deps.payments.openCardPage(gift.id, { returnUrl, language });
  if (page instanceof Failure) return new Failure('gift-not-changed');
  return page === 'ended' ? new Failure('gift-ended') : page;
}

async function findActiveGift(
  deps: SubscriptionDeps,
  visit: RecurringGiftVisit,
  request: GiftRequest['request'],
): Promise<RecurringGiftRow | Failure> {
  const gift = await findGiftAndRecordRequest(deps, visit, request);
  if (gift instanceof Failure) return gift;
  return gift.canceled_at === null ? gift : new Failure('gift-ended');
}
