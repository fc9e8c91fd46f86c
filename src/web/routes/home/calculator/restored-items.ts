import type { CartItem } from '#domain/cart.ts';
import { CHECKOUT_GROUPS, type PaymentStatus } from '#domain/checkout.ts';
import { type CartLine, validItem } from '#web/cart/cart-lines.ts';

/**
 * The items of a canceled checkout to put back into the cart: none if it was paid after all, otherwise the items that
 * aren't in the cart yet.
 */
export function restoredItems(
  lines: readonly CartLine[],
  checkout: { readonly paymentStatus: PaymentStatus; readonly cart: readonly unknown[] },
): CartItem[] {
  const unpaidStatuses: readonly PaymentStatus[] = CHECKOUT_GROUPS.attempts;
  if (!unpaidStatuses.includes(checkout.paymentStatus)) return [];
  const items = checkout.cart.map(validItem).filter((item) => item !== undefined);
  return items.filter((item) => !lines.some((line) => isSameGift(line.item, item)));
}

/** Calculator fields that this browser stored for an item of a checkout. */
export function storedInput(lines: readonly CartLine[], item: CartItem): unknown {
  return lines.find((line) => isSameGift(line.item, item))?.entered;
}

function isSameGift(a: CartItem, b: CartItem): boolean {
  const same = a.type === b.type && a.offsetType === b.offsetType && a.cost === b.cost;
  return same && a.recurring === b.recurring && a.recurringInterval === b.recurringInterval;
}
