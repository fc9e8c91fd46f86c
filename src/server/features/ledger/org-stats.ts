import type { Kysely, Transaction } from 'kysely';
import { type Adjustment, calculateAdjustment, calculateStats, type LedgerSums } from '#domain/adjustment.ts';
import { buildFact } from '#domain/facts.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';
import { CURRENCY } from '#domain/money.ts';
import { type PartialStats, STAT_NAMES, type Stats } from '#domain/org.ts';
import { meanLifetimeYears } from '#domain/saving-years.ts';
import type { Database } from '#server/db/connection.ts';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';
import { calculateGrantPounds } from '#server/entities/claimed-pounds.ts';
import { countGrants, findTotals, type GrantCount, listAdjustments, listPaidGrants } from './ledger.store.ts';
import { postEntry } from './post-entry.ts';

export { findFirstEntryTime, sumByAccount } from './ledger.store.ts';

/** Reads the ledger's totals plus awardees or paid grants (decisions §2, §3), without the editors' correction. */
export async function readOrgStats(db: Database, orgId: OrgId): Promise<Stats> {
  return calculateStats(await readLedgerSums(db.kysely, orgId));
}

/** Figures from the ledger for an organization's pages. */
export type OrgFigures = { readonly stats: Stats; readonly savingYears: number };

export async function readOrgFigures(db: Database, orgId: OrgId): Promise<OrgFigures> {
  const [stats, years] = await Promise.all([readOrgStats(db, orgId), findSavingYears(db, orgId)]);
  return { stats, savingYears: years };
}

/** Finds how many years an organization's grants take to save their carbon. Returns a default if there are no paid grants. */
export async function findSavingYears(db: Database, orgId: OrgId): Promise<number> {
  const grants = await listPaidGrants(db.kysely, orgId);
  return meanLifetimeYears(
    grants.map((grant) => ({
      years: grant.years,
      pounds: calculateGrantPounds(grant, grant.paid_cents),
    })),
  );
}

/** Finds whether the grant count is based on published awardees or paid grants. */
export async function findGrantCountSource(db: Database, orgId: OrgId): Promise<GrantCount['source']> {
  return (await countGrants(db.kysely, orgId)).source;
}

async function readLedgerSums(db: Kysely<Tables>, orgId: OrgId): Promise<LedgerSums> {
  const totals = await findTotals(db, orgId);
  const { amount_cents: amount = 0, carbon = 0, gas = 0, grants = 0 } = totals ?? {};
  return { amount, carbon, gas, grants, awardees: (await countGrants(db, orgId)).count };
}

type StatsChange = {
  readonly orgId: OrgId;
  readonly stats: PartialStats;
  /** Stats as the editor saw them. The call fails if any of them has changed. */
  readonly expectedStats?: PartialStats | undefined;
  readonly reason: string;
  readonly actorId: string;
  readonly at: Date;
};

/**
 * Sets an organization's stats by posting the difference as an adjustment (decisions §3). The caller must lock the
 * organization's row, so that two editors who set the same stats don't both post the difference.
 * @returns Failure stats-changed
 */
export async function setStats(
  tx: Transaction<Tables>,
  { orgId, stats, expectedStats = {}, reason, actorId, at }: StatsChange,
): Promise<Failure | undefined> {
  const sums = await readLedgerSums(tx, orgId);
  const currentStats = calculateStats(sums);
  if (STAT_NAMES.some((name) => expectedStats[name] !== undefined && expectedStats[name] !== currentStats[name])) {
    return new Failure('stats-changed', { field: 'stats' });
  }
  const adjustment = calculateAdjustment(sums, stats);
  if (!adjustment) return undefined;
  await postEntry(tx, {
    ...adjustment,
    orgId,
    kind: 'adjustment',
    fact: buildFact('adjustment', newId()),
    currency: CURRENCY,
    reason,
    actorId,
    occurredAt: at,
    reportedAt: at,
  });
  return undefined;
}

/** An adjustment with its author, time, and reason. */
export type AdjustmentRecord = Adjustment & {
  readonly id: string;
  readonly reason: string;
  /** The author's name or email address; null if the account is deleted. */
  readonly by: string | null;
  readonly at: Date;
};

/** Reads an organization's latest adjustments, newest first. */
export async function readAdjustments(db: Database, orgId: OrgId, max: number): Promise<AdjustmentRecord[]> {
  const rows = await listAdjustments(db.kysely, orgId, max);
  return rows.map((row) => ({
    id: row.id,
    amount: row.amount_cents,
    carbon: row.carbon,
    gas: row.gas,
    grants: row.grants,
    reason: row.reason ?? '',
    by: row.actor_name || row.actor_email,
    at: row.occurred_at,
  }));
}
