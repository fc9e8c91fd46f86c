import type { CartItem, Recurring } from '#domain/cart.ts';
import { added, type CartLine, cartOfText, cartText, NO_LINES, recurring, removed } from './cart-lines.ts';
import type { CartStorage } from './cart-storage.ts';

/** The cart of one organisation, the same for everything on the page and in other tabs that shows it. */
export type CartStore = {
  /** The same array until the cart changes, as React needs it. */
  readonly lines: () => readonly CartLine[];
  /** @returns how to stop listening */
  readonly subscribe: (listener: () => void) => () => void;
  readonly add: (...items: readonly CartItem[]) => void;
  /** Takes out these lines alone: what another tab has added meanwhile stays. */
  readonly remove: (...ids: readonly number[]) => void;
  /** @throws Failure of domain/cart when the interval is out of range */
  readonly recur: (id: number, how: Recurring, interval?: number) => void;
};

/**
 * Every change starts from what the storage holds at that moment, and not from what this tab last saw: two tabs that
 * add an item each end up with both.
 */
export function createCartStore(storage: CartStorage): CartStore {
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  let text: string | null = null;
  let known = NO_LINES;
  const lines = () => {
    const current = storage.read();
    if (current !== text) [text, known] = [current, cartOfText(current)];
    return known;
  };
  const change = (changed: readonly CartLine[]) => {
    storage.write(cartText(changed));
    tell();
  };
  let stopWatching = () => {};
  return {
    lines,
    subscribe: (listener) => {
      if (listeners.size === 0) stopWatching = storage.watch(tell);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stopWatching();
      };
    },
    add: (...items) => change(added(lines(), ...items)),
    remove: (...ids) => change(removed(lines(), ...ids)),
    recur: (id, how, interval) => change(recurring(lines(), id, how, interval)),
  };
}
