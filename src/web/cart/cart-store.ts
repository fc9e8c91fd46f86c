import { useSyncExternalStore } from 'react';
import type { CartItem, Recurring } from '#domain/cart.ts';
import { m } from '#messages';
import { type BrowserText, browserText } from '#web/api/browser-text.ts';
import { added, type CartLine, cartOfText, cartText, NO_LINES, placed, put, recurring, removed } from './cart-lines.ts';

/** The hash that opens the cart on the home page; also the id of the card that holds it. */
export const CART_HASH = 'cart';

/** The cart of one organization, shared by the whole page and by other tabs. */
export type CartStore = {
  /** The same array until the cart changes, as React requires. */
  readonly lines: () => readonly CartLine[];
  /** @returns a function that unsubscribes */
  readonly subscribe: (listener: () => void) => () => void;
  readonly add: (...items: readonly CartItem[]) => void;
  /** Adds an item with what its calculator was told, or saves both in the place of a line. */
  readonly put: (item: CartItem, entered: unknown, id?: number) => void;
  /** Undoes the removal of a line. */
  readonly place: (line: CartLine, index: number) => void;
  /** Items that another tab has added in the meantime stay. */
  readonly remove: (...ids: readonly number[]) => void;
  /** @throws Failure interval-out-of-range, yearly-interval */
  readonly recur: (id: number, how: Recurring, interval?: number) => void;
};

/** Every change reads the storage first: if two tabs add an item each, both items are in the cart. */
export function createCartStore(storage: BrowserText): CartStore {
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  let text: string | null = null;
  let parsed = NO_LINES;
  const lines = () => {
    const current = storage.read();
    if (current !== text) [text, parsed] = [current, cartOfText(current)];
    return parsed;
  };
  const change = (changed: readonly CartLine[]) => {
    storage.write(cartText(changed));
    notify();
  };
  let stopWatching = () => {};
  return {
    lines,
    subscribe: (listener) => {
      if (listeners.size === 0) stopWatching = storage.watch(notify);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stopWatching();
      };
    },
    add: (...items) => change(added(lines(), ...items)),
    put: (item, entered, id) => change(put(lines(), item, entered, id)),
    place: (line, index) => change(placed(lines(), line, index)),
    remove: (...ids) => change(removed(lines(), ...ids)),
    recur: (id, how, interval) => change(recurring(lines(), id, how, interval)),
  };
}

/** Where the lines of the last checkout are kept, because the server does not learn what was entered for them. */
export function checkedOutText(orgId: string): BrowserText {
  return browserText(`checked-out:${orgId}`);
}

/** "1 item", "2 items" */
export function itemCount(count: number): string {
  return m.cartItems({ count });
}

export type Cart = Omit<CartStore, 'lines' | 'subscribe'> & { readonly lines: readonly CartLine[] };

const stores = new Map<string, CartStore>();

/** The organization's cart in this browser. Empty on the server and until the page is hydrated. */
export function useCart(orgId: string): Cart {
  const store = cartStoreOf(orgId);
  const lines = useSyncExternalStore(store.subscribe, store.lines, noLines);
  return { ...store, lines };
}

/** A store holds no cart itself, so the server can share it between visitors. */
function cartStoreOf(orgId: string): CartStore {
  const known = stores.get(orgId);
  if (known) return known;
  const store = createCartStore(browserText(`cart:${orgId}`));
  stores.set(orgId, store);
  return store;
}

function noLines(): readonly CartLine[] {
  return NO_LINES;
}
