import type { Kysely, Transaction } from 'kysely';
import { type Adjustment, adjustmentTo, type LedgerSums, statsOf } from '#domain/adjustment.ts';
import { claimedPounds } from '#domain/allocation.ts';
import type { Balances } from '#domain/books.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';
import { type SomeStats, STAT_NAMES, type Stats } from '#domain/org.ts';
import { savingYears } from '#domain/saving-years.ts';
import type { Database } from '#server/db/connection.ts';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';
import { type Awarded, awardedGrants, balancesOf, lastAdjustments, paidLives, totalsOf } from './ledger.store.ts';
import { postEntry } from './post-entry.ts';

/** An organization's stats without the editors' correction: its ledger's totals, and awardees or paid grants (decisions §2, §3). */
export async function orgStats(db: Database, orgId: OrgId): Promise<Stats> {
  return statsOf(await ledgerSums(db.kysely, orgId));
}

/** What the ledger says of an organization on its pages. */
export type OrgFigures = { readonly stats: Stats; readonly savingYears: number };

export async function orgFigures(db: Database, orgId: OrgId): Promise<OrgFigures> {
  const [stats, years] = await Promise.all([orgStats(db, orgId), savingYearsOf(db, orgId)]);
  return { stats, savingYears: years };
}

/** Over how many years what an organization's grants save arrives, or usual work does where it keeps none. */
export async function savingYearsOf(db: Database, orgId: OrgId): Promise<number> {
  const lives = await paidLives(db.kysely, orgId);
  return savingYears(
    lives.map((row) => ({
      years: row.years,
      pounds: claimedPounds({
        yearly: row.yearly_carbon,
        years: row.years,
        claimsAll: row.claims_all,
        cents: row.paid_cents,
        otherCents: row.other_cents,
      }),
    })),
  );
}

/** What an organization's accounts hold, in the payment mode that the totals count. */
export function accountBalances(db: Database, orgId: OrgId): Promise<Balances> {
  return balancesOf(db.kysely, orgId);
}

/** By what its grants are counted: awardees that are shown, or grants that were paid here. */
export async function grantsCountedBy(db: Database, orgId: OrgId): Promise<Awarded['by']> {
  return (await awardedGrants(db.kysely, orgId)).by;
}

async function ledgerSums(db: Kysely<Tables>, orgId: OrgId): Promise<LedgerSums> {
  const totals = await totalsOf(db, orgId);
  const { amount_cents: amount = 0, carbon = 0, gas = 0, grants = 0 } = totals ?? {};
  return { amount, carbon, gas, grants, awardees: (await awardedGrants(db, orgId)).count };
}

export type StatsToSet = {
  readonly orgId: OrgId;
  readonly stats: SomeStats;
  /** The stats that the editor saw: if they have changed since, nothing is set. */
  readonly seen?: SomeStats | undefined;
  readonly reason: string;
  readonly actorId: string;
  readonly at: Date;
};

/**
 * Sets an organization's stats by posting an adjustment of the difference (decisions §3). The caller must hold a lock
 * on the organization's row, or two editors who set the same stats would each post the difference.
 * @returns Failure stats-moved
 */
export async function setStats(
  tx: Transaction<Tables>,
  { orgId, stats, seen = {}, reason, actorId, at }: StatsToSet,
): Promise<Failure | undefined> {
  const sums = await ledgerSums(tx, orgId);
  const now = statsOf(sums);
  if (STAT_NAMES.some((name) => seen[name] !== undefined && seen[name] !== now[name])) {
    return new Failure('stats-moved', { field: 'stats' });
  }
  const adjustment = adjustmentTo(sums, stats);
  if (!adjustment) return undefined;
  const fact = `adjustment:${newId()}`;
  await postEntry(tx, {
    ...adjustment,
    orgId,
    kind: 'adjustment',
    fact,
    currency: 'usd',
    reason,
    actorId,
    occurredAt: at,
    knownAt: at,
  });
  return undefined;
}

/** An adjustment with who made it, when, and why. */
export type MadeAdjustment = Adjustment & {
  readonly id: string;
  readonly reason: string;
  /** A name or an email address; null once the account is deleted. */
  readonly by: string | null;
  readonly at: Date;
};

/** An organization's latest adjustments, newest first. */
export async function readAdjustments(db: Database, orgId: OrgId, max: number): Promise<MadeAdjustment[]> {
  const rows = await lastAdjustments(db.kysely, orgId, max);
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
