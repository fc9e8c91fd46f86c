import type { Transaction } from 'kysely';
import { inLanguage } from '#contract/languages.ts';
import type { RecurringGift } from '#contract/schemas/recurring-gifts.ts';
import { aboveMaximum, type CardFee, feeToAdd } from '#domain/card-fee.ts';
import { type GiftInterval, MAXIMUM_MONTHS } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import { type Cents, chargeOf } from '#domain/money.ts';
import type { Actor } from '#domain/permissions.ts';
import { chargesMore } from '#domain/recurring-gift.ts';
import type { Language } from '#messages';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { type GiftRequest, recordGiftRequest } from '#server/features/activity/record-activity.ts';
import { checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import type { GiftChange, GiftTerms } from '#server/gateways/payments/payments.ts';
import { type GiftChangeName, sendChangedGiftEmail } from './gift-emails.job.ts';
import { giftPath } from './gift-path.ts';
import type { GiftKey } from './read-gift.ts';
import { keepSubscription, type SubscriptionDeps } from './record-subscription.ts';
import { presentGift } from './recurring-gifts.present.ts';
import { type GiftRow, giftByCheckout, giftById, giftByKey, isGiftOf, markEnded } from './subscriptions.store.ts';

/** Who changes a gift through its link. */
export type GiftVisit = { readonly key: GiftKey; readonly actor: Actor; readonly request: { readonly ip: string } };

/**
 * Ends a recurring gift: at the provider first, so that it is never shown as ended while it is still charged.
 * @returns Failure too-many-requests, gift-not-found, gift-not-stopped
 */
export async function stopGift(deps: SubscriptionDeps, visit: GiftVisit): Promise<RecurringGift | Failure> {
  const gift = await visitedGift(deps, visit, 'stop');
  return gift instanceof Failure ? gift : stop(deps, gift);
}

/** For editors. What was given stays given. @returns Failure gift-not-found, gift-not-stopped */
export async function stopGiftOfCheckout(
  deps: SubscriptionDeps,
  { orgId, checkoutId }: { readonly orgId: string; readonly checkoutId: string },
): Promise<RecurringGift | Failure> {
  const gift = await giftByCheckout(deps.db.kysely, orgId, checkoutId);
  return gift ? stop(deps, gift) : new Failure('gift-not-found');
}

async function stop(deps: SubscriptionDeps, gift: GiftRow): Promise<RecurringGift | Failure> {
  if (gift.canceled_at !== null) return presentGift(gift);
  const ended = await deps.payments.cancelSubscription(gift.id);
  if (ended instanceof Failure) return new Failure('gift-not-stopped');
  await inTransaction(deps.db, async (tx) => {
    await markEnded(tx, gift.id, deps.now());
    await emailChange(tx, deps, gift, 'stopped');
  });
  return presentGift((await giftById(deps.db.kysely, gift.id)) ?? gift);
}

/** Finds the gift of a link, and records its use. @returns Failure too-many-requests, gift-not-found */
async function visitedGift(
  deps: SubscriptionDeps,
  { key, actor, request }: GiftVisit,
  wanted: GiftRequest['request'],
): Promise<GiftRow | Failure> {
  const limited = await checkRateLimit(deps, 'gift-change', { client: request.ip, thing: key.key });
  if (limited) return limited;
  const gift = await giftByKey(deps.db.kysely, key, deps.now());
  if (!gift) return new Failure('gift-not-found');
  await recordGiftRequest(deps.db, { actor, request }, { orgId: key.orgId, subscriptionId: gift.id, request: wanted });
  return gift;
}

function emailChange(
  tx: Transaction<Tables>,
  { jobs, now }: SubscriptionDeps,
  { id: subscriptionId }: GiftRow,
  change: GiftChangeName,
): Promise<void> {
  return jobs.enqueue(tx, sendChangedGiftEmail, { subscriptionId, change, at: now().toISOString() });
}

export type NewTerms = GiftInterval & {
  /** Dollars, without the card fee; left out, the amount stays. */
  readonly amount?: number | undefined;
};

/**
 * Changes what is given each time, and how often. The next charge stays on its day. A gift that covers the card fee
 * covers that of the new amount too, as long as that is offered.
 * @returns Failure too-many-requests, gift-not-found, gift-ended, gift-past-due, gift-raise-needs-login, gift-not-changed,
 *   amount-not-whole-dollars, cart-above-maximum, interval-out-of-range, yearly-interval
 */
export async function changeGift(
  deps: SubscriptionDeps & Pick<AppDeps, 'cardFee'>,
  visit: GiftVisit,
  { amount, unit, count }: NewTerms,
): Promise<RecurringGift | Failure> {
  const refusal = refusalOf(amount, { unit, count });
  if (refusal) return refusal;
  const cents = amount === undefined ? undefined : chargeOf(amount);
  return change(deps, visit, 'change', async (gift) => {
    const terms = cents === undefined ? undefined : newTerms(gift, cents, deps.cardFee);
    if (terms instanceof Failure) return terms;
    const interval = { unit, count };
    const needsLogin = wouldChargeMore(gift, terms, interval) && !(await isDonor(deps, visit.actor, gift));
    return needsLogin ? new Failure('gift-raise-needs-login') : { terms, interval };
  });
}

function wouldChargeMore(
  { amount_cents, unit, count }: GiftRow,
  terms: GiftTerms | undefined,
  interval: GiftInterval,
): boolean {
  if (amount_cents === null || unit === null || count === null) return true;
  const before = { amount: amount_cents, interval: { unit, count } };
  return chargesMore(before, { amount: terms?.amount ?? amount_cents, interval });
}

async function isDonor({ db }: SubscriptionDeps, actor: Actor, gift: GiftRow): Promise<boolean> {
  return actor.kind === 'user' && isGiftOf(db.kysely, gift, actor.userId);
}

function newTerms({ covered_fee_cents }: GiftRow, gift: Cents, offered: CardFee | undefined): GiftTerms | Failure {
  const coveredFee = covered_fee_cents > 0 && offered ? feeToAdd(gift, offered) : 0;
  const amount = gift + coveredFee;
  return aboveMaximum(amount, 'amount') ?? { amount, coveredFee };
}

function refusalOf(amount: number | undefined, { unit, count }: GiftInterval): Failure | undefined {
  if (amount !== undefined) {
    if (!Number.isSafeInteger(amount) || amount < 1)
      return new Failure('amount-not-whole-dollars', { field: 'amount' });
    const tooMuch = aboveMaximum(chargeOf(amount), 'amount');
    if (tooMuch) return tooMuch;
  }
  if (unit === 'year' && count !== 1) return new Failure('yearly-interval', { field: 'count' });
  if (count < 1 || count > MAXIMUM_MONTHS)
    return new Failure('interval-out-of-range', { item: 'A gift', field: 'count' });
  return undefined;
}

/** @returns Failure too-many-requests, gift-not-found, gift-ended, gift-past-due, gift-not-changed */
export function pauseGift(deps: SubscriptionDeps, visit: GiftVisit, paused: boolean): Promise<RecurringGift | Failure> {
  return change(deps, visit, paused ? 'pause' : 'resume', async () => ({ paused }));
}

const CHANGE_NAMES = { pause: 'paused', resume: 'resumed', change: 'changed' } as const;

async function change(
  deps: SubscriptionDeps,
  visit: GiftVisit,
  wanted: keyof typeof CHANGE_NAMES,
  changeOf: (gift: GiftRow) => Promise<GiftChange | Failure>,
): Promise<RecurringGift | Failure> {
  const gift = await runningGift(deps, visit, wanted);
  if (gift instanceof Failure) return gift;
  // The charge that is due would be neither the old gift nor the new one.
  if (gift.status === 'past_due') return new Failure('gift-past-due');
  const giftChange = await changeOf(gift);
  if (giftChange instanceof Failure) return giftChange;
  const changed = await deps.payments.changeSubscription(gift.id, giftChange);
  if (changed instanceof Failure) return new Failure('gift-not-changed');
  if (changed === 'ended') return new Failure('gift-ended');
  // The time after the change: a reading that began in between may still show the old gift.
  const changedAt = deps.now();
  await inTransaction(deps.db, async (tx) => {
    await keepSubscription(tx, deps, changed, changedAt);
    await emailChange(tx, deps, gift, CHANGE_NAMES[wanted]);
  });
  return presentGift((await giftById(deps.db.kysely, gift.id)) ?? gift);
}

/**
 * @param language of the donor’s page, in which the provider’s page is too
 * @returns Failure too-many-requests, gift-not-found, gift-ended, gift-not-changed
 */
export async function openCardPage(
  deps: SubscriptionDeps & Pick<AppDeps, 'publicUrl'>,
  visit: GiftVisit,
  language: Language,
): Promise<{ readonly url: string } | Failure> {
  const gift = await runningGift(deps, visit, 'card');
  if (gift instanceof Failure) return gift;
  const { orgId, key } = visit.key;
  const returnUrl = deps.publicUrl() + inLanguage(giftPath(orgId, key), language);
  const opened = await deps.payments.openCardPage(gift.id, { returnUrl, language });
  if (opened instanceof Failure) return new Failure('gift-not-changed');
  return opened === 'ended' ? new Failure('gift-ended') : opened;
}

async function runningGift(
  deps: SubscriptionDeps,
  visit: GiftVisit,
  wanted: GiftRequest['request'],
): Promise<GiftRow | Failure> {
  const gift = await visitedGift(deps, visit, wanted);
  if (gift instanceof Failure) return gift;
  return gift.canceled_at === null ? gift : new Failure('gift-ended');
}
