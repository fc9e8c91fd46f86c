import { offsettersGifts } from './ledger/offsetters-gifts.ts';
import { checkGifts, regularGifts } from './ledger/regular-gifts.ts';
import type { SampleGift } from './ledger/sample-gift.ts';
import { visitorsGifts } from './ledger/visitors-gifts.ts';

export type { SampleGift } from './ledger/sample-gift.ts';

const GIFTS = 205;
const TWO_YEARS = 730 * 24 * 60 * 60 * 1000;

/**
 * Some 205 gifts of the two years before `now`, oldest first: those that the sample offsetters tell of, regular
 * givers with their renewals, checks, and visitors. The same for the same `now`; every cart adds up by the rules of
 * the domain and reaches the minimum.
 */
export function sampleGifts(now: Date): SampleGift[] {
  const earliest = now.getTime() - TWO_YEARS;
  const known = [...offsettersGifts(now), ...regularGifts(now), ...checkGifts(now)].filter(({ at }) => {
    return at.getTime() >= earliest && at < now;
  });
  const gifts = [...known, ...visitorsGifts(now, GIFTS - known.length)];
  return gifts.toSorted((a, b) => a.at.getTime() - b.at.getTime() || a.key.localeCompare(b.key, 'en'));
}
