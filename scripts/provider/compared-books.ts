import { Failure } from '#domain/failures.ts';
import type { Database } from '#server/db/connection.ts';
import { compareWithProvider } from '#server/features/ledger/compare-with-provider.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import type { Payments } from '#server/gateways/payments/payments.ts';
import { comparisonLines } from './comparison-lines.ts';
import { unavailableText } from './with-provider.ts';

/** What `npm run verify-ledger -- --provider` finds, of test payments. */
export async function comparedBooks(db: Database, payments: Payments) {
  const own = await verifyLedger(db);
  const compared = await compareWithProvider({ db, payments, livemode: false });
  if (compared instanceof Failure) throw new Error(unavailableText(compared));
  return {
    lines: [
      ...own.map(({ subject, problem }) => `difference: ${subject} ${problem}`),
      ...comparisonLines(compared, false),
    ],
    differences: own.length + compared.differences.length,
  };
}
