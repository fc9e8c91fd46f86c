import { pagePath } from '#contract/pages.ts';
import { type Cents, formatCents } from '#domain/money.ts';
import type { CheckoutStanding, StandingKind } from './checkout-standing.ts';

/** A way to go on, by a link. */
export type NoticeWay = {
  readonly label: string;
  readonly to: string;
  /** Whether it is the payment page, which opens in a window of its own. */
  readonly isPayment: boolean;
};

/** What a page says of a checkout that was left from it. */
export type CheckoutNotice = {
  readonly words: string;
  readonly ways: readonly NoticeWay[];
  /** The button that puts the notice away; nothing where it may not be put away yet. */
  readonly dismiss: string | undefined;
};

/**
 * Where a checkout stands in words, and the ways on from there. It is never said for sure that the window was closed:
 * a browser may only make it look so.
 */
export function noticeOf(standing: CheckoutStanding, orgId: string): CheckoutNotice {
  const { kind, cents } = standing;
  return { words: WORDS[kind](formatCents(cents)), ways: waysOf(standing, orgId), dismiss: DISMISS[kind] };
}

/** The words for a payment that has not come, which the dialog says too. */
export function unpaidWords(cents: Cents): string {
  return notArrived(formatCents(cents));
}

function notArrived(amount: string): string {
  return `Your payment of ${amount} has not arrived yet.`;
}

const WORDS: Readonly<Record<StandingKind, (amount: string) => string>> = {
  'under-way': () => 'Your payment goes on in another window.',
  unpaid: (amount) => `${notArrived(amount)} If you closed the payment window, you can open it again.`,
  processing: (amount) =>
    `Your bank debit of ${amount} is under way. Banks take some days for it, and then we email you a receipt.`,
  untold: (amount) => `Thank you! Your gift of ${amount} has arrived. Would you tell us why you gave?`,
  told: (amount) => `Thank you! Your gift of ${amount} has arrived, and your story is told.`,
  thanked: (amount) => `Thank you! Your gift of ${amount} has arrived.`,
  failed: (amount) => `Your payment of ${amount} did not go through. Nothing was charged.`,
  expired: (amount) => `Your checkout of ${amount} was not paid in time. Nothing was charged.`,
  unknown: () => 'We cannot see right now where your payment stands.',
};

const LATER = 'Not now';
const CLOSE = 'Close';
const DISMISS: Readonly<Record<StandingKind, string | undefined>> = {
  'under-way': undefined,
  unpaid: LATER,
  processing: CLOSE,
  untold: LATER,
  told: CLOSE,
  thanked: CLOSE,
  failed: CLOSE,
  expired: CLOSE,
  unknown: LATER,
};

function waysOf({ kind, checkoutId, url }: CheckoutStanding, orgid: string): NoticeWay[] {
  const way = (label: string, to: string, isPayment = false): NoticeWay => ({ label, to, isPayment });
  const payment = url === null ? [] : [way('Open the payment page', url, true)];
  const page = pagePath('checkout-page', { orgid, checkoutid: checkoutId });
  const cart = way('Put it back in the cart', `${pagePath('home-page', { orgid })}?cancelled=${checkoutId}`);
  switch (kind) {
    case 'under-way':
      return payment;
    case 'unpaid':
      return [...payment, cart];
    case 'failed':
    case 'expired':
      return [cart];
    case 'untold':
      return [way('Tell your story', page)];
    case 'told':
      return url === null ? [] : [way('See your story', url)];
    case 'thanked':
      return [way('See your gift', page)];
    case 'processing':
    case 'unknown':
      return [way('See where it stands', page)];
  }
}
