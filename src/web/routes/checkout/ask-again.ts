import type { Checkout } from '#contract/schemas/checkouts.ts';
import { isUnsettled } from '#domain/checkout.ts';

const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 15_000;
const GROWTH = 1.5;

/** Milliseconds to wait before asking once more: 2 seconds, growing up to 15. @param asked how often was asked before */
export function pauseBefore(asked: number): number {
  return Math.min(LONGEST_PAUSE, Math.round(FIRST_PAUSE * GROWTH ** asked));
}

export type Asking = {
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
