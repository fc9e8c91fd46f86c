import { add, decimal, toNumber } from './decimal.ts';

/** Pounds of carbon, gallons of gasoline, dollars, grants (§3). */
export type Stats = { readonly co2: number; readonly gas: number; readonly funds: number; readonly grants: number };

export const NO_STATS: Stats = { co2: 0, gas: 0, funds: 0, grants: 0 };

/** What the public sees: stats plus the editors' correction, field by field (§3). */
export function displayedStats(stats: Stats, statsDelta: Stats): Stats {
  return {
    co2: exactSum(stats.co2, statsDelta.co2),
    gas: exactSum(stats.gas, statsDelta.gas),
    funds: exactSum(stats.funds, statsDelta.funds),
    grants: exactSum(stats.grants, statsDelta.grants),
  };
}

function exactSum(a: number, b: number): number {
  return toNumber(add(decimal(a), decimal(b)));
}

export const SLUG_MINIMUM = 3;
export const SLUG_MAXIMUM = 40;

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** 3 to 40 of a–z, 0–9 and single hyphens, and no word that a route uses (decisions §7). */
export function isSlug(text: string, reserved: readonly string[]): boolean {
  const fits = text.length >= SLUG_MINIMUM && text.length <= SLUG_MAXIMUM;
  return fits && SLUG.test(text) && !reserved.includes(text);
}
