import type { AttentionItem } from '#contract/schemas/attention.ts';
import {
  EVENT_FAILED_PREFIX,
  isContested,
  type SimpleAttentionReason,
  UNBOOKED_MOVEMENT_PREFIX,
} from '#domain/attention.ts';
import type { TimeZone } from '#domain/days.ts';
import { formatDate } from '#web/ui/text.ts';

/** Explains the server's reason for not applying a payment. */
const REASONS: Readonly<Record<SimpleAttentionReason, string>> = {
  amount: 'The amount doesn’t match its checkout.',
  currency: 'The currency doesn’t match its checkout.',
  account: 'It went to a different account at the card processor, or was a test, so it can’t be looked up there.',
  session: 'It came from a payment page other than its checkout’s.',
  subscription: 'It renews a recurring gift other than its checkout’s.',
  'unknown-payment': 'It was refunded or disputed, but was never counted.',
  'manual-payout':
    'This manual payout is more than the organizations have at the card processor. If it’s their money, resolve this item, and the program splits the payout in proportion to their balances.',
  dispute: 'The donor disputed it with their bank. Respond with evidence at the card processor.',
  inquiry: 'The donor’s bank is asking about it. Respond at the card processor, or it may become a dispute.',
  'fraud-warning': 'The donor’s bank suspects fraud. If you don’t know the donor, refund it before it is disputed.',
  'paid-outside':
    'It was marked as paid at the card processor, without a charge. If you got the money, record it as a check.',
  'no-checkout': 'No checkout here matches it.',
};

const isSimpleReason = (reason: string): reason is SimpleAttentionReason => Object.hasOwn(REASONS, reason);

export function describeReason(reason: string): string {
  if (reason.startsWith(EVENT_FAILED_PREFIX)) {
    const error = reason.slice(EVENT_FAILED_PREFIX.length);
    return `The card processor reported it, but it could not be recorded (${error}). We try again every hour.`;
  }
  if (reason.startsWith(UNBOOKED_MOVEMENT_PREFIX)) {
    const movement = reason.slice(UNBOOKED_MOVEMENT_PREFIX.length);
    return `The card processor’s balance has a transaction that isn’t in the books: ${movement}.`;
  }
  // A newer version of the server may report a reason that this page doesn't know.
  return isSimpleReason(reason) ? REASONS[reason] : `It could not be matched: ${reason}.`;
}

/** "Resolved on March 14, 2026 by Edith Editor: Refunded at the card processor"; empty for an open item. */
export function describeResolution({ resolution }: Pick<AttentionItem, 'resolution'>, zone: TimeZone): string {
  if (!resolution) return '';
  const author = resolution.by === null ? '' : ` by ${resolution.by}`;
  return `Resolved on ${formatDate(resolution.timestamp, zone)}${author}: ${resolution.note}`;
}

export function attentionTitle(count: number): string {
  return count === 1 ? '1 payment needs attention' : `${count} payments need attention`;
}

/** Explains what the items have in common, and how to handle them. */
export function describeOpenItems(items: readonly Pick<AttentionItem, 'reason'>[]): string {
  const contestedCount = items.filter(({ reason }) => isContested(reason)).length;
  if (contestedCount === items.length) {
    return 'This money is in the books, but the donor’s bank contests it. Respond at the card processor, and then resolve it here.';
  }
  const lead =
    contestedCount === 0
      ? 'This money doesn’t match a gift and isn’t in the totals.'
      : 'Some of this money doesn’t match a gift and isn’t in the totals. The rest is contested by a donor’s bank.';
  return `${lead} Look it up at the card processor, refund it or work it out with the donor, and then resolve it here.`;
}

/** "€5.00": an amount in the smallest unit of its currency. */
export function formatAmount(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
