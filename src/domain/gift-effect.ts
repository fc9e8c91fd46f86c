import { EMISSION_FACTORS, GALLONS_OF_GAS_PER_TON, POUNDS_PER_TON } from './emissions.ts';
import { type Cents, formatCents, formatWhole, type TenThousandthsOfPound } from './money.ts';

/** A gift as it is compared: its offsets, and its money without what covers the card fee. */
export type ComparedGift = { readonly carbon: TenThousandthsOfPound; readonly amount: Cents };

/**
 * What a gift did, in a sentence that is never more than is true: every number is rounded down. A gift with an offset is
 * compared by its carbon, another one by what grants pay for a ton. Empty for what is too small to compare.
 */
export function effectSentence({ carbon, amount }: ComparedGift): string {
  return carbon > 0 ? carbonSentence(carbon) : tonsSentence(amount);
}

/** "16,767 lbs: as much carbon as burning 855 gallons of gasoline." */
function carbonSentence(carbon: TenThousandthsOfPound): string {
  const gallons = wholeGallons(carbon);
  if (gallons === 0) return '';
  const pounds = formatWhole(Math.floor(carbon / 10_000));
  return gallons === 1
    ? `${pounds} lbs: as much carbon as burning a gallon of gasoline.`
    : `${pounds} lbs: as much carbon as burning ${formatWhole(gallons)} gallons of gasoline.`;
}

/** "That’s as much carbon as burning 855 gallons of gasoline.", after the pounds; empty for less than a gallon. */
export function gallonsSentence(carbon: TenThousandthsOfPound): string {
  const gallons = wholeGallons(carbon);
  if (gallons === 0) return '';
  return gallons === 1
    ? 'That’s as much carbon as burning a gallon of gasoline.'
    : `That’s as much carbon as burning ${formatWhole(gallons)} gallons of gasoline.`;
}

/** "Grants pay $25 for each ton of carbon that the work will save: $100 is enough for 4 tons." */
function tonsSentence(amount: Cents): string {
  const tons = wholeTons(amount);
  if (tons === 0) return '';
  const given = formatCents(amount).replace(/\.00$/, '');
  const pay = `Grants pay $${GRANT_PER_TON / 100} for each ton of carbon that the work will save`;
  return tons === 1
    ? `${pay}: ${given} is enough for a ton.`
    : `${pay}: ${given} is enough for ${formatWhole(tons)} tons.`;
}

/** What a grant pays for a ton (§9): the price of a ton's offset. In exact cents. */
const GRANT_PER_TON: Cents = Math.round(Number(EMISSION_FACTORS.carbonPrice.value) * POUNDS_PER_TON * 100);

/** Gallons of gasoline whose burning emits at most this much carbon (decisions §2). */
export function wholeGallons(carbon: TenThousandthsOfPound): number {
  return Number((BigInt(carbon) * BigInt(GALLONS_OF_GAS_PER_TON)) / BigInt(POUNDS_PER_TON * 10_000));
}

/** Tons of carbon for which grants pay at most this much. */
export function wholeTons(amount: Cents): number {
  return Math.floor(amount / GRANT_PER_TON);
}
