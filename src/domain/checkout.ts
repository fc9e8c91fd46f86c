/** What the payment provider has said of a checkout (decisions §3). */
export type PaymentStatus = 'unpaid' | 'processing' | 'paid' | 'failed' | 'expired' | 'refunded' | 'disputed';

export const PAYMENT_STATUSES: readonly PaymentStatus[] = [
  'unpaid',
  'processing',
  'paid',
  'failed',
  'expired',
  'refunded',
  'disputed',
];

/** Minutes that a checkout stays open: 24 hours (§9). */
export const CHECKOUT_OPEN_MINUTES = 1440;
/** Days that a paid checkout can still be reached from the link in its receipt (decisions §3). */
export const RECEIPT_LINK_DAYS = 30;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export type CheckoutLife = {
  readonly completed: boolean;
  readonly paymentStatus: PaymentStatus;
  readonly createdTimestamp?: Date | undefined;
};

/**
 * Whether a checkout's profile step is over: it is missing, completed, older than 24 hours, or has no creation time (§4).
 * A paid one whose payer comes by the link in the receipt stays open for 30 days (decisions §3).
 */
export function isOver(checkout: CheckoutLife | undefined, now: Date, cameFromReceipt = false): boolean {
  if (!checkout || checkout.completed || !checkout.createdTimestamp) return true;
  const age = now.getTime() - checkout.createdTimestamp.getTime();
  const extended = cameFromReceipt && checkout.paymentStatus === 'paid';
  return age > (extended ? RECEIPT_LINK_DAYS * DAY : CHECKOUT_OPEN_MINUTES * MINUTE);
}

/** What a provider can report of the first payment of a checkout. */
export type PaymentReport = 'processing' | 'paid' | 'failed' | 'expired';

/**
 * The status after a report, whatever the order in which reports arrive: money that has come is never talked away by
 * an earlier report that comes late, and a refund or a dispute is not undone by a repeated one.
 */
export function statusAfter(status: PaymentStatus, report: PaymentReport): PaymentStatus {
  if (status === 'paid' || status === 'refunded' || status === 'disputed') return status;
  if (report === 'paid') return 'paid';
  if (status === 'failed' || status === 'expired') return status;
  return report;
}

/** Whether the provider may still change its word by itself, so that it is worth asking again. */
export function isUnsettled(status: PaymentStatus): boolean {
  return status === 'unpaid' || status === 'processing';
}
