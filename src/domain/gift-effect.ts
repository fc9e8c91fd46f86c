import { type InLanguage, m } from '#messages';
import { type Cents, type Dollars, formatWhole, type TenThousandthsOfPound, toChargedCents } from './money.ts';
import { tonsSentence } from './tons-sentence.ts';

/** A gift without the covered card fee. */
export type GiftEffectInput = {
  readonly carbon: TenThousandthsOfPound;
  readonly amount: Cents;
  /** The organization's typical grant, if it has set one. */
  readonly typicalGrant: Cents | null;
};

/**
 * The sentence about a gift's effect, on every screen and in every email (decisions §2): for a donation, the tons of grant
 * work; for an offset, or less than half a ton, its share of a home, or its tons if the organization has not set a typical
 * grant. All numbers are rounded to the nearest whole number. Empty if the gift is too small for either.
 */
export function effectSentence({ carbon, amount, typicalGrant }: GiftEffectInput, options?: InLanguage): string {
  const tons = tonsSentence(amount, options);
  const homes = homesSentence(amount, typicalGrant, options);
  return carbon === 0 ? tons || homes : homes || tons;
}

export function typicalGrantCents(dollars: Dollars | null): Cents | null {
  return dollars === null ? null : toChargedCents(dollars);
}

/** "About 10 gifts like this pay for one home." */
function homesSentence(amount: Cents, typicalGrant: Cents | null, options?: InLanguage): string {
  if (typicalGrant === null || amount <= 0) return '';
  const gifts = Math.round(typicalGrant / amount);
  if (gifts > 1) return m.effectGifts({ gifts: formatWhole(gifts) }, options);
  const count = Math.round(amount / typicalGrant);
  return m.effectHomes({ homes: formatWhole(count), count }, options);
}

/** "Together they pay for about 3 homes.", for all of a donor's gifts; empty for less than half a home. */
export function allGiftsSentence(amount: Cents, typicalGrant: Cents | null, options?: InLanguage): string {
  const count = typicalGrant === null ? 0 : Math.round(amount / typicalGrant);
  return count === 0 ? '' : m.effectAllGifts({ homes: formatWhole(count), count }, options);
}
