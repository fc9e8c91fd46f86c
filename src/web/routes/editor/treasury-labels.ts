import type { HistoryEvent, ListedCheckout, PaymentRecord } from '#contract/schemas/checkout-records.ts';
import { recurringSuffix } from '#domain/cart.ts';
import type { PledgeStatus } from '#domain/check.ts';
import type { PaymentStatus } from '#domain/checkout.ts';
import type { SearchStatus } from '#domain/checkout-search.ts';
import { formatDollars, formatPounds } from '#domain/money.ts';
import type { Tone } from '#web/ui/list-parts.tsx';
import { formatList } from '#web/ui/text.ts';

type StatusLabel = { readonly label: string; readonly tone: Tone };

export const PAYMENT_LABELS: Readonly<Record<PaymentStatus, StatusLabel>> = {
  unpaid: { label: 'Not paid', tone: 'plain' },
  processing: { label: 'Bank payment pending', tone: 'waiting' },
  paid: { label: 'Paid', tone: 'done' },
  failed: { label: 'Failed', tone: 'error' },
  expired: { label: 'Expired', tone: 'plain' },
  refunded: { label: 'Refunded', tone: 'plain' },
  disputed: { label: 'Disputed', tone: 'error' },
};

const PARTLY_REFUNDED: StatusLabel = { label: 'Partly refunded', tone: 'plain' };

type LabeledPayment = Pick<ListedCheckout, 'paymentStatus' | 'refunded' | 'total'>;

/** Status of one payment. */
export function getPaymentLabel({ paymentStatus, refunded, total }: LabeledPayment): StatusLabel {
  if (paymentStatus === 'paid' && refunded > 0) return PARTLY_REFUNDED;
  // A single charge can't be refunded again.
  if (paymentStatus === 'disputed' && refunded >= total) return DISPUTE_LOST;
  return PAYMENT_LABELS[paymentStatus];
}

/** Status of all payments of a checkout. A recurring gift has several, and any of them may be disputed. */
export function getCheckoutLabel(checkout: LabeledPayment & Pick<ListedCheckout, 'cart'>): StatusLabel {
  const { paymentStatus, cart } = checkout;
  return paymentStatus === 'disputed' && isRecurring(cart) ? PAYMENT_LABELS.disputed : getPaymentLabel(checkout);
}

const DISPUTE_LOST: StatusLabel = { label: 'Dispute lost', tone: 'error' };

const CHARGE_LABELS: Readonly<Record<PaymentRecord['status'], StatusLabel>> = {
  succeeded: PAYMENT_LABELS.paid,
  refunded: PAYMENT_LABELS.refunded,
  disputed: PAYMENT_LABELS.disputed,
  lost: DISPUTE_LOST,
};

export function getChargeLabel({ status, refunded }: Pick<PaymentRecord, 'status' | 'refunded'>): StatusLabel {
  return status === 'succeeded' && refunded > 0 ? PARTLY_REFUNDED : CHARGE_LABELS[status];
}

type PaymentReturn = PaymentRecord['returns'][number];

const RETURN_SENTENCES: Readonly<Record<PaymentReturn['status'], (amount: string, date: string) => string>> = {
  pending: (amount, date) => `A refund of ${amount}, made on ${date}, is pending at the card processor.`,
  succeeded: (amount, date) => `${amount} was refunded on ${date}.`,
  failed: (amount, date) => `The refund of ${amount} on ${date} failed. The fund keeps the money.`,
  open: (amount, date) => `${amount} was disputed on ${date}. The donor’s bank is holding the money while it decides.`,
  won: (amount, date) => `The dispute of ${amount} on ${date} was won. The money was returned to the fund.`,
  lost: (amount, date) => `The dispute of ${amount} on ${date} was lost. The money went back to the donor.`,
};

/** Describes a refund or reversal: its amount, who returned it, and why. */
export function describeReturn(paymentReturn: PaymentReturn, formatDate: (time: string) => string) {
  const { kind, status, amount, at, dueTimestamp, reason, by, fee } = paymentReturn;
  const sentence = RETURN_SENTENCES[status](formatDollars(amount), formatDate(at));
  const title =
    status === 'open' ? `${sentence} ${describeDeadline(dueTimestamp && formatDate(dueTimestamp))}` : sentence;
  return { title, detail: [reason, by, kind === 'dispute' && describeDisputeFee(fee)].filter(Boolean).join(' · ') };
}

/** @param dueOn day by which the provider expects evidence for a dispute; null if unknown */
export function describeDeadline(dueOn: string | null): string {
  return `Respond at the card processor ${dueOn === null ? 'before its deadline' : `by ${dueOn}`}.`;
}

/** The dispute fee is separate from the payment's fee and net. */
function describeDisputeFee(fee: number | null): string {
  if (fee === null) return 'The card processor’s dispute fee is included in the totals and the payout.';
  if (fee === 0) return 'The dispute fee was refunded.';
  return `Dispute fee: ${formatDollars(fee)}`;
}

export const PLEDGE_LABELS: Readonly<Record<PledgeStatus, StatusLabel>> = {
  pledged: { label: 'Waiting', tone: 'waiting' },
  suspicious: { label: 'Suspicious', tone: 'error' },
  received: { label: 'Received', tone: 'done' },
  withdrawn: { label: 'Canceled', tone: 'plain' },
  bounced: { label: 'Bounced', tone: 'error' },
};

