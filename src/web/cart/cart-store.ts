import { useMemo } from 'react';
import type { CartItem, Recurring } from '#domain/cart.ts';
import { m } from '#messages';
import { memoizeByKey } from '#web/browser/memoize-by-key.ts';
import { getStoredText, type StoredText } from '#web/browser/stored-text.ts';
import { createStoredValue, useStoredValue } from '#web/browser/stored-value.ts';
import {
  addItems,
  type CartLine,
  insertLine,
  NO_LINES,
  parseCart,
  putItem,
  removeLines,
  serializeCart,
  setRecurrence,
} from './cart-lines.ts';

/** The hash that opens the cart on the home page; also the id of the cart's card. */
export const CART_HASH = 'cart';

/** The cart of one organization, shared by the whole page and by other tabs. */
export type CartStore = {
  /** Returns the same array until the cart changes, as React requires. */
  readonly lines: () => readonly CartLine[];
  /** @returns a function that unsubscribes */
  readonly subscribe: (listener: () => void) => () => void;
  readonly add: (...items: readonly CartItem[]) => void;
  /** Adds an item with its calculator's fields, or replaces the line with this id. */
  readonly put: (item: CartItem, input: unknown, id?: number) => void;
  /** Undoes the removal of a line. */
  readonly restore: (line: CartLine, index: number) => void;
  /** Removes lines, but keeps items added in another tab. @returns the remaining lines */
  readonly remove: (...ids: readonly number[]) => readonly CartLine[];
  /** @throws Failure interval-out-of-range, yearly-interval */
  readonly setRecurrence: (id: number, recurring: Recurring, interval?: number) => void;
};

/**
 * Every change rereads storage first, so that items added in two tabs both end up in the cart.
 * @param options cart-level options, cleared when the cart is emptied
 */
export function createCartStore(storage: StoredText, options?: StoredText): CartStore {
  const { read: lines } = createStoredValue(storage, parseCart);
  const write = (newLines: readonly CartLine[]) => storage.write(serializeCart(newLines));
  return {
    lines,
    subscribe: storage.subscribe,
    add: (...items) => write(addItems(lines(), ...items)),
    put: (item, input, id) => write(putItem(lines(), item, input, id)),
    restore: (line, index) => write(insertLine(lines(), line, index)),
    remove: (...ids) => {
      write(removeLines(lines(), ...ids));
      if (lines().length === 0) options?.write(null);
      return lines();
    },
    setRecurrence: (id, recurring, interval) => write(setRecurrence(lines(), id, recurring, interval)),
  };
}

/** Lines of the last checkout with their calculator fields, which the server doesn't store. */
export function getLastCheckoutCart(orgId: string): StoredText {
  return getStoredText(`checked-out:${orgId}`);
}

/** Gift options that apply to the whole cart (payment/gift-choice.ts). */
export function getCartOptions(orgId: string): StoredText {
  return getStoredText(`gift-choice:${orgId}`);
}

/** "1 item", "2 items" */
export function formatItemCount(count: number): string {
  return m.cartItems({ count });
}

export type Cart = Omit<CartStore, 'lines' | 'subscribe'> & { readonly lines: readonly CartLine[] };

/** The organization's cart in this browser, the same object until it changes. Empty on the server and until hydration. */
export function useCart(orgId: string): Cart {
  const store = getCartStore(orgId);
  const lines = useStoredValue({ subscribe: store.subscribe, read: store.lines }, NO_LINES);
  return useMemo(() => ({ ...store, lines }), [store, lines]);
}

/** A store holds no cart data, so the server can share it between visitors. */
const getCartStore = memoizeByKey((orgId: string) =>
  createCartStore(getStoredText(`cart:${orgId}`), getCartOptions(orgId)),
);
