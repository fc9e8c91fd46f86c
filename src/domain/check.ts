import { type Day, endOfDay, isDay, startOfDay, type TimeZone } from './days.ts';
import type { Failure } from './failures.ts';
import { formFailure } from './form-failures.ts';

export const MAX_CHECK_NUMBER_LENGTH = 40;
export const MAX_NOTE_LENGTH = 500;

/**
 * pledged: promised. received: in the ledger. bounced: reversed in the ledger. Suspicious pledges are
 * listed separately until an editor confirms or cancels them.
 */
export const PLEDGE_STATUSES = ['pledged', 'suspicious', 'received', 'withdrawn', 'bounced'] as const;
export type PledgeStatus = (typeof PLEDGE_STATUSES)[number];

/** Larger pledges are mostly jokes; donors of larger checks usually contact the fund first. */
export const MAX_PLAUSIBLE_PLEDGE_DOLLARS = 25_000;

/** Reason for reversing a received check. A check recorded by mistake becomes an open pledge again. */
export const REVERSAL_REASONS = ['bounced', 'mistake'] as const;
export type ReversalReason = (typeof REVERSAL_REASONS)[number];

/** Older dates are probably typos. */
const MAX_RECEIVED_AGE_YEARS = 10;

/**
 * Validates the date a check was received.
 * @param today in the organization's time zone
 * @returns Failure day-invalid, day-in-future, day-too-long-ago
 */
export function receivedDayFailure(day: Day, today: Day): Failure | undefined {
  if (!isDay(day)) return formFailure('day-invalid');
  if (day > today) return formFailure('day-in-future');
  const oldest = `${Number(today.slice(0, 4)) - MAX_RECEIVED_AGE_YEARS}${today.slice(4)}`;
  return day < oldest ? formFailure('day-too-long-ago', { max: MAX_RECEIVED_AGE_YEARS }) : undefined;
}

/** The ledger's timestamp for a day: its midpoint, or now if that is earlier. */
export function calculateLedgerTime(day: Day, zone: TimeZone, now: Date): Date {
  const middle = new Date((startOfDay(day, zone).getTime() + endOfDay(day, zone).getTime()) / 2);
  return middle < now ? middle : now;
}
