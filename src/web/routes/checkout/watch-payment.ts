import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import { isUnsettled } from '#domain/checkout.ts';
import type { ApiClient } from '#web/api/client.ts';

/** Which checkout, and with which right: the key of a receipt keeps it open for longer. */
export type CheckoutKey = { readonly orgid: string; readonly checkoutid: string; readonly receipt: string | undefined };

type WatchedCheckout = {
  readonly checkout: Checkout;
  /** Whether the last question had no answer. It is asked again all the same. */
  readonly unanswered: boolean;
  /** Asks once, now. @throws ApiProblem, OfflineError */
  readonly read: () => Promise<Checkout>;
  /** What is known of it without asking. */
  readonly put: (checkout: Checkout) => void;
};

/** A checkout that follows its payment by itself until that is settled, for as long as the tab is looked at. */
export function useWatchedCheckout(api: ApiClient, key: CheckoutKey, loaded: Checkout): WatchedCheckout {
  const [known, setKnown] = useState({ loaded, checkout: loaded, unanswered: false });
  // The page's data may be loaded anew, and is then the latest word.
  if (known.loaded !== loaded) setKnown({ loaded, checkout: loaded, unanswered: false });
  const { checkout, unanswered } = known;
  const told = useCallback((answer: Checkout | undefined) => {
    setKnown((before) => ({
      ...before,
      checkout: answer ?? before.checkout,
      unanswered: answer === undefined,
    }));
  }, []);
  const ask = useAsk(api, key);
  const watching = usePageVisible() && isUnsettled(checkout.paymentStatus);
  useEffect(() => {
    if (!watching) return;
    const controller = new AbortController();
    void askUntilSettled({ ask, told, pause: pauseFor }, controller.signal);
    return () => controller.abort();
  }, [watching, ask, told]);
  const read = async () => {
    const answer = await ask();
    told(answer);
    return answer;
  };
  return { checkout, unanswered, read, put: told };
}

function useAsk(api: ApiClient, { orgid, checkoutid, receipt }: CheckoutKey) {
  return useCallback(
    (signal?: AbortSignal) =>
      api.call('readCheckout', {
        params: { orgid, checkoutid },
        query: receipt === undefined ? {} : { receipt },
        ...(signal ? { signal } : {}),
      }),
    [api, orgid, checkoutid, receipt],
  );
}

function usePageVisible(): boolean {
  return useSyncExternalStore(watchVisibility, isPageVisible, () => true);
}

function watchVisibility(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
}

function isPageVisible(): boolean {
  return document.visibilityState !== 'hidden';
}

const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 15_000;
const GROWTH = 1.5;

/** Milliseconds to wait before asking once more: 2 seconds, growing up to 15. @param asked how often was asked before */
export function pauseBefore(asked: number): number {
  return Math.min(LONGEST_PAUSE, Math.round(FIRST_PAUSE * GROWTH ** asked));
}

type Asking = {
  readonly ask: (signal: AbortSignal) => Promise<Checkout>;
  /** Resolves after so many milliseconds, or as soon as the signal is aborted. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Told every answer; nothing when there was none. */
  readonly told: (answer: Checkout | undefined) => void;
};

/** Asks what became of a payment, again and again, until it is settled or the signal is aborted. */
export async function askUntilSettled({ ask, pause, told }: Asking, signal: AbortSignal): Promise<void> {
  for (let asked = 0; ; asked += 1) {
    await pause(pauseBefore(asked), signal);
    if (signal.aborted) return;
    const answer = await ask(signal).catch(() => undefined);
    if (signal.aborted) return;
    told(answer);
    if (answer && !isUnsettled(answer.paymentStatus)) return;
  }
}

/** A pause that ends early when the signal is aborted. */
export function pauseFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const stop = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}
