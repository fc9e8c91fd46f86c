import path from 'node:path';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/connection.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';

// npm run verify-ledger: recomputes every sum from the ledger's entries and expects no difference (decisions §3).
const { databaseUrl, dataDir } = readConfig();
const database = await openDatabase({
  databaseUrl,
  dataDir: path.join(dataDir, 'db'),
  log: { info: printLog, warn: printLog, error: printLog },
});
try {
  const differences = await verifyLedger(database);
  for (const { orgId, subject, problem } of differences) console.log(`${orgId}: ${subject} ${problem}`);
  console.log(differences.length === 0 ? 'No difference.' : `${differences.length} differences.`);
  if (differences.length > 0) process.exitCode = 1;
} finally {
  await database.close();
}

function printLog(_details: object, message: string): void {
  console.error(message);
}
