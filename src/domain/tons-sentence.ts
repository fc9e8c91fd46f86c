import { type InLanguage, m } from '#messages';
import { EMISSION_FACTORS, POUNDS_PER_TON } from './emissions.ts';
import { type Cents, formatAmount, formatWhole } from './money.ts';

/** Exact cents that a grant pays per ton (§9): the default price of offsetting a ton. */
const GRANT_PER_TON: Cents = Math.round(Number(EMISSION_FACTORS.carbonPrice.value) * POUNDS_PER_TON * 100);

/**
 * "$100 funds about 4 tons of grant work."; empty for less than half a ton. A separate file keeps the other sentences of
 * `effectSentence` out of the home page's scripts.
 */
export function tonsSentence(amount: Cents, options?: InLanguage): string {
  const count = Math.round(amount / GRANT_PER_TON);
  if (count === 0) return '';
  return m.effectTons({ amount: formatAmount(amount), tons: formatWhole(count), count }, options);
}
