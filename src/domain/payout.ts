import type { Cents } from './money.ts';

/** Money whose organization may be unknown. */
type Part = { readonly orgId: string | null; readonly cents: Cents };

/** Each organization's share of some money. Null: what belongs to none. */
export function sharesOf(parts: readonly Part[]): Map<string | null, Cents> {
  const shares = new Map<string | null, Cents>();
  for (const { orgId, cents } of parts) shares.set(orgId, (shares.get(orgId) ?? 0) + cents);
  return shares;
}

/** Money that came back, shared out as the payout that had carried it; what that does not explain belongs to none. */
export function sharedBack(cents: Cents, before: readonly Part[]): Part[] {
  const shares = sharesOf(before.filter(({ orgId }) => orgId !== null));
  const parts = [...shares].flatMap(([orgId, share]) => (share === 0 ? [] : [{ orgId, cents: share }]));
  const rest = cents - parts.reduce((sum, part) => sum + part.cents, 0);
  return rest === 0 ? parts : [...parts, { orgId: null, cents: rest }];
}
