import type { Selectable } from 'kysely';
import type { AvailableFundsResponse, Grant, StageSum } from '#contract/schemas/grants.ts';
import { calculateAvailableFunds } from '#domain/books.ts';
import { Failure } from '#domain/failures.ts';
import { GRANT_STAGES, getGrantStage } from '#domain/grant.ts';
import type { OrgId } from '#domain/ids.ts';
import { toDollars, toPounds } from '#domain/money.ts';
import type { Database } from '#server/db/connection.ts';
import type { PageRequest } from '#server/db/keyset.ts';
import type { Tables } from '#server/db/tables.ts';
import { calculateGrantPounds } from '#server/entities/claimed-pounds.ts';
import { findGrantCountSource, sumByAccount } from '#server/features/ledger/org-stats.ts';
import { createListPage, type ListPage } from '#server/http/list-page.ts';
import {
  findGrant,
  type GrantFilter,
  type GrantKey,
  type GrantRow,
  listGrants,
  sumGrantsByStage,
} from './grants.store.ts';

export async function readGrants(
  db: Database,
  orgId: OrgId,
  page: PageRequest & GrantFilter,
): Promise<ListPage<Grant[]>> {
  const rows = await listGrants(db.kysely, orgId, { ...page, max: page.max + 1 });
  return createListPage(rows, page.max, presentGrantRow);
}

/** Counts grants and sums their amounts for every stage, in order. */
export async function sumGrants(
  db: Database,
  orgId: OrgId,
  filter: Pick<GrantFilter, 'awardeeid'>,
): Promise<StageSum[]> {
  const sums = new Map((await sumGrantsByStage(db.kysely, orgId, filter)).map((row) => [row.stage, row]));
  return GRANT_STAGES.map((stage) => {
    const { grants = 0, cents = 0 } = sums.get(stage) ?? {};
    return { stage, grants, amount: toDollars(cents) };
  });
}

/** @returns Failure grant-not-found */
export async function readGrant(db: Database, key: GrantKey): Promise<Grant | Failure> {
  return presentGrant(await findGrant(db.kysely, key));
}

/** @returns Failure grant-not-found if the row is missing */
export function presentGrant(row: GrantRow | undefined): Grant | Failure {
  return row ? presentGrantRow(row) : new Failure('grant-not-found');
}

export function presentGrantRow(row: GrantRow): Grant {
  const days = {
    appliedOn: row.applied_on,
    promisedOn: row.promised_on,
    paidOn: row.paid_on,
    doneOn: row.done_on,
    inspectedOn: row.inspected_on,
  };
  return {
    id: row.id,
    awardeeid: row.awardee_id,
    awardee: row.awardee,
    ...days,
    stage: getGrantStage(days),
    amount: toDollars(row.amount_cents),
    paid: row.paid_cents === null ? null : toDollars(row.paid_cents),
    measures: [...row.measures],
    installer: row.installer_name ?? row.installer,
    publicFields: [...row.published_fields],
    yearlyPounds: toPounds(row.yearly_carbon),
    years: row.years,
    countedPounds: calculateCountedPounds(row),
    installerid: row.installer_id,
    method: row.method,
    methodSource: row.method_source,
    otherFunding: toDollars(row.other_funding_cents),
    otherFundingSource: row.other_funding_source,
    fullSavingsReason: row.full_savings_reason,
    entryid: row.paid_entry_id ?? row.promised_entry_id,
    createdTimestamp: row.created_at.toISOString(),
  };
}

/** Pounds that the fund may count for a grant, over all years. */
export function calculateCountedPounds(row: Selectable<Tables['grants']>): number {
  return toPounds(calculateGrantPounds(row, row.paid_cents ?? row.amount_cents));
}

/** Reads the amount that an organization can grant today, and the amounts that it is computed from. */
export async function readAvailableFunds(db: Database, orgId: OrgId): Promise<AvailableFundsResponse> {
  const { gifts, fees, disputed, paid, promised, available, processorBalance } = calculateAvailableFunds(
    await sumByAccount(db.kysely, orgId),
  );
  return {
    gifts: toDollars(gifts),
    fees: toDollars(fees),
    disputed: toDollars(disputed),
    paid: toDollars(paid),
    promised: toDollars(promised),
    available: toDollars(available),
    processorBalance: toDollars(processorBalance),
    grantCountSource: await findGrantCountSource(db, orgId),
  };
}
