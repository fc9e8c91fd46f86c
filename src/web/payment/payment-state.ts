import { pagePath } from '#contract/pages.ts';
import type { Checkout } from '#contract/schemas/checkouts.ts';
import { type Cents, formatCents, toChargedCents } from '#domain/money.ts';
import { m } from '#messages';

/**
 * The state of a payment, for the page where it was started.
 * paying: its window seems to be open. unpaid: no money yet, and no open window. processing: a bank debit is pending.
 * paid: the donor can add a story. published: paid, with a story. thanked: paid, and nothing is left to do. failed,
 * expired: no money will arrive. unknown: the server did not respond.
 */
export type PaymentStateKind =
  | 'paying'
  | 'unpaid'
  | 'processing'
  | 'paid'
  | 'published'
  | 'thanked'
  | 'failed'
  | 'expired'
  | 'unknown';

export type PaymentState = {
  readonly kind: PaymentStateKind;
  readonly checkoutId: string;
  /** The amount; 0 if unknown. */
  readonly cents: Cents;
  /** URL of the payment page while the checkout is unpaid, or of the story once it is published. */
  readonly url: string | null;
};

type CheckoutFacts = Pick<Checkout, 'id' | 'paymentStatus' | 'isOver' | 'total' | 'paymentURL' | 'offsetterURL'>;

/**
 * The state of a payment, from the server's response.
 * @param isWindowOpen whether the payment window seems to be open
 * @returns undefined if there is nothing to show: the checkout has expired, or the money was returned
 */
export function toPaymentState(checkout: CheckoutFacts, isWindowOpen: boolean): PaymentState | undefined {
  const { id, total, paymentStatus, isOver, paymentURL, offsetterURL } = checkout;
  const makeState = (kind: PaymentStateKind, url: string | null = null): PaymentState => ({
    kind,
    checkoutId: id,
    cents: toChargedCents(total),
    url,
  });
  switch (paymentStatus) {
    case 'unpaid':
      if (isOver || paymentURL === null) return undefined;
      return makeState(isWindowOpen ? 'paying' : 'unpaid', paymentURL);
    case 'paid':
      if (offsetterURL !== null) return makeState('published', offsetterURL);
      return makeState(isOver ? 'thanked' : 'paid');
    case 'processing':
    case 'failed':
    case 'expired':
      return makeState(paymentStatus);
    case 'refunded':
    case 'disputed':
      return undefined;
  }
}

const FINAL_KINDS: readonly PaymentStateKind[] = ['published', 'thanked', 'failed', 'expired'];

/** A final state can no longer change. It is shown once and then forgotten. */
export function isFinal({ kind }: PaymentState): boolean {
  return FINAL_KINDS.includes(kind);
}

export type NoticeLink = {
  readonly label: string;
  readonly to: string;
  /** True for the payment page, which opens in a new tab. */
  readonly isPayment: boolean;
};

export type PaymentNotice = {
  readonly text: string;
  readonly links: readonly NoticeLink[];
  /** The label of the button that dismisses the notice; undefined while the notice has to stay. */
  readonly dismissLabel: string | undefined;
};

/** The text doesn't claim that the window was closed, because browsers may report that incorrectly. */
export function toPaymentNotice(payment: PaymentState, orgId: string): PaymentNotice {
  const { kind, cents } = payment;
  return {
    text: TEXTS[kind](formatCents(cents)),
    links: buildLinks(payment, orgId),
    dismissLabel: DISMISS_LABELS[kind],
  };
}

const TEXTS: Readonly<Record<PaymentStateKind, (amount: string) => string>> = {
  paying: () => m.paymentContinues(),
  unpaid: (amount) => m.paymentUnpaid({ amount }),
  processing: (amount) => m.paymentProcessing({ amount }),
  paid: (amount) => m.paymentPaid({ amount }),
  published: (amount) => m.paymentPublished({ amount }),
  thanked: (amount) => m.paymentThanked({ amount }),
  failed: (amount) => m.paymentFailed({ amount }),
  expired: (amount) => m.paymentExpired({ amount }),
  unknown: () => m.paymentUnknown(),
};

const NOT_NOW = m.notNow();
const CLOSE = m.close();
const DISMISS_LABELS: Readonly<Record<PaymentStateKind, string | undefined>> = {
  paying: undefined,
  unpaid: NOT_NOW,
  processing: CLOSE,
  paid: NOT_NOW,
  published: CLOSE,
  thanked: CLOSE,
  failed: CLOSE,
  expired: CLOSE,
  unknown: NOT_NOW,
};

function buildLinks({ kind, checkoutId, url }: PaymentState, orgId: string): NoticeLink[] {
  const makeLink = (label: string, to: string, isPayment = false): NoticeLink => ({ label, to, isPayment });
  const payment = url === null ? [] : [makeLink(m.paymentOpenPage(), url, true)];
  const page = pagePath('checkout-page', { orgid: orgId, checkoutid: checkoutId });
  const cart = makeLink(m.backToCart(), `${pagePath('home-page', { orgid: orgId })}?cancelled=${checkoutId}`);
  switch (kind) {
    case 'paying':
      return payment;
    case 'unpaid':
      return [...payment, cart];
    case 'failed':
    case 'expired':
      return [cart];
    case 'paid':
      return [makeLink(m.tellYourStory(), page)];
    case 'published':
      return url === null ? [] : [makeLink(m.seeYourStory(), url)];
    case 'thanked':
      return [makeLink(m.paymentSeeGift(), page)];
    case 'processing':
    case 'unknown':
      return [makeLink(m.paymentCheck(), page)];
  }
}
