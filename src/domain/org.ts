import { add, decimal, toNumber } from './decimal.ts';

/** Pounds of carbon, gallons of gasoline, dollars, grants (§3). */
export type Stats = { readonly co2: number; readonly gas: number; readonly funds: number; readonly grants: number };

export const STAT_NAMES = ['co2', 'gas', 'funds', 'grants'] as const satisfies readonly (keyof Stats)[];

export const NO_STATS: Stats = { co2: 0, gas: 0, funds: 0, grants: 0 };

export type PartialStats = { readonly [Name in keyof Stats]?: number | undefined };

/** Public stats: stats plus the editors' correction (§3). */
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

export const MIN_SLUG_LENGTH = 3;
export const MAX_SLUG_LENGTH = 40;

const SLUG_PATTERN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** 3 to 40 characters of a–z, 0–9, and single hyphens, and not the first word of a route (decisions §7). */
export function isSlug(text: string, reserved: readonly string[]): boolean {
  const hasValidLength = text.length >= MIN_SLUG_LENGTH && text.length <= MAX_SLUG_LENGTH;
  return hasValidLength && SLUG_PATTERN.test(text) && !reserved.includes(text);
}

/** A suggested slug: "Ithaca Climate Fund" → "ithaca-climate-fund". Empty if the name doesn't yield a valid one. */
export function suggestSlug(name: string, reserved: readonly string[]): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}'’]/gu, '')
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const slug = words.reduce((prefix, word) => {
    const candidate = prefix === '' ? word.slice(0, MAX_SLUG_LENGTH) : `${prefix}-${word}`;
    return candidate.length > MAX_SLUG_LENGTH ? prefix : candidate;
  }, '');
  return isSlug(slug, reserved) ? slug : '';
}

/** Visible characters. */
export const MAX_TAG_LENGTH = 160;

/** One line, trimmed. */
export function normalizeTag(tag: string): string {
  return tag.trim().replace(/\s+/g, ' ');
}
