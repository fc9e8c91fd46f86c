import type { CartItem } from '#domain/cart.ts';
import { CHECKOUT_GROUPS, type PaymentStatus } from '#domain/checkout.ts';
import { type CartLine, parseValidItem } from '#web/cart/cart-lines.ts';

/**
 * The items of a canceled checkout to put back into the cart: none if it was paid after all, otherwise the items that
 * aren't in the cart yet.
 */
export function listRestorableItems(
  lines: readonly CartLine[],
  checkout: { readonly paymentStatus: PaymentStatus; readonly cart: readonly unknown[] },
): CartItem[] {
  const unpaidStatuses: readonly PaymentStatus[] = CHECKOUT_GROUPS.attempts;
  if (!unpaidStatuses.includes(checkout.paymentStatus)) return [];
  const items = checkout.cart.map(parseValidItem).filter((item) => item !== undefined);
  return items.filter((item) => !lines.some((line) => isSameGift(line.item, item)));
}

/** Calculator fields that this browser stored for an item of a checkout. */
export function findStoredInput(lines: readonly CartLine[], item: CartItem): unknown {
  return lines.find((line) => isSameGift(line.item, item))?.input;
}

function isSameGift(a: CartItem, b: CartItem): boolean {
  const hasSameCost = a.type === b.type && a.offsetType === b.offsetType && a.cost === b.cost;
  return hasSameCost && a.recurring === b.recurring && a.recurringInterval === b.recurringInterval;
}
