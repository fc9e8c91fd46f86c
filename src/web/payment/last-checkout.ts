import { useSyncExternalStore } from 'react';
import { CHECKOUT_OPEN_MINUTES } from '#domain/checkout.ts';
import { memoizeByKey } from '#web/browser/memoize-by-key.ts';
import { isRecord, parseJson } from '#web/browser/parse-json.ts';
import { getStoredText, type StoredText } from '#web/browser/stored-text.ts';

/** A checkout that was started in this browser. Its payment page is not stored; the server returns the address. */
export type LastCheckout = {
  readonly id: string;
  /** Start time, in milliseconds since 1970. */
  readonly time: number;
};

/** Stores the last checkout of one organization, for all tabs and across reloads. */
export type LastCheckoutStorage = {
  /** The raw stored text. It may be unreadable or expired. */
  readonly readText: () => string | null;
  /** Undefined after 24 hours. @param now milliseconds since 1970 */
  readonly read: (now: number) => LastCheckout | undefined;
  readonly save: (checkout: LastCheckout) => void;
  /** Forgets the checkout; with an id, only if the ids match. */
  readonly forget: (id?: string) => void;
  /** Reports changes in this tab and others. @returns a function that unsubscribes */
  readonly subscribe: (listener: () => void) => () => void;
};

const LIFETIME_MS = CHECKOUT_OPEN_MINUTES * 60_000;

export function createLastCheckoutStorage(storage: StoredText): LastCheckoutStorage {
  return {
    readText: storage.read,
    read: (now) => {
      const checkout = parseLastCheckout(storage.read());
      // The checkout must expire even if the clock was set back.
      return checkout && Math.abs(now - checkout.time) <= LIFETIME_MS ? checkout : undefined;
    },
    save: ({ id, time }) => storage.write(JSON.stringify({ id, time })),
    forget: (id) => {
      if (id === undefined || parseLastCheckout(storage.read())?.id === id) storage.write(null);
    },
    subscribe: storage.subscribe,
  };
}

/** Parses a stored checkout. The text is untrusted. */
export function parseLastCheckout(text: string | null): LastCheckout | undefined {
  const storedCheckout = parseJson(text ?? '');
  if (!isRecord(storedCheckout)) return undefined;
  const { id, time } = storedCheckout;
  return typeof id === 'string' && id !== '' && typeof time === 'number' ? { id, time } : undefined;
}

/** The object holds no data, so the server can share it between visitors. */
export const lastCheckoutStorage = memoizeByKey((orgId: string) =>
  createLastCheckoutStorage(getStoredText(`checkout:${orgId}`)),
);

/** @returns whether a checkout is stored; false on the server */
export function useHasLastCheckout(orgId: string): boolean {
  const { subscribe, readText } = lastCheckoutStorage(orgId);
  return useSyncExternalStore(
    subscribe,
    () => readText() !== null,
    () => false,
  );
}
