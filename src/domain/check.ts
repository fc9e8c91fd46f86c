import { DAY_MS, type Day, dayOf, isDay, startOf } from './days.ts';
import { Failure } from './failures.ts';

export const CHECK_NUMBER_MAXIMUM = 40;
export const NOTE_MAXIMUM = 500;

/** A pledge is a promise to send a check; a received one is in the ledger. */
export type PledgeStatus = 'pledged' | 'received' | 'withdrawn';
export const PLEDGE_STATUSES: readonly PledgeStatus[] = ['pledged', 'received', 'withdrawn'];

/** An older date is a typing error. */
const OLDEST_YEARS = 10;

/**
 * Why a check cannot have been received on a day. Tomorrow in UTC is allowed: it may be that day where the editor is.
 * @returns Failure day-invalid, day-to-come, day-too-long-ago
 */
export function receivedFailure(day: Day, now: Date): Failure | undefined {
  if (!isDay(day)) return new Failure('day-invalid');
  if (day > dayOf(new Date(now.getTime() + DAY_MS), 'UTC')) return new Failure('day-to-come');
  const oldest = `${now.getUTCFullYear() - OLDEST_YEARS}${dayOf(now, 'UTC').slice(4)}`;
  return day < oldest ? new Failure('day-too-long-ago', { most: OLDEST_YEARS }) : undefined;
}

/** The ledger's time for a day: noon UTC, which is the same day in every US time zone, or now if that is earlier. */
export function momentOf(day: Day, now: Date): Date {
  const noon = new Date(startOf(day, 'UTC').getTime() + DAY_MS / 2);
  return noon < now ? noon : now;
}
