import type { Pledge } from '#contract/schemas/pledges.ts';
import { Failure } from '#domain/failures.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { changePledge, lockedPledge, type PledgeKey } from './pledges.store.ts';
import { present } from './receive-pledge.ts';

/**
 * Says that a check will not come, or takes that back. What is received already is in the ledger, and stays.
 * @returns Failure pledge-not-found, pledge-received
 */
export async function withdrawPledge(
  { db }: Pick<AppDeps, 'db'>,
  key: PledgeKey,
  withdrawn: boolean,
): Promise<Pledge | Failure> {
  return inTransaction(db, async (tx) => {
    const pledge = await lockedPledge(tx, key);
    if (!pledge) return new Failure('pledge-not-found');
    if (pledge.status === 'received') return new Failure('pledge-received');
    await changePledge(tx, key, { status: withdrawn ? 'withdrawn' : 'pledged' });
    return present(tx, key);
  });
}
