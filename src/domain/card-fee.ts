import { LANGUAGES, m } from '#messages';
import { type CartItem, cartTotal, MAX_CHECKOUT, recurringItems } from './cart.ts';
import { toNumber } from './decimal.ts';
import { Failure } from './failures.ts';
import { type Cents, formatCents } from './money.ts';
import { cartFailure } from './validate-cart.ts';

/** The card provider's fee: a percentage of the charge, rounded half up to a cent, plus a fixed amount. */
export type CardFee = {
  /** Hundredths of a percent. */
  readonly basisPoints: number;
  readonly fixedCents: Cents;
};

/** The published fee for a US card. */
export const DEFAULT_CARD_FEE: CardFee = { basisPoints: 290, fixedCents: 30 };

/** Upper limits. Higher values are typos. */
export const MAX_BASIS_POINTS = 2000;
export const MAX_FIXED_FEE: Cents = 1000;

/** Cents that a donor adds to the initial payment and to each renewal to cover the fee. */
export type CoveredFee = { readonly initial: Cents; readonly renewal: Cents };

export const NO_COVERED_FEE: CoveredFee = { initial: 0, renewal: 0 };

/** Detects the payment page's card fee line by its name in any language. No cart item has that name. */
export function isCardFeeLine({ name }: { readonly name: string }): boolean {
  return LANGUAGES.some((locale) => m.cardFeeLine({}, { locale }) === name);
}

export function calculateCardFee(charge: Cents, { basisPoints, fixedCents }: CardFee): Cents {
  return Math.floor((charge * basisPoints + 5000) / 10_000) + fixedCents;
}

/** The smallest charge that leaves the whole gift after the fee. */
export function calculateChargeToReceive(gift: Cents, fee: CardFee): Cents {
  const { basisPoints, fixedCents } = fee;
  // Never too high: rounding changes the net amount by at most half a cent, so a charge one cent lower is too small.
  let charge = Math.floor(((gift + fixedCents) * 10_000) / (10_000 - basisPoints));
  while (charge - calculateCardFee(charge, fee) < gift) charge += 1;
  return charge;
}

/**
 * Calculates the fees to add. The first charge includes one-time and recurring items; later charges only recurring
 * ones.
 */
export function calculateFeeCoverage(items: readonly CartItem[], fee: CardFee): CoveredFee {
  return {
    initial: calculateFeeToAdd(cartTotal(items), fee),
    renewal: calculateFeeToAdd(cartTotal(recurringItems(items)), fee),
  };
}

/** Cents to add to a gift so that the fund receives all of it after the fee. */
export function calculateFeeToAdd(gift: Cents, fee: CardFee): Cents {
  return gift === 0 ? 0 : calculateChargeToReceive(gift, fee) - gift;
}

/** Checks items with their fee: the minimum applies to the items, the provider's maximum to the total. */
export function chargeFailure(items: readonly CartItem[], { initial }: CoveredFee): Failure | undefined {
  return cartFailure(items) ?? maximumFailure(cartTotal(items) + initial, 'cart');
}

export function maximumFailure(charge: Cents, field: string): Failure | undefined {
  if (charge <= MAX_CHECKOUT) return undefined;
  return new Failure('cart-above-maximum', { max: formatCents(MAX_CHECKOUT), field });
}

/** "2.9% + 30¢" */
export function formatCardFee({ basisPoints, fixedCents }: CardFee): string {
  const share = `${toNumber({ units: BigInt(basisPoints), scale: 2 })}%`;
  return fixedCents === 0 ? share : `${share} + ${fixedCents}¢`;
}
