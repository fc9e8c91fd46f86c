import { type CartItem, cartFailure, donationItem, MAXIMUM_CHECKOUT } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import { formatCents } from '#domain/money.ts';
import type { Recurrence } from '#web/ui/recurrence-select.tsx';
import { typedNumber } from '#web/ui/typed-number.ts';

/** The most dollars that one checkout takes. */
const MOST_DOLLARS = Math.floor(MAXIMUM_CHECKOUT / 100);

/** An amount in whole dollars, or why it is none. */
export type TypedDollars =
  | { readonly kind: 'dollars'; readonly dollars: number }
  | { readonly kind: 'problem'; readonly problem: string };

/** A gift for the cart, or why there is none. */
export type Donation =
  | { readonly kind: 'item'; readonly item: CartItem }
  | { readonly kind: 'problem'; readonly problem: string };

/** The whole dollars that a field holds (§5): "1,000", and "$50.00" as well, since it is fifty. */
export function typedDollars(text: string): TypedDollars {
  const dollars = typedNumber(text.trim().replace(/^\$\s*/, ''));
  if (dollars === 'blank' || dollars === 0) return refused(new Failure('no-amount'));
  if (dollars === 'unclear' || dollars < 1 || (Number.isFinite(dollars) && !Number.isInteger(dollars))) {
    return refused(new Failure('amount-not-whole-dollars'));
  }
  if (dollars > MOST_DOLLARS)
    return refused(new Failure('cart-above-maximum', { most: formatCents(MAXIMUM_CHECKOUT) }));
  return { kind: 'dollars', dollars };
}

/** A donation for the cart, where something else may stand beside it. */
export function donationOf(amount: string, { recurring, interval }: Recurrence): Donation {
  const typed = typedDollars(amount);
  if (typed.kind === 'problem') return typed;
  return { kind: 'item', item: donationItem(typed.dollars, recurring, interval) };
}

/** A donation that goes to checkout alone, and so has to reach the minimum by itself (§5). */
export function donationAlone(amount: string, recurrence: Recurrence): Donation {
  const donation = donationOf(amount, recurrence);
  const failure = donation.kind === 'item' ? cartFailure([donation.item]) : undefined;
  return failure ? refused(failure) : donation;
}

function refused(failure: Failure): { kind: 'problem'; problem: string } {
  return { kind: 'problem', problem: failure.message };
}
