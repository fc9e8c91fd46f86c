import { Failure } from '#domain/failures.ts';
import type { Database } from '#server/db/connection.ts';
import { compareWithProvider } from '#server/features/ledger/compare-with-provider.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import type { Payments } from '#server/gateways/payments/payments.ts';
import { comparisonLines } from './comparison-lines.ts';
import { unavailableText } from './with-provider.ts';

/** Same comparison as `npm run verify-ledger -- --provider`, for test payments. */
export async function compareBooks(db: Database, payments: Payments) {
  const ledgerDifferences = await verifyLedger(db);
  const comparison = await compareWithProvider({ db, payments, livemode: false, now: () => new Date() });
  if (comparison instanceof Failure) throw new Error(unavailableText(comparison));
  return {
    lines: [
      ...ledgerDifferences.map(({ subject, problem }) => `difference: ${subject} ${problem}`),
      ...comparisonLines(comparison, false),
    ],
    differences: ledgerDifferences.length + comparison.differences.length,
  };
}
