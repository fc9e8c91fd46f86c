import type { Checkout } from '#contract/schemas/checkouts.ts';
import { type Cents, chargeOf } from '#domain/money.ts';

/**
 * Where a checkout stands for the page that it was left from.
 * under-way: its window is open, for all we know. unpaid: no money yet, and perhaps no window. processing: a bank debit
 * runs. untold: paid, and the story is to be told. told: paid, with a story to be seen. thanked: paid, and nothing is
 * left to do. failed, expired: nothing came of it. unknown: the server could not be asked.
 */
export type StandingKind =
  | 'under-way'
  | 'unpaid'
  | 'processing'
  | 'untold'
  | 'told'
  | 'thanked'
  | 'failed'
  | 'expired'
  | 'unknown';

export type CheckoutStanding = {
  readonly kind: StandingKind;
  readonly checkoutId: string;
  /** What it comes to; nothing where that is not known. */
  readonly cents: Cents;
  /** The payment page while it can be paid there, or the story once it is told. */
  readonly url: string | null;
};

type Told = Pick<Checkout, 'id' | 'paymentStatus' | 'over' | 'total' | 'paymentURL' | 'offsetterURL'>;

/**
 * What the visitor is told of the server's answer.
 * @param isWindowOpen whether the window that was opened for it seems to be open still
 * @returns nothing where there is nothing to do or to know: its time is over, or the money went back
 */
export function standingOf(checkout: Told, isWindowOpen: boolean): CheckoutStanding | undefined {
  const { id, total, paymentStatus, over, paymentURL, offsetterURL } = checkout;
  const standing = (kind: StandingKind, url: string | null = null): CheckoutStanding => ({
    kind,
    checkoutId: id,
    cents: chargeOf(total),
    url,
  });
  switch (paymentStatus) {
    case 'unpaid':
      if (over || paymentURL === null) return undefined;
      return standing(isWindowOpen ? 'under-way' : 'unpaid', paymentURL);
    case 'paid':
      if (offsetterURL !== null) return standing('told', offsetterURL);
      return standing(over ? 'thanked' : 'untold');
    case 'processing':
    case 'failed':
    case 'expired':
      return standing(paymentStatus);
    case 'refunded':
    case 'disputed':
      return undefined;
  }
}

const LAST_WORDS: readonly StandingKind[] = ['told', 'thanked', 'failed', 'expired'];

/** Whether nothing more can become of it, so that it is said once and not kept. */
export function isLastWord({ kind }: CheckoutStanding): boolean {
  return LAST_WORDS.includes(kind);
}
