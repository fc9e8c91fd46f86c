import type { Org, OrgSettings } from '#contract/schemas/orgs.ts';
import { Failure } from '#domain/failures.ts';
import type { Database } from '#server/db/connection.ts';
import { orgStats, readAdjustments } from '#server/features/ledger/org-stats.ts';
import { orgById } from '#server/orgs/find-org.ts';
import { presentOrg, presentSettings } from './orgs.present.ts';

/** How many adjustments of the stats the settings show. */
const SHOWN_ADJUSTMENTS = 10;

/** @returns Failure org-not-found */
export async function readOrg(db: Database, id: string): Promise<Org | Failure> {
  const row = await orgById(db, id);
  return row ? presentOrg(row, await orgStats(db, id)) : new Failure('org-not-found');
}

/** What the editors of an organisation see of it. @returns Failure org-not-found */
export async function readOrgSettings(db: Database, id: string): Promise<OrgSettings | Failure> {
  const row = await orgById(db, id);
  if (!row) return new Failure('org-not-found');
  const [stats, adjustments] = await Promise.all([orgStats(db, id), readAdjustments(db, id, SHOWN_ADJUSTMENTS)]);
  return presentSettings(row, stats, adjustments);
}
