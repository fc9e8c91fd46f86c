import type { Cents } from './money.ts';

/** Money whose organization may be unknown. */
type Part = { readonly orgId: string | null; readonly cents: Cents };

/** Each organization's share of some money. Null: what belongs to none. */
export function sharesOf(parts: readonly Part[]): Map<string | null, Cents> {
  const shares = new Map<string | null, Cents>();
  for (const { orgId, cents } of parts) shares.set(orgId, (shares.get(orgId) ?? 0) + cents);
  return shares;
}

/**
 * Splits an amount in proportion to weights. Each part is rounded down, and the cents left over belong to the largest
 * remainders, so the parts add up to the amount. Without any weight, all parts are equal.
 * @param weights whole numbers; those below zero count as zero
 */
export function splitCents(cents: Cents, weights: readonly number[]): Cents[] {
  const known = weights.map((weight) => BigInt(Math.max(0, weight)));
  const shares = known.some((share) => share > 0n) ? known : weights.map(() => 1n);
  const sum = shares.reduce((total, share) => total + share, 0n);
  const parts = shares.map((share, index) => {
    const product = BigInt(Math.abs(cents)) * share;
    return { index, cents: Number(product / sum), remainder: product % sum };
  });
  const left = Math.abs(cents) - parts.reduce((total, part) => total + part.cents, 0);
  const byRemainder = parts.toSorted((a, b) => Number(b.remainder - a.remainder) || a.index - b.index);
  const luckiest = new Set(byRemainder.slice(0, left).map(({ index }) => index));
  return parts.map((part) => Math.sign(cents) * (part.cents + (luckiest.has(part.index) ? 1 : 0)) || 0);
}

/** Money that came back, shared out as the payout that had carried it; what that does not explain belongs to none. */
export function sharedBack(cents: Cents, before: readonly Part[]): Part[] {
  const shares = sharesOf(before.filter(({ orgId }) => orgId !== null));
  const parts = [...shares].flatMap(([orgId, share]) => (share === 0 ? [] : [{ orgId, cents: share }]));
  const rest = cents - parts.reduce((sum, part) => sum + part.cents, 0);
  return rest === 0 ? parts : [...parts, { orgId: null, cents: rest }];
}
