import type { Selectable } from 'kysely';
import { calculateClaimablePounds } from '#domain/allocation.ts';
import type { Cents, TenThousandthsOfPound } from '#domain/money.ts';
import type { Tables } from '#server/db/tables.ts';

type GrantRow = Pick<
  Selectable<Tables['grants']>,
  'yearly_carbon' | 'years' | 'other_funding_cents' | 'claims_full_savings'
>;

/** Pounds that the fund can count for its payment of a grant, over all years. */
export function calculateGrantPounds(grant: GrantRow, cents: Cents): TenThousandthsOfPound {
  return calculateClaimablePounds({
    yearlyCarbon: grant.yearly_carbon,
    years: grant.years,
    cents,
    otherCents: grant.other_funding_cents,
    claimsAll: grant.claims_full_savings,
  });
}
