import { performance } from 'node:perf_hooks';
import type { TestReport } from '#contract/schemas/site.ts';
import type { AppDeps } from '#server/deps.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';

/** Has the program look at itself: that the database answers, and that every ledger adds up. It changes nothing. */
export async function testSite({ db, now }: Pick<AppDeps, 'db' | 'now'>): Promise<TestReport> {
  const begun = performance.now();
  await db.pool.query('select 1');
  const databaseMilliseconds = Math.round(performance.now() - begun);
  const differences = await verifyLedger(db);
  return {
    createdTimestamp: now().toISOString(),
    databaseMilliseconds,
    ledgerDifferences: differences.length,
  };
}
