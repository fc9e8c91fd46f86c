// Sandbox time is real time plus an offset that is stored in the sandbox database and only grows.
import { invalidRequest } from './parameters.ts';
import type { Provider } from './provider.ts';
import { addInterval } from './resources/subscription.ts';
import type { Store } from './store.ts';

export function clockOffset(store: Store): number {
  return Number(store.setting('clock_offset') ?? 0);
}

/** How far to advance the clock: a number of seconds or calendar months. */
export type ClockMove = { readonly seconds: number } | { readonly months: number };

const MAX_YEARS = 10;
const YEAR_SECONDS = 366 * 86_400;

/** @throws StripeApiError if the form contains no valid move */
export function readClockMove({ seconds, months }: Readonly<Record<string, unknown>>): ClockMove {
  if (months !== undefined) return { months: readWholeNumber(months, 'months', MAX_YEARS * 12) };
  return { seconds: readWholeNumber(seconds, 'seconds', MAX_YEARS * YEAR_SECONDS) };
}

function readWholeNumber(value: unknown, name: string, maximum: number): number {
  if (typeof value === 'string' && /^\d{1,10}$/.test(value) && Number(value) <= maximum) return Number(value);
  throw invalidRequest(`${name} must be a whole number from 0 to ${maximum}. The clock never moves back.`, name);
}

/** Must be called in the transaction that also performs the work that becomes due. */
export function moveClock(provider: Provider, move: ClockMove): void {
  const { store } = provider;
  const now = provider.now();
  const seconds =
    'seconds' in move ? move.seconds : addInterval(now, { interval: 'month', interval_count: move.months }) - now;
  store.saveSetting('clock_offset', clockOffset(store) + seconds);
}
