import { useCallback, useEffect, useSyncExternalStore } from 'react';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import { isUnsettled } from '#domain/checkout.ts';
import { pause } from '#web/browser/pause.ts';
import { useApi } from '#web/session/app-context.ts';
import { useStateFrom } from '#web/ui/use-state-from.ts';

/** Identifies a checkout. The key from the link to the receipt keeps the checkout open longer. */
export type CheckoutKey = {
  readonly orgId: string;
  readonly checkoutId: string;
  readonly receiptKey: string | undefined;
};

/** Polls the server while the payment is not settled and the tab is visible. */
export function usePolledCheckout({ orgId, checkoutId, receiptKey }: CheckoutKey, initialCheckout: Checkout) {
  const api = useApi();
  // Reloaded page data is newer than the last poll.
  const [checkout, setCheckout] = useStateFrom(initialCheckout);
  const [unreachable, setUnreachable] = useStateFrom(false, initialCheckout);
  const onCheckout = useCallback(
    (response: Checkout | undefined) => {
      setUnreachable(response === undefined);
      if (response) setCheckout(response);
    },
    [setCheckout, setUnreachable],
  );
  const fetchCheckout = useCallback(
    (signal?: AbortSignal) =>
      api.call('readCheckout', {
        params: { orgid: orgId, checkoutid: checkoutId },
        query: receiptKey === undefined ? {} : { receipt: receiptKey },
        ...(signal ? { signal } : {}),
      }),
    [api, orgId, checkoutId, receiptKey],
  );
  const isVisible = useSyncExternalStore(onVisibilityChange, isPageVisible, () => true);
  const isPolling = isVisible && isUnsettled(checkout.paymentStatus);
  useEffect(() => {
    if (!isPolling) return;
    const controller = new AbortController();
    void pollUntilSettled({ poll: fetchCheckout, onCheckout, wait: pause }, controller.signal);
    return () => controller.abort();
  }, [isPolling, fetchCheckout, onCheckout]);
  return {
    checkout,
    /** True if the last poll failed. Polling continues. */
    unreachable,
    /** @throws ApiProblem, OfflineError */
    read: async () => {
      const response = await fetchCheckout();
      onCheckout(response);
      return response;
    },
    setCheckout: onCheckout,
  };
}

const INITIAL_DELAY_MS = 2_000;
const MAX_DELAY_MS = 15_000;
const BACKOFF_FACTOR = 1.5;

/** Milliseconds before the next poll: 2 seconds at first, growing to 15. */
export function pollDelay(pollCount: number): number {
  return Math.min(MAX_DELAY_MS, Math.round(INITIAL_DELAY_MS * BACKOFF_FACTOR ** pollCount));
}

type PollDeps = {
  readonly poll: (signal: AbortSignal) => Promise<Checkout>;
  /** Resolves after the delay, or as soon as the signal is aborted. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly onCheckout: (response: Checkout | undefined) => void;
};

/** Polls until the payment is settled or the signal is aborted. */
export async function pollUntilSettled(
  { poll, wait: delay, onCheckout }: PollDeps,
  signal: AbortSignal,
): Promise<void> {
  for (let pollCount = 0; ; pollCount += 1) {
    await delay(pollDelay(pollCount), signal);
    if (signal.aborted) return;
    const response = await poll(signal).catch(() => undefined);
    if (signal.aborted) return;
    onCheckout(response);
    if (response && !isUnsettled(response.paymentStatus)) return;
  }
}

function onVisibilityChange(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
}

function isPageVisible(): boolean {
  return document.visibilityState !== 'hidden';
}
