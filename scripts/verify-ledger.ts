import { Failure } from '#domain/failures.ts';
import { readConfig } from '#server/config.ts';
import { warnIfUnprotected } from '#server/db/app-role.ts';
import { openExisting } from '#server/db/open-migrated.ts';
import { compareWithProvider } from '#server/features/ledger/compare-with-provider.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { recordOperationEvent } from '#server/features/operation/operation.store.ts';
import { recordComparison } from '#server/features/operation/verify-books.ts';
import { formatDifferenceCount } from './format-difference-count.ts';
import { formatComparison } from './provider/comparison-lines.ts';
import { describeOutage, withProvider } from './provider/with-provider.ts';
import { parseCommand, printFailure } from './usage.ts';

// npm run verify-ledger: recomputes every sum from the ledger's entries and reports differences (decisions §3).
// With --provider it also compares the entries with the payment provider.
const { values } = parseCommand('verify-ledger', { options: { provider: { type: 'boolean' } } });
try {
  const count = (await countLedgerDifferences()) + (values.provider ? await countProviderDifferences() : 0);
  if (count > 0) process.exitCode = 1;
} catch (error) {
  printFailure(error);
}

async function countLedgerDifferences(): Promise<number> {
  const log = { info: printLog, warn: printLog, error: printLog };
  const database = await openExisting(readConfig(), log);
  try {
    // Embedded databases have only one role, so the warning doesn't apply.
    if (!database.isEmbedded) await warnIfUnprotected(database, log);
    const differences = await verifyLedger(database);
    await recordOperationEvent(database.kysely, 'books-verified', new Date(), differences.length);
    for (const { orgId, subject, problem } of differences) console.log(`${orgId}: ${subject} ${problem}`);
    console.log(`${formatDifferenceCount(differences.length)}.`);
    return differences.length;
  } finally {
    await database.close();
  }
}

async function countProviderDifferences(): Promise<number> {
  return withProvider(async (deps) => {
    const comparison = await compareWithProvider(deps);
    if (comparison instanceof Failure) {
      console.error(describeOutage(comparison));
      return 1;
    }
    await recordComparison(deps, comparison, deps.now());
    for (const line of formatComparison(comparison, deps.livemode)) console.log(line);
    return comparison.differences.length;
  });
}

function printLog(_details: object, message: string): void {
  console.error(message);
}
