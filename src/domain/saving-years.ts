import { type InLanguage, m } from '#messages';
import type { TenThousandthsOfPound } from './money.ts';

/**
 * Default lifetime if a fund records no grants: air sealing and attic insulation in a 1989 study of the U.S.
 * Weatherization Assistance Program. Heat pumps are counted as 16 years, heat-pump water heaters as 13.
 */
export const DEFAULT_LIFETIME_YEARS = 20;
export const LIFETIME_STUDY_URL = 'https://www.osti.gov/biblio/814412';

/** Years over which the pounds of paid grants accrue: their mean lifetime, weighted by pounds, in whole years. */
export function meanLifetimeYears(
  grants: readonly { readonly pounds: TenThousandthsOfPound; readonly years: number }[],
): number {
  const [pounds, weightedSum] = grants.reduce(
    ([total, sum], grant) => [total + BigInt(grant.pounds), sum + BigInt(grant.pounds) * BigInt(grant.years)],
    [0n, 0n],
  );
  return pounds === 0n ? DEFAULT_LIFETIME_YEARS : Number((weightedSum * 2n + pounds) / (pounds * 2n));
}

/** Savings within this time don't count as delayed (16 CFR 260.5(b)). */
const SOON_YEARS = 2;

/** Discloses when an offset's pounds are saved; empty if all are saved soon. @param years from `meanLifetimeYears` */
export function delayedSavingsSentence(years: number, options?: InLanguage): string {
  if (years <= SOON_YEARS) return '';
  return m.cartLater({ years: String(years), percent: String(Math.round((100 * SOON_YEARS) / years)) }, options);
}
