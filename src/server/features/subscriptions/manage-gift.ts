import { inLanguage } from '#contract/languages.ts';
import type { RecurringGift } from '#contract/schemas/recurring-gifts.ts';
import { aboveMaximum, addedTo, type CardFee } from '#domain/card-fee.ts';
import { type GiftInterval, MAXIMUM_MONTHS } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import { type Cents, chargeOf } from '#domain/money.ts';
import type { Language } from '#messages';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import type { GiftChange, GiftTerms } from '#server/gateways/payments/payments.ts';
import { giftPath } from './gift-path.ts';
import { type GiftKey, presentGift } from './read-gift.ts';
import { keepSubscription, type SubscriptionDeps } from './record-subscription.ts';
import { type GiftRow, giftByCheckout, giftById, giftByKey, markEnded } from './subscriptions.store.ts';

/**
 * Ends a recurring gift: at the provider first, so that it is never shown as ended while it is still charged.
 * @returns Failure gift-not-found, gift-not-stopped
 */
export async function stopGift(deps: SubscriptionDeps, { orgId, key }: GiftKey): Promise<RecurringGift | Failure> {
  return stop(deps, await giftByKey(deps.db.kysely, orgId, key));
}

/** For editors. What was given stays given. @returns Failure gift-not-found, gift-not-stopped */
export async function stopGiftOfCheckout(
  deps: SubscriptionDeps,
  { orgId, checkoutId }: { readonly orgId: string; readonly checkoutId: string },
): Promise<RecurringGift | Failure> {
  return stop(deps, await giftByCheckout(deps.db.kysely, orgId, checkoutId));
}

async function stop(deps: SubscriptionDeps, gift: GiftRow | undefined): Promise<RecurringGift | Failure> {
  if (!gift) return new Failure('gift-not-found');
  if (gift.canceled_at !== null) return presentGift(gift);
  const ended = await deps.payments.cancelSubscription(gift.id);
  if (ended instanceof Failure) return new Failure('gift-not-stopped');
  await markEnded(deps.db.kysely, gift.id, deps.now());
  return presentGift((await giftById(deps.db.kysely, gift.id)) ?? gift);
}

export type NewTerms = GiftInterval & {
  /** Dollars, without the card fee; left out, the amount stays. */
  readonly amount?: number | undefined;
};

/**
 * Changes what is given each time, and how often. The next charge stays on its day. A gift that covers the card fee
 * covers that of the new amount too, as long as that is offered.
 * @returns Failure gift-not-found, gift-ended, gift-past-due, gift-not-changed, amount-not-whole-dollars,
 *   cart-above-maximum, interval-out-of-range, yearly-interval
 */
export async function changeGift(
  deps: SubscriptionDeps & Pick<AppDeps, 'cardFee'>,
  key: GiftKey,
  { amount, unit, count }: NewTerms,
): Promise<RecurringGift | Failure> {
  const refusal = refusalOf(amount, { unit, count });
  if (refusal) return refusal;
  const cents = amount === undefined ? undefined : chargeOf(amount);
  return change(deps, key, (gift) => {
    const terms = cents === undefined ? undefined : newTerms(gift, cents, deps.cardFee);
    return terms instanceof Failure ? terms : { terms, interval: { unit, count } };
  });
}

function newTerms({ covered_fee_cents }: GiftRow, gift: Cents, offered: CardFee | undefined): GiftTerms | Failure {
  const coveredFee = covered_fee_cents > 0 && offered ? addedTo(gift, offered) : 0;
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

/** @returns Failure gift-not-found, gift-ended, gift-past-due, gift-not-changed */
export function pauseGift(deps: SubscriptionDeps, key: GiftKey, paused: boolean): Promise<RecurringGift | Failure> {
  return change(deps, key, () => ({ paused }));
}

async function change(
  deps: SubscriptionDeps,
  key: GiftKey,
  changeOf: (gift: GiftRow) => GiftChange | Failure,
): Promise<RecurringGift | Failure> {
  const gift = await runningGift(deps, key);
  if (gift instanceof Failure) return gift;
  // The charge that is due would be neither the old gift nor the new one.
  if (gift.status === 'past_due') return new Failure('gift-past-due');
  const wanted = changeOf(gift);
  if (wanted instanceof Failure) return wanted;
  const changed = await deps.payments.changeSubscription(gift.id, wanted);
  if (changed instanceof Failure) return new Failure('gift-not-changed');
  if (changed === 'ended') return new Failure('gift-ended');
  // The time after the change: a reading that began in between may still show the old gift.
  const changedAt = deps.now();
  await inTransaction(deps.db, (tx) => keepSubscription(tx, deps, changed, changedAt));
  return presentGift((await giftById(deps.db.kysely, gift.id)) ?? gift);
}

/**
 * @param language of the donor’s page, in which the provider’s page is too
 * @returns Failure gift-not-found, gift-ended, gift-not-changed
 */
export async function openCardPage(
  deps: SubscriptionDeps & Pick<AppDeps, 'publicUrl'>,
  key: GiftKey,
  language: Language,
): Promise<{ readonly url: string } | Failure> {
  const gift = await runningGift(deps, key);
  if (gift instanceof Failure) return gift;
  const returnUrl = deps.publicUrl() + inLanguage(giftPath(key.orgId, key.key), language);
  const opened = await deps.payments.openCardPage(gift.id, { returnUrl, language });
  if (opened instanceof Failure) return new Failure('gift-not-changed');
  return opened === 'ended' ? new Failure('gift-ended') : opened;
}

async function runningGift({ db }: SubscriptionDeps, { orgId, key }: GiftKey): Promise<GiftRow | Failure> {
  const gift = await giftByKey(db.kysely, orgId, key);
  if (!gift) return new Failure('gift-not-found');
  return gift.canceled_at === null ? gift : new Failure('gift-ended');
}