/** Labels for the status filter of the gift table, which also lists checks. */
export const GIFT_LABELS: Readonly<Record<SearchStatus, StatusLabel>> = {
  ...PAYMENT_LABELS,
  pledged: { label: 'Check waiting', tone: 'waiting' },
  suspicious: { label: 'Suspicious pledge', tone: 'error' },
  withdrawn: { label: 'Pledge canceled', tone: 'plain' },
  bounced: { label: 'Check bounced', tone: 'error' },
};

/** "Air travel and Donation (recurring: monthly)" */
export function describeCart(cart: ListedCheckout['cart']): string {
  const titles = [...new Set(cart.map(({ title }) => title))];
  const items = cart.map(({ recurring, recurringInterval = 1 }) => ({ recurring, recurringInterval }));
  const recurring = items.find((item) => item.recurring !== 'no');
  const suffix = recurring ? ` ${recurringSuffix(recurring.recurring, recurring.recurringInterval)}` : '';
  return `${formatList(titles)}${suffix}`;
}

export function isRecurring(cart: ListedCheckout['cart']): boolean {
  return cart.some(({ recurring }) => recurring !== 'no');
}

export function getPayerName({ displayName, email }: Pick<ListedCheckout, 'displayName' | 'email'>): string {
  return displayName || email || 'Unknown donor';
}

const ENTRY_LABELS: Readonly<Record<Extract<HistoryEvent, { kind: 'entry' }>['entryKind'], string>> = {
  payment: 'Payment recorded',
  renewal: 'Renewal recorded',
  refund: 'Refund recorded',
  dispute: 'Dispute recorded',
  adjustment: 'Adjustment',
  check: 'Check recorded',
  reversal: 'Reversal recorded',
  fee: 'Card processor fee',
  payout: 'Paid out to the bank',
  promise: 'Grant promised',
  grant: 'Grant paid',
};

/** Labels for Stripe's event types. */
export const EVENT_LABELS: Readonly<Record<string, string>> = {
  'checkout.session.completed': 'Card processor finished the checkout',
  'checkout.session.async_payment_succeeded': 'Bank payment arrived',
  'checkout.session.async_payment_failed': 'Bank payment failed',
  'checkout.session.expired': 'Checkout expired',
  'charge.updated': 'Card processor confirmed the fee',
  'charge.failed': 'The card was declined',
  'charge.refunded': 'Card processor made the refund',
  'refund.created': 'Card processor started the refund',
  'refund.updated': 'Card processor updated the refund',
  'refund.failed': 'The refund failed',
  'charge.dispute.created': 'The donor’s bank opened a dispute',
  'charge.dispute.updated': 'The dispute was updated',
  'charge.dispute.funds_withdrawn': 'The bank took the disputed money back',
  'charge.dispute.funds_reinstated': 'The bank returned the disputed money',
  'charge.dispute.closed': 'The donor’s bank decided the dispute',
  'radar.early_fraud_warning.created': 'The donor’s bank suspects fraud',
  'radar.early_fraud_warning.updated': 'The fraud warning was updated',
  'invoice.paid': 'A charge for the recurring gift was paid',
  'invoice.payment_failed': 'A charge for the recurring gift failed',
  'customer.subscription.created': 'The recurring gift started',
  'customer.subscription.updated': 'Card processor updated the recurring gift',
  'customer.subscription.deleted': 'The recurring gift ended',
};

const OUTCOME_LABELS = {
  recorded: '',
  ignored: 'nothing to record',
  attention: 'needs attention',
  pending: 'not applied yet',
  unsupported: 'not handled by this version',
} as const;

const EMAIL_LABELS = {
  sending: 'is being emailed',
  sent: 'emailed',
  rejected: 'rejected by the mail server',
  failed: 'couldn’t be emailed',
  'postal-mail': 'sent by mail',
} as const;

/** Title and details of an event in a checkout's history. */
export function describeEvent(event: HistoryEvent): { readonly title: string; readonly detail: string } {
  switch (event.kind) {
    case 'opened':
      return { title: 'Checkout opened', detail: '' };
    case 'pledged':
      return { title: 'Check pledged', detail: formatDollars(event.amount) };
    case 'recovered':
      return {
        title: 'Recovered from the card processor’s records',
        detail: event.exactly ? '' : 'its carbon is rounded to the pound, or unknown',
      };
    case 'entry':
      return { title: ENTRY_LABELS[event.entryKind], detail: describeEntry(event) };
    case 'receipt':
      return { title: `Receipt no. ${event.number} issued`, detail: event.email ?? 'no email address' };
    case 'mail':
      return { title: `Receipt no. ${event.number} ${EMAIL_LABELS[event.status]}`, detail: event.code ?? '' };
    case 'report':
      return {
        title: EVENT_LABELS[event.type] ?? `Message from the card processor: ${event.type}`,
        detail: [OUTCOME_LABELS[event.outcome], event.reason].filter(Boolean).join(' · '),
      };
  }
}

function describeEntry({ amount, carbon, reason }: Extract<HistoryEvent, { kind: 'entry' }>): string {
  const pounds = carbon === 0 ? undefined : `${formatPounds(carbon)} lbs`;
  return [formatDollars(amount), pounds, reason].filter(Boolean).join(' · ');
}
