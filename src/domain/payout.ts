import { DAY_MS } from './days.ts';
import type { OrgId } from './ids.ts';
import type { Cents } from './money.ts';

/** How long after its creation a payout can fail. Banks return failed payouts within 30 days. */
export const PAYOUT_FAILURE_WINDOW_MS = 31 * DAY_MS;

/** Money whose organization may be unknown. */
type OrgShare = { readonly orgId: OrgId | null; readonly cents: Cents };

/** Adds up each organization's share; null is money that belongs to no organization. */
export function sumSharesByOrg(parts: readonly OrgShare[]): Map<string | null, Cents> {
  const shares = new Map<string | null, Cents>();
  for (const { orgId, cents } of parts) shares.set(orgId, (shares.get(orgId) ?? 0) + cents);
  return shares;
}

/**
 * Splits an amount in proportion to weights. Each part is rounded down, and the remaining cents go to the largest
 * remainders, so the parts add up to the amount. If all weights are zero, the parts are equal.
 * @param weights whole numbers; those below zero count as zero
 */
export function splitCents(cents: Cents, weights: readonly number[]): Cents[] {
  const positiveWeights = weights.map((weight) => BigInt(Math.max(0, weight)));
  const shares = positiveWeights.some((share) => share > 0n) ? positiveWeights : weights.map(() => 1n);
  const sum = shares.reduce((total, share) => total + share, 0n);
  const parts = shares.map((share, index) => {
    const product = BigInt(Math.abs(cents)) * share;
    return { index, cents: Number(product / sum), remainder: product % sum };
  });
  const remaining = Math.abs(cents) - parts.reduce((total, part) => total + part.cents, 0);
  const byRemainder = parts.toSorted((a, b) => Number(b.remainder - a.remainder) || a.index - b.index);
  const roundedUpIndexes = new Set(byRemainder.slice(0, remaining).map(({ index }) => index));
  return parts.map((part) => Math.sign(cents) * (part.cents + (roundedUpIndexes.has(part.index) ? 1 : 0)) || 0);
}

/** Splits a returned payout's money in the payout's proportions. The remainder belongs to no organization. */
export function splitReturnedPayout(cents: Cents, payoutParts: readonly OrgShare[]): OrgShare[] {
  const shares = sumSharesByOrg(payoutParts.filter(({ orgId }) => orgId !== null));
  const parts = [...shares].flatMap(([orgId, share]) => (share === 0 ? [] : [{ orgId, cents: share }]));
  const remainder = cents - parts.reduce((sum, part) => sum + part.cents, 0);
  return remainder === 0 ? parts : [...parts, { orgId: null, cents: remainder }];
}
