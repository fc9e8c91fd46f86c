/** The payment provider's status of a checkout (decisions §3). */
export const PAYMENT_STATUSES = ['unpaid', 'processing', 'paid', 'failed', 'expired', 'refunded', 'disputed'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** Statuses with received or pending money, and statuses without. */
export const CHECKOUT_GROUPS = {
  received: ['processing', 'paid', 'refunded', 'disputed'],
  attempts: ['unpaid', 'failed', 'expired'],
} as const satisfies Readonly<Record<string, readonly PaymentStatus[]>>;

export type CheckoutGroup = keyof typeof CHECKOUT_GROUPS;

/** 24 hours (§9). */
export const CHECKOUT_OPEN_MINUTES = 1440;
/** Days until the link in a receipt expires (decisions §3). */
export const RECEIPT_LINK_DAYS = 30;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export type ProfileStepState = {
  readonly completed: boolean;
  readonly paymentStatus: PaymentStatus;
  readonly createdTimestamp?: Date | undefined;
};

/**
 * Checks whether a checkout's profile step is over: the checkout is missing, completed, older than 24 hours, or has no
 * creation time (§4). A paid checkout stays open for 30 days through the link in its receipt (decisions §3).
 */
export function isProfileStepOver(checkout: ProfileStepState | undefined, now: Date, hasReceiptLink = false): boolean {
  if (!checkout || checkout.completed || !checkout.createdTimestamp) return true;
  const age = now.getTime() - checkout.createdTimestamp.getTime();
  const isExtended = hasReceiptLink && checkout.paymentStatus === 'paid';
  return age > (isExtended ? RECEIPT_LINK_DAYS * DAY : CHECKOUT_OPEN_MINUTES * MINUTE);
}

/** The provider's report about a checkout's first payment. */
export type PaymentReport = 'processing' | 'paid' | 'failed' | 'expired';

/**
 * The status after a report. Reports can arrive in any order: a late one never undoes a payment, and a repeated one
 * never undoes a refund or dispute.
 */
export function statusAfter(status: PaymentStatus, report: PaymentReport): PaymentStatus {
  if (status === 'paid' || status === 'refunded' || status === 'disputed') return status;
  // `refreshCheckouts` expires checkouts whose session it can't find; such a session may still be paid by bank debit.
  if (status === 'failed' && report !== 'paid') return status;
  return report;
}

/**
 * The status of a checkout with successful payments; recurring gifts have many. A partial refund leaves it paid.
 */
export function calculateCheckoutStatus(
  payments: readonly { readonly status: string; readonly amount_cents: number; readonly returned_cents: number }[],
): 'paid' | 'refunded' | 'disputed' {
  if (payments.some(({ status }) => status === 'disputed' || status === 'lost')) return 'disputed';
  return payments.every(({ amount_cents, returned_cents }) => returned_cents >= amount_cents) ? 'refunded' : 'paid';
}

/** Returns true if the status can still change, so that the provider should be queried again. */
export function isUnsettled(status: PaymentStatus): boolean {
  return status === 'unpaid' || status === 'processing';
}
