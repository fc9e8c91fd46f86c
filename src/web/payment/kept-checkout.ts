import { useSyncExternalStore } from 'react';
import { CHECKOUT_OPEN_MINUTES } from '#domain/checkout.ts';
import { type BrowserText, browserText } from '#web/api/browser-text.ts';

/** A checkout that was started in this browser. Its payment page is not stored: the server knows it. */
export type KeptCheckout = {
  readonly id: string;
  /** When it was started, in milliseconds since 1970. */
  readonly time: number;
};

/** Stores the last checkout of one organization, for all tabs and across reloads. */
export type CheckoutKeeper = {
  /** The raw stored text. It may be unreadable or expired. */
  readonly text: () => string | null;
  /** Undefined after 24 hours. @param now milliseconds since 1970 */
  readonly kept: (now: number) => KeptCheckout | undefined;
  readonly keep: (checkout: KeptCheckout) => void;
  /** Forgets the checkout; with an id, only if it is that one. */
  readonly forget: (id?: string) => void;
  /** Reports changes in this tab and others. @returns a function that unsubscribes */
  readonly subscribe: (listener: () => void) => () => void;
};

const LIFE_MS = CHECKOUT_OPEN_MINUTES * 60_000;

export function createCheckoutKeeper(storage: BrowserText): CheckoutKeeper {
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  const write = (text: string | null) => {
    storage.write(text);
    notify();
  };
  let stopWatching = () => {};
  return {
    text: () => storage.read(),
    kept: (now) => {
      const checkout = keptOfText(storage.read());
      // A clock that was set back must not keep it forever.
      return checkout && Math.abs(now - checkout.time) <= LIFE_MS ? checkout : undefined;
    },
    keep: ({ id, time }) => write(JSON.stringify({ id, time })),
    forget: (id) => {
      if (id === undefined || keptOfText(storage.read())?.id === id) write(null);
    },
    subscribe: (listener) => {
      if (listeners.size === 0) stopWatching = storage.watch(notify);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stopWatching();
      };
    },
  };
}

/** The checkout in a stored text, which is not trusted. */
export function keptOfText(text: string | null): KeptCheckout | undefined {
  const kept = parsed(text ?? '');
  if (typeof kept !== 'object' || kept === null || !('id' in kept) || !('time' in kept)) return undefined;
  const { id, time } = kept;
  return typeof id === 'string' && id !== '' && typeof time === 'number' ? { id, time } : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const keepers = new Map<string, CheckoutKeeper>();

/** A keeper holds nothing itself, so the server can share it between visitors. */
export function checkoutKeeperOf(orgId: string): CheckoutKeeper {
  const known = keepers.get(orgId);
  if (known) return known;
  const keeper = createCheckoutKeeper(browserText(`checkout:${orgId}`));
  keepers.set(orgId, keeper);
  return keeper;
}

/** Whether a checkout is kept, so that it is worth asking about. False on the server. */
export function useHasKeptCheckout(orgId: string): boolean {
  const { subscribe, text } = checkoutKeeperOf(orgId);
  return useSyncExternalStore(
    subscribe,
    () => text() !== null,
    () => false,
  );
}
