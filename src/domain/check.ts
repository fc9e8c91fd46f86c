import { DAY_MS, type Day, dayOf, isDay, startOf } from './days.ts';
import { Failure } from './failures.ts';

export const CHECK_NUMBER_MAXIMUM = 40;
export const NOTE_MAXIMUM = 500;

/** A pledge is a promise; a received one is in the ledger; a withdrawn one waits for nothing. */
export type PledgeStatus = 'pledged' | 'received' | 'withdrawn';
export const PLEDGE_STATUSES: readonly PledgeStatus[] = ['pledged', 'received', 'withdrawn'];

/** No check that a fund still has to write down is older. */
const OLDEST_YEARS = 10;

/**
 * Why a check cannot have been received on a day, or nothing: day-invalid, day-to-come, day-too-long-ago. Where the
 * editor is, it may be tomorrow already.
 */
export function receivedFailure(day: Day, now: Date): Failure | undefined {
  if (!isDay(day)) return new Failure('day-invalid');
  if (day > dayOf(new Date(now.getTime() + DAY_MS))) return new Failure('day-to-come');
  const oldest = `${now.getUTCFullYear() - OLDEST_YEARS}${dayOf(now).slice(4)}`;
  return day < oldest ? new Failure('day-too-long-ago', { most: OLDEST_YEARS }) : undefined;
}

/** The moment that stands for a day in the ledger: its noon, so that it is that day in every zone of the country. */
export function momentOf(day: Day, now: Date): Date {
  const noon = new Date(startOf(day).getTime() + DAY_MS / 2);
  return noon < now ? noon : now;
}
