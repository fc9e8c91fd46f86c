import type { Selectable } from 'kysely';
import { claimedPounds } from '#domain/allocation.ts';
import type { Cents, TenThousandthsOfPound } from '#domain/money.ts';
import type { Tables } from '#server/db/tables.ts';

type GrantRow = Pick<
  Selectable<Tables['grants']>,
  'yearly_carbon' | 'years' | 'other_funding_cents' | 'claims_full_savings'
>;

/** Pounds that the fund can count for its payment of a grant, over all years. */
export function claimedPoundsOfGrant(grant: GrantRow, cents: Cents): TenThousandthsOfPound {
  return claimedPounds({
    yearly: grant.yearly_carbon,
    years: grant.years,
    cents,
    otherCents: grant.other_funding_cents,
    claimsAll: grant.claims_full_savings,
  });
}
