import { CHECKOUT_OPEN_MINUTES } from '#domain/checkout.ts';
import { memoizeByKey } from '#web/browser/memoize-by-key.ts';
import { isRecord, parseJson } from '#web/browser/parse-json.ts';
import { getStoredText, type StoredText } from '#web/browser/stored-text.ts';
import { createStoredValue, useStoredValue } from '#web/browser/stored-value.ts';

/** A checkout that was started in this browser. Its payment page is not stored; the server returns the address. */
export type LastCheckout = {
  readonly id: string;
  /** Start time, in milliseconds since 1970. */
  readonly time: number;
};

export type LastCheckoutStorage = ReturnType<typeof createLastCheckoutStorage>;

/** Stores the last checkout of one organization, for all tabs and across reloads. */
export function createLastCheckoutStorage(storage: StoredText) {
  const { read, write, subscribe } = createStoredValue(storage, parseLastCheckout);
  return {
    /** The raw stored text. It may be unreadable or expired. */
    readText: storage.read,
    /** Undefined after 24 hours. @param now milliseconds since 1970 */
    read: (now: number): LastCheckout | undefined => keepUnexpired(read(), now),
    save: ({ id, time }: LastCheckout) => write({ id, time }),
    /** Forgets the checkout; with an id, only if the ids match. */
    forget: (id?: string) => {
      if (id === undefined || read()?.id === id) write(undefined);
    },
    subscribe,
  };
}

const LIFETIME_MS = CHECKOUT_OPEN_MINUTES * 60_000;

/** @returns undefined for a value that is older than a payment page may be open */
export function keepUnexpired<Value extends { readonly time: number }>(
  value: Value | undefined,
  now: number,
): Value | undefined {
  // The value must expire even if the clock was set back.
  return value && Math.abs(now - value.time) <= LIFETIME_MS ? value : undefined;
}

/** Parses a stored checkout. The text is untrusted. */
export function parseLastCheckout(text: string | null): LastCheckout | undefined {
  const storedCheckout = parseJson(text);
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
  return useStoredValue({ subscribe, read: () => readText() !== null }, false);
}
