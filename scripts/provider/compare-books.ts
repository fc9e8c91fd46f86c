import { Failure } from '#domain/failures.ts';
import type { Database } from '#server/db/connection.ts';
import { compareWithProvider } from '#server/features/ledger/compare-with-provider.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import type { Payments } from '#server/gateways/payments/payments.ts';
import { formatComparison } from './comparison-lines.ts';
import { describeOutage } from './with-provider.ts';

/** Same comparison as `npm run verify-ledger -- --provider`, for test payments. */
export async function compareBooks(db: Database, payments: Payments) {
  const ledgerDifferences = await verifyLedger(db);
  const comparison = await compareWithProvider({ db, payments, livemode: false, now: () => new Date() });
  if (comparison instanceof Failure) throw new Error(describeOutage(comparison));
  return {
    lines: [
      ...ledgerDifferences.map(({ subject, problem }) => `difference: ${subject} ${problem}`),
      ...formatComparison(comparison, false),
    ],
    differences: ledgerDifferences.length + comparison.differences.length,
  };
}
