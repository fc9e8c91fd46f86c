import { CHECKOUT_OPEN_MINUTES } from '#domain/checkout.ts';
import type { BrowserText } from '#web/api/browser-text.ts';

/** A checkout that somebody left for the payment page. Its address is not kept: the server says it when it is asked. */
export type KeptCheckout = {
  readonly id: string;
  /** When it was opened, in milliseconds since 1970 by this browser's clock. */
  readonly time: number;
};

/** The last checkout of one organisation, over a reload and for every tab: a new one takes the place of the last. */
export type CheckoutKeeper = {
  /** What is kept, as it stands in the storage: only whether there is something can be told from it. */
  readonly text: () => string | null;
  /** Nothing once its 24 hours are over. @param now milliseconds since 1970 */
  readonly kept: (now: number) => KeptCheckout | undefined;
  readonly keep: (checkout: KeptCheckout) => void;
  /** Forgets what is kept, or with an id only the checkout of that id. */
  readonly forget: (id?: string) => void;
  /** Calls back at every change, of this tab or another. @returns how to stop */
  readonly subscribe: (listener: () => void) => () => void;
};

const LIFE_MS = CHECKOUT_OPEN_MINUTES * 60_000;

export function createCheckoutKeeper(storage: BrowserText): CheckoutKeeper {
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  const write = (text: string | null) => {
    storage.write(text);
    tell();
  };
  let stopWatching = () => {};
  return {
    text: () => storage.read(),
    kept: (now) => {
      const checkout = keptOfText(storage.read());
      // A clock that was set back may not keep it for ever.
      return checkout && Math.abs(now - checkout.time) <= LIFE_MS ? checkout : undefined;
    },
    keep: ({ id, time }) => write(JSON.stringify({ id, time })),
    forget: (id) => {
      if (id === undefined || keptOfText(storage.read())?.id === id) write(null);
    },
    subscribe: (listener) => {
      if (listeners.size === 0) stopWatching = storage.watch(tell);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stopWatching();
      };
    },
  };
}

/** The checkout that a text keeps. The text may be anything: what cannot be read was not kept. */
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
