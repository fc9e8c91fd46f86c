import { offsettersGifts } from './ledger/offsetters-gifts.ts';
import { checkGifts, mistakenGifts, regularGifts } from './ledger/regular-gifts.ts';
import type { SampleGift } from './ledger/sample-gift.ts';
import { visitorsGifts } from './ledger/visitors-gifts.ts';

export type { SampleGift } from './ledger/sample-gift.ts';

const GIFTS = 205;
const TWO_YEARS = 730 * 24 * 60 * 60 * 1000;

/**
 * 205 gifts in the two years before `now`, oldest first: from the sample offsetters, recurring donors, checks, and one-time
 * visitors, one of which is refunded. Deterministic; every cart is valid by the domain's rules.
 */
export function sampleGifts(now: Date): SampleGift[] {
  const earliest = now.getTime() - TWO_YEARS;
  const all = [...offsettersGifts(now), ...regularGifts(now), ...checkGifts(now), ...mistakenGifts(now)];
  const regular = all.filter(({ at }) => at.getTime() >= earliest && at < now);
  const gifts = [...regular, ...visitorsGifts(now, GIFTS - regular.length)];
  return gifts.toSorted((a, b) => a.at.getTime() - b.at.getTime() || a.key.localeCompare(b.key, 'en'));
}
