import type { RecurringGift } from '#contract/schemas/recurring-gifts.ts';
import { dayOf } from '#domain/days.ts';
import { toDollars } from '#domain/money.ts';
import type { RecurringTerms } from '#domain/recurring-gift.ts';
import type { RecurringGiftRow } from './subscriptions.store.ts';

export function presentRecurringGift(row: RecurringGiftRow): RecurringGift {
  const {
    status,
    amount_cents,
    covered_fee_cents,
    interval_unit,
    interval_count,
    next_charge_at,
    ended_unpaid,
    time_zone,
  } = row;
  return {
    status,
    amount: amount_cents === null ? null : toDollars(amount_cents),
    coveredFee: toDollars(covered_fee_cents),
    unit: interval_unit,
    count: interval_count,
    nextChargeOn: next_charge_at === null ? null : dayOf(next_charge_at, time_zone),
    endedUnpaid: ended_unpaid,
  };
}

/** The columns with the terms of a gift, or of several gifts with the same interval. */
export type TermsRow = Pick<RecurringGiftRow, 'amount_cents' | 'interval_unit' | 'interval_count'>;

/** Amount and interval of a gift; undefined if the provider hasn't reported them. */
export function getTerms(row: TermsRow): RecurringTerms | undefined {
  const { amount_cents: amount, interval_unit: unit, interval_count: count } = row;
  return amount === null || unit === null || count === null ? undefined : { amount, interval: { unit, count } };
}
