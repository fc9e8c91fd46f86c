import { LANGUAGES, m } from '#messages';
import { type CartItem, cartTotal, MAXIMUM_CHECKOUT, recurringItems } from './cart.ts';
import { toNumber } from './decimal.ts';
import { Failure } from './failures.ts';
import { type Cents, formatCents } from './money.ts';
import { cartFailure } from './whole-cart.ts';

/** What the card provider keeps of a charge: a share of it, rounded half up to a cent, and a fixed amount. */
export type CardFee = {
  /** Hundredths of a percent. */
  readonly basisPoints: number;
  readonly fixed: Cents;
};

/** The published fee for a US card. */
export const USUAL_CARD_FEE: CardFee = { basisPoints: 290, fixed: 30 };

/** More is a typing error. */
export const MOST_BASIS_POINTS = 2000;
export const MOST_FIXED: Cents = 1000;

/** What a donor adds so that the whole gift arrives: to the first payment, and to each renewal. */
export type CoveredFee = { readonly first: Cents; readonly renewal: Cents };

export const NOT_COVERED: CoveredFee = { first: 0, renewal: 0 };

/** Whether a line of the payment page, by its name in any language, is the card fee: no item of a cart has that name. */
export function isCardFeeLine({ name }: { readonly name: string }): boolean {
  return LANGUAGES.some((locale) => m.cardFeeLine({}, { locale }) === name);
}

export function cardFeeOf(charge: Cents, { basisPoints, fixed }: CardFee): Cents {
  return Math.floor((charge * basisPoints + 5000) / 10_000) + fixed;
}

/** The smallest charge of which the whole gift is left after the fee. */
export function chargeCovering(gift: Cents, fee: CardFee): Cents {
  const { basisPoints, fixed } = fee;
  // Never above it: rounding moves what is left by half a cent at most, and one cent less takes away more than that.
  let charge = Math.floor(((gift + fixed) * 10_000) / (10_000 - basisPoints));
  while (charge - cardFeeOf(charge, fee) < gift) charge += 1;
  return charge;
}

/** The provider charges one-time and recurring items together at first, and later the recurring ones alone. */
export function coveredFee(items: readonly CartItem[], fee: CardFee): CoveredFee {
  return { first: addedTo(cartTotal(items), fee), renewal: addedTo(cartTotal(recurringItems(items)), fee) };
}

/** What a gift of this amount takes to arrive whole. */
export function addedTo(gift: Cents, fee: CardFee): Cents {
  return gift === 0 ? 0 : chargeCovering(gift, fee) - gift;
}

/** Why these items cannot be charged with the fee: the minimum is theirs, and the provider's maximum that of the whole. */
export function chargeFailure(items: readonly CartItem[], { first }: CoveredFee): Failure | undefined {
  return cartFailure(items) ?? aboveMaximum(cartTotal(items) + first, 'cart');
}

export function aboveMaximum(charge: Cents, field: string): Failure | undefined {
  if (charge <= MAXIMUM_CHECKOUT) return undefined;
  return new Failure('cart-above-maximum', { most: formatCents(MAXIMUM_CHECKOUT), field });
}

/** "2.9% + 30¢" */
export function cardFeeText({ basisPoints, fixed }: CardFee): string {
  const share = `${toNumber({ units: BigInt(basisPoints), scale: 2 })}%`;
  return fixed === 0 ? share : `${share} + ${fixed}¢`;
}
