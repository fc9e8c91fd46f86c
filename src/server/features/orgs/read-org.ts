import type { Org, OrgAdjustment, OrgSettings } from '#contract/schemas/orgs.ts';
import { calculateStats } from '#domain/adjustment.ts';
import { toNumber } from '#domain/decimal.ts';
import { addMissingFactors, type DatedFactorSet } from '#domain/factor-sets.ts';
import { Failure } from '#domain/failures.ts';
import { STORED_DECIMALS, toDollars } from '#domain/money.ts';
import type { Stats } from '#domain/org.ts';
import type { Database } from '#server/db/connection.ts';
import { findOrgRow, type OrgFacts, type OrgRow } from '#server/entities/find-org.ts';
import { presentPicture } from '#server/entities/present-profile.ts';
import { hasEntryInClosedMonth } from '#server/features/ledger/months.ts';
import {
  type AdjustmentRecord,
  type OrgFigures,
  readAdjustments,
  readOrgFigures,
} from '#server/features/ledger/org-stats.ts';

const MAX_ADJUSTMENTS = 10;

/** @returns Failure org-not-found */
export async function readOrg(db: Database, id: string): Promise<Org | Failure> {
  const row = await findOrgRow(db, id);
  return row ? presentOrg(row, await readOrgFigures(db, id)) : new Failure('org-not-found');
}

/** Reads an organization's settings for its editors. */
export async function readOrgSettings(db: Database, { id, row }: OrgFacts): Promise<OrgSettings> {
  const [figures, adjustments, hasClosedMonth] = await Promise.all([
    readOrgFigures(db, id),
    readAdjustments(db, id, MAX_ADJUSTMENTS),
    hasEntryInClosedMonth(db.kysely, id),
  ]);
  return {
    ...presentOrg(row, figures),
    reviewStories: row.review_stories,
    editorsNeedSecondFactor: row.editors_need_second_factor,
    canChangeTimeZone: !hasClosedMonth,
    adjustments: adjustments.map(presentAdjustment),
  };
}

/** @param figures totals from the ledger */
export function presentOrg(row: OrgRow, { stats, savingYears }: OrgFigures): Org {
  const photo = presentPicture(row.photo);
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    tag: row.tag,
    photoURL: photo?.url ?? null,
    photo,
    stats,
    statsDelta: presentDelta(row),
    statsUpdatedTimestamp: findStatsTime(row).toISOString(),
    noAwardees: row.no_awardees,
    takesApplications: row.takes_applications,
    isSample: row.is_sample,
    timeZone: row.time_zone,
    place: row.place,
    homeCity: row.home_city,
    typicalGrant: row.typical_grant_cents === null ? null : toDollars(row.typical_grant_cents),
    savingYears,
    ...(row.factors ? { factors: presentFactors(addMissingFactors(row.factors)) } : {}),
    createdTimestamp: row.created_at.toISOString(),
    version: row.version,
  };
}

function presentAdjustment(adjustment: AdjustmentRecord): OrgAdjustment {
  const { id, reason, by, at } = adjustment;
  return { id, change: calculateStats({ ...adjustment, awardees: 0 }), reason, by, createdTimestamp: at.toISOString() };
}

/** Omits the fields that only the Numbers page shows. */
function presentFactors({ version, choice, factors }: DatedFactorSet): Org['factors'] {
  return { version, choice, factors };
}

/** Returns when an editor, the ledger, or an awardee's publication status last changed the stats. */
function findStatsTime({ stats_updated_at: editedAt, stats_changed_at: changedAt }: OrgRow): Date {
  return changedAt !== null && changedAt > editedAt ? changedAt : editedAt;
}

function presentDelta(row: OrgRow): Stats {
  const toDecimalNumber = (count: number, scale: number) => toNumber({ units: BigInt(count), scale });
  return {
    co2: toDecimalNumber(row.delta_carbon, STORED_DECIMALS),
    gas: toDecimalNumber(row.delta_gas, STORED_DECIMALS),
    funds: toDecimalNumber(row.delta_cents, 2),
    grants: row.delta_grants,
  };
}
