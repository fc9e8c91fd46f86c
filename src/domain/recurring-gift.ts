import { type InLanguage, m } from '#messages';
import { formatInterval, type GiftInterval } from './cart.ts';
import { type Day, dayText } from './days.ts';
import { divide, toUnits } from './decimal.ts';
import { type Cents, type Dollars, formatCents, toChargedCents } from './money.ts';

/** The provider's status of a recurring gift. unknown: not reported yet. */
export const RECURRING_GIFT_STATUSES = ['unknown', 'active', 'past_due', 'paused', 'canceled'] as const;
export type RecurringGiftStatus = (typeof RECURRING_GIFT_STATUSES)[number];

/** Groups in an organization's list. lost: ended recently because the card could not be charged. */
export const RECURRING_GIFT_GROUPS = ['active', 'paused', 'failing', 'lost', 'ended'] as const;
export type RecurringGiftGroup = (typeof RECURRING_GIFT_GROUPS)[number];

/** How long a gift is listed as lost after it ended because its card failed. Its donor may still return. */
export const LOST_DAYS = 90;

export type RecurringTerms = { readonly amount: Cents; readonly interval: GiftInterval };

/** @returns whether new terms charge more each time, or more often */
export function isIncrease(before: RecurringTerms, after: RecurringTerms): boolean {
  return after.amount > before.amount || intervalMonths(after.interval) < intervalMonths(before.interval);
}

function intervalMonths({ unit, count }: GiftInterval): number {
  return unit === 'year' ? 12 * count : count;
}

/** A gift's average cents per month, rounded once. Sums add these rounded amounts, so that they agree with the list. */
export function averageMonthlyCents({ amount, interval }: RecurringTerms): Cents {
  const months = { units: BigInt(intervalMonths(interval)), scale: 0 };
  return toUnits(divide({ units: BigInt(amount), scale: 0 }, months, 0), 0);
}

/** A gift's terms, as the provider reported them. */
type ReportedTerms = {
  readonly amount: Dollars | null;
  readonly unit: GiftInterval['unit'] | null;
  readonly count: number | null;
};

/** "$25.00 every month"; undefined until the provider has reported the amount and the interval. */
export function formatGiftTerms({ amount, unit, count }: ReportedTerms): string | undefined {
  if (amount === null || unit === null || count === null) return undefined;
  return `${formatCents(toChargedCents(amount))} ${formatInterval({ unit, count })}`;
}

type RecurringGiftState = {
  readonly status: RecurringGiftStatus;
  readonly nextChargeOn: Day | null;
  readonly endedUnpaid: boolean;
};

/** Sentence about a gift's status, for donors and editors. */
export function recurringGiftSentence(
  { status, nextChargeOn, endedUnpaid }: RecurringGiftState,
  options?: InLanguage,
): string {
  const day = nextChargeOn === null ? undefined : dayText(nextChargeOn, options);
  switch (status) {
    case 'active':
      return day === undefined ? m.giftRuns({}, options) : m.giftNextCharge({ day }, options);
    case 'past_due':
      return day === undefined ? m.giftFailedNoRetry({}, options) : m.giftFailedRetry({ day }, options);
    case 'paused':
      return m.giftIsPaused({}, options);
    case 'canceled':
      return endedUnpaid ? m.giftEndedUnpaid({}, options) : m.giftHasEnded({}, options);
    case 'unknown':
      return m.giftNotKnown({}, options);
  }
}

const RECURRING_GIFT_LABELS = {
  unknown: m.giftUnknown,
  active: m.giftActive,
  past_due: m.giftPastDue,
  paused: m.giftPaused,
  canceled: m.giftEnded,
} as const satisfies Readonly<Record<RecurringGiftStatus, unknown>>;

/** "Active" */
export function recurringGiftLabel(status: RecurringGiftStatus, options?: InLanguage): string {
  return RECURRING_GIFT_LABELS[status]({}, options);
}
