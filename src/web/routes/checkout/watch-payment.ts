import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import { isUnsettled } from '#domain/checkout.ts';
import type { ApiClient } from '#web/api/client.ts';

/** A checkout, and the key from its receipt's link, which keeps it open for longer. */
export type CheckoutKey = { readonly orgid: string; readonly checkoutid: string; readonly receipt: string | undefined };

/** Polls the server while the payment is not settled and the tab is visible. */
export function useWatchedCheckout(api: ApiClient, { orgid, checkoutid, receipt }: CheckoutKey, loaded: Checkout) {
  const [known, setKnown] = useState({ loaded, checkout: loaded, unreachable: false });
  // Reloaded page data is newer than the last poll.
  if (known.loaded !== loaded) setKnown({ loaded, checkout: loaded, unreachable: false });
  const { checkout, unreachable } = known;
  const onAnswer = useCallback((answer: Checkout | undefined) => {
    setKnown((before) => ({ ...before, checkout: answer ?? before.checkout, unreachable: answer === undefined }));
  }, []);
  const ask = useCallback(
    (signal?: AbortSignal) =>
      api.call('readCheckout', {
        params: { orgid, checkoutid },
        query: receipt === undefined ? {} : { receipt },
        ...(signal ? { signal } : {}),
      }),
    [api, orgid, checkoutid, receipt],
  );
  const isVisible = useSyncExternalStore(onVisibilityChange, isPageVisible, () => true);
  const watching = isVisible && isUnsettled(checkout.paymentStatus);
  useEffect(() => {
    if (!watching) return;
    const controller = new AbortController();
    void pollUntilSettled({ ask, onAnswer, wait }, controller.signal);
    return () => controller.abort();
  }, [watching, ask, onAnswer]);
  return {
    checkout,
    /** True if the last poll failed. Polling continues. */
    unreachable,
    /** @throws ApiProblem, OfflineError */
    read: async () => {
      const answer = await ask();
      onAnswer(answer);
      return answer;
    },
    put: onAnswer,
  };
}

const FIRST_DELAY = 2_000;
const LONGEST_DELAY = 15_000;
const GROWTH = 1.5;

/** Milliseconds before the next poll: 2 seconds at first, growing to 15. */
export function pollDelay(pollsSoFar: number): number {
  return Math.min(LONGEST_DELAY, Math.round(FIRST_DELAY * GROWTH ** pollsSoFar));
}

type Polling = {
  readonly ask: (signal: AbortSignal) => Promise<Checkout>;
  /** Resolves after that many milliseconds, or as soon as the signal is aborted. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly onAnswer: (answer: Checkout | undefined) => void;
};

/** Polls until the payment is settled or the signal is aborted. */
export async function pollUntilSettled({ ask, wait: delay, onAnswer }: Polling, signal: AbortSignal): Promise<void> {
  for (let polls = 0; ; polls += 1) {
    await delay(pollDelay(polls), signal);
    if (signal.aborted) return;
    const answer = await ask(signal).catch(() => undefined);
    if (signal.aborted) return;
    onAnswer(answer);
    if (answer && !isUnsettled(answer.paymentStatus)) return;
  }
}

export function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const stop = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}

function onVisibilityChange(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
}

function isPageVisible(): boolean {
  return document.visibilityState !== 'hidden';
}
