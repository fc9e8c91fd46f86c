import type { CartItem } from '#domain/cart.ts';
import type { PaymentStatus } from '#domain/checkout.ts';
import { type CartLine, validItem } from './cart-lines.ts';

/** The statuses of a checkout that no money has come from, nor is on its way from. */
const GIVEN_UP: readonly PaymentStatus[] = ['unpaid', 'failed', 'expired'];

/**
 * The items of a cancelled checkout that belong into the cart again: none once it is paid, and none where the cart has
 * been filled anew, which would count a gift twice that was only begun again.
 */
export function restoredItems(
  lines: readonly CartLine[],
  checkout: { readonly paymentStatus: PaymentStatus; readonly cart: readonly unknown[] },
): CartItem[] {
  if (lines.length > 0 || !GIVEN_UP.includes(checkout.paymentStatus)) return [];
  return checkout.cart.map(validItem).filter((item) => item !== undefined);
}
