import type { ParsedBody } from '#contract/schemas.ts';
import { FACTORS_VERSION, SPECIFIED_FACTORS } from '#domain/emissions.ts';
import { type DatedFactorSet, describeChanges, withValues } from '#domain/factor-sets.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { changeOrg, countFactorSets, insertFactorSet, lockOrg } from './orgs.store.ts';

type Deps = Pick<AppDeps, 'db' | 'now'>;

/**
 * Changes the factor set that an organization uses. Earlier sets stay stored.
 * @returns Failure org-not-found, factors-changed (the current set isn't the set that the editor saw)
 */
export async function chooseFactors(
  { db, now }: Deps,
  orgId: OrgId,
  { choice, reason, baseVersion }: ParsedBody<'chooseFactors'>,
): Promise<DatedFactorSet | Failure> {
  return inTransaction(db, async (tx) => {
    const org = await lockOrg(tx, orgId);
    if (!org) return new Failure('org-not-found');
    const currentSet = org.factors ?? SPECIFIED_FACTORS;
    if (currentSet.version !== baseVersion) return new Failure('factors-changed', { field: 'baseVersion' });
    const number = (await countFactorSets(tx, orgId)) + 1;
    const time = now();
    const set = withValues({
      version: `${FACTORS_VERSION}.${number}`,
      effectiveDate: time.toISOString(),
      reason,
      choice,
    });
    const factors = JSON.stringify(set);
    const summary = describeChanges(currentSet, set).join('; ');
    await insertFactorSet(tx, {
      org_id: orgId,
      number,
      version: set.version,
      factors,
      summary,
      reason,
      created_at: time,
    });
    await changeOrg(tx, orgId, { factors });
    return set;
  });
}
