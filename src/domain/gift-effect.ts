import { type InLanguage, m } from '#messages';
import { EMISSION_FACTORS, GALLONS_OF_GAS_PER_TON, POUNDS_PER_TON } from './emissions.ts';
import {
  type Cents,
  chargeOf,
  type Dollars,
  formatCents,
  formatPounds,
  formatWhole,
  type TenThousandthsOfPound,
} from './money.ts';

/** A gift for comparisons: its offsets, and its money without the covered card fee. */
export type ComparedGift = {
  readonly carbon: TenThousandthsOfPound;
  readonly amount: Cents;
  /** The organization's typical grant, if it has set one. */
  readonly typicalGrant?: Cents | null;
};

/**
 * A sentence about the effect of a gift. It never exaggerates: every number is rounded down. A gift with an offset is
 * compared by its carbon, others by the price of a ton in grants. Empty if the gift is too small to compare.
 */
export function effectSentence({ carbon, amount, typicalGrant = null }: ComparedGift, options?: InLanguage): string {
  const first = carbon > 0 ? carbonSentence(carbon, options) : tonsSentence(amount, options);
  return `${first} ${grantSentence(amount, typicalGrant, options)}`.trim();
}

export function typicalGrantOf(dollars: Dollars | null): Cents | null {
  return dollars === null ? null : chargeOf(dollars);
}

/** Shares for comparison, largest first. Smaller ones are not compared. */
export const SHARES = [
  [3, 4, 'threeQuarters'],
  [2, 3, 'twoThirds'],
  [1, 2, 'half'],
  [1, 3, 'third'],
  [1, 4, 'quarter'],
  [1, 5, 'fifth'],
  [1, 10, 'tenth'],
  [1, 20, 'twentieth'],
  [1, 30, 'thirtieth'],
  [1, 50, 'fiftieth'],
  [1, 100, 'hundredth'],
] as const;

/** "It’s as much as a third of a typical grant here."; empty if it's too small or no typical grant is known. */
export function grantSentence(amount: Cents, typicalGrant: Cents | null, options?: InLanguage): string {
  if (typicalGrant === null) return '';
  const count = Math.floor(amount / typicalGrant);
  if (count > 0) return m.effectGrants({ grants: formatWhole(count), count }, options);
  const share = SHARES.find(([part, whole]) => amount * whole >= typicalGrant * part);
  return share ? SHARE_SENTENCES[share[2]](options) : '';
}

type ShareMessage = (options?: InLanguage) => string;

const SHARE_SENTENCES: Readonly<Record<(typeof SHARES)[number][2], ShareMessage>> = {
  threeQuarters: (options) => m.effectGrantThreeQuarters({}, options),
  twoThirds: (options) => m.effectGrantTwoThirds({}, options),
  half: (options) => m.effectGrantHalf({}, options),
  third: (options) => m.effectGrantThird({}, options),
  quarter: (options) => m.effectGrantQuarter({}, options),
  fifth: (options) => m.effectGrantFifth({}, options),
  tenth: (options) => m.effectGrantTenth({}, options),
  twentieth: (options) => m.effectGrantTwentieth({}, options),
  thirtieth: (options) => m.effectGrantThirtieth({}, options),
  fiftieth: (options) => m.effectGrantFiftieth({}, options),
  hundredth: (options) => m.effectGrantHundredth({}, options),
};

/** "16,767 lbs: as much carbon as burning 855 gallons of gasoline." */
function carbonSentence(carbon: TenThousandthsOfPound, options?: InLanguage): string {
  const count = wholeGallons(carbon);
  if (count === 0) return '';
  // Not rounded to whole pounds, which could differ by one from the cart and the receipt.
  const pounds = Math.floor(carbon / 100) / 100;
  const text = Number.isInteger(pounds) ? formatWhole(pounds) : formatPounds(pounds);
  return m.effectGallons({ pounds: text, gallons: formatWhole(count), count }, options);
}

/** "That’s as much carbon as burning 855 gallons of gasoline.", after the pounds; empty for less than a gallon. */
export function gallonsSentence(carbon: TenThousandthsOfPound, options?: InLanguage): string {
  const count = wholeGallons(carbon);
  return count === 0 ? '' : m.effectThatGallons({ gallons: formatWhole(count), count }, options);
}

/** "Grants pay $25 for each ton of carbon that the work will save: $100 is enough for 4 tons." */
function tonsSentence(amount: Cents, options?: InLanguage): string {
  const count = wholeTons(amount);
  if (count === 0) return '';
  const [price, given] = [GRANT_PER_TON, amount].map((cents) => formatCents(cents).replace(/\.00$/, '')) as [
    string,
    string,
  ];
  return m.effectTons({ price, given, tons: formatWhole(count), count }, options);
}

/** Exact cents that a grant pays per ton (§9): the price of a ton's offset. */
export const GRANT_PER_TON: Cents = Math.round(Number(EMISSION_FACTORS.carbonPrice.value) * POUNDS_PER_TON * 100);

/** Gallons of gasoline whose burning emits at most this much carbon (decisions §2). */
export function wholeGallons(carbon: TenThousandthsOfPound): number {
  return Number((BigInt(carbon) * BigInt(GALLONS_OF_GAS_PER_TON)) / BigInt(POUNDS_PER_TON * 10_000));
}

/** Tons of carbon that grants save for at most this amount. */
export function wholeTons(amount: Cents): number {
  return Math.floor(amount / GRANT_PER_TON);
}
