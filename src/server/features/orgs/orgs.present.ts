import type { Org } from '#contract/schemas/orgs.ts';
import { toNumber } from '#domain/decimal.ts';
import { KEPT_DECIMALS } from '#domain/money.ts';
import type { Stats } from '#domain/org.ts';
import { presentPicture } from '#server/features/stories/present-profile.ts';
import type { OrgRow } from './orgs.store.ts';

/** The organisation as the public sees it: its editors stay inside. */
export function presentOrg(row: OrgRow, stats: Stats): Org {
  const photo = presentPicture(row.photo);
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    tag: row.tag,
    photoURL: photo?.url ?? null,
    photo,
    stats,
    statsDelta: deltaOf(row),
    statsUpdatedTimestamp: row.stats_updated_at.toISOString(),
    noAwardees: row.no_awardees,
    isSample: row.is_sample,
    createdTimestamp: row.created_at.toISOString(),
    version: row.version,
  };
}

function deltaOf(row: OrgRow): Stats {
  const inDecimals = (count: number, scale: number) => toNumber({ units: BigInt(count), scale });
  return {
    co2: inDecimals(row.delta_carbon, KEPT_DECIMALS),
    gas: inDecimals(row.delta_gas, KEPT_DECIMALS),
    funds: inDecimals(row.delta_cents, 2),
    grants: row.delta_grants,
  };
}
