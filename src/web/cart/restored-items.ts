import type { CartItem } from '#domain/cart.ts';
import type { PaymentStatus } from '#domain/checkout.ts';
import { type CartLine, validItem } from './cart-lines.ts';

/** The statuses of a checkout that no money has come from, nor is on its way from. */
const GIVEN_UP: readonly PaymentStatus[] = ['unpaid', 'failed', 'expired'];

/**
 * The items of a cancelled checkout that belong into the cart again: none once it is paid, and of a cart that has been
 * filled anew only those that it does not hold already, so that a gift which was only begun again is not there twice.
 */
export function restoredItems(
  lines: readonly CartLine[],
  checkout: { readonly paymentStatus: PaymentStatus; readonly cart: readonly unknown[] },
): CartItem[] {
  if (!GIVEN_UP.includes(checkout.paymentStatus)) return [];
  const items = checkout.cart.map(validItem).filter((item) => item !== undefined);
  return items.filter((item) => !lines.some((line) => isSameGift(line.item, item)));
}

function isSameGift(a: CartItem, b: CartItem): boolean {
  const same = a.type === b.type && a.offsetType === b.offsetType && a.cost === b.cost;
  return same && a.recurring === b.recurring && a.recurringInterval === b.recurringInterval;
}
