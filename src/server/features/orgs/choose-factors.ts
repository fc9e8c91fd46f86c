import type { ReceivedBody } from '#contract/schemas.ts';
import { FACTORS_VERSION, SPECIFIED } from '#domain/emissions.ts';
import { type ChosenSet, changesOf, withValues } from '#domain/factor-sets.ts';
import { Failure } from '#domain/failures.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { changeOrg, countFactorSets, keepFactors, lockedOrg } from './orgs.store.ts';

type Deps = Pick<AppDeps, 'db' | 'now'>;

/**
 * Makes an organization compute with another set of factors, from now on. The sets before it are kept.
 * @returns Failure org-not-found, factors-moved (another set is used than the one whose effect was shown)
 */
export async function chooseFactors(
  { db, now }: Deps,
  orgId: string,
  { choice, why, versionSeen }: ReceivedBody<'chooseFactors'>,
): Promise<ChosenSet | Failure> {
  return inTransaction(db, async (tx) => {
    const org = await lockedOrg(tx, orgId);
    if (!org) return new Failure('org-not-found');
    const before = org.factors ?? SPECIFIED;
    if (before.version !== versionSeen) return new Failure('factors-moved', { field: 'versionSeen' });
    const number = (await countFactorSets(tx, orgId)) + 1;
    const at = now();
    const set = withValues({ version: `${FACTORS_VERSION}.${number}`, since: at.toISOString(), why, choice });
    const factors = JSON.stringify(set);
    const what = changesOf(before, set).join('; ');
    await keepFactors(tx, { org_id: orgId, number, version: set.version, factors, what, why, created_at: at });
    await changeOrg(tx, orgId, { factors });
    return set;
  });
}
