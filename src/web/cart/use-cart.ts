import { useSyncExternalStore } from 'react';
import { type CartLine, NO_LINES } from './cart-lines.ts';
import { browserCartStorage } from './cart-storage.ts';
import { type CartStore, createCartStore } from './cart-store.ts';

export type Cart = Omit<CartStore, 'lines' | 'subscribe'> & { readonly lines: readonly CartLine[] };

const stores = new Map<string, CartStore>();

/** The organisation's cart in this browser. Empty while the page is rendered on the server, and until it is hydrated. */
export function useCart(orgId: string): Cart {
  const store = cartStoreOf(orgId);
  const lines = useSyncExternalStore(store.subscribe, store.lines, noLines);
  return { ...store, lines };
}

/** One store for all that shows a cart. It holds no cart itself, so a server may share it among its visitors. */
function cartStoreOf(orgId: string): CartStore {
  const known = stores.get(orgId);
  if (known) return known;
  const store = createCartStore(browserCartStorage(orgId));
  stores.set(orgId, store);
  return store;
}

function noLines(): readonly CartLine[] {
  return NO_LINES;
}
