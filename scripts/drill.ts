import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { Failure } from '#domain/failures.ts';
import { type Config, readConfig } from '#server/config.ts';
import { readBackupFile } from '#server/features/backups/backup-file.ts';
import { fillDatabase } from '#server/features/backups/restore-backup.ts';
import { compareWithProvider } from '#server/features/ledger/compare-with-provider.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { findLost } from '#server/features/recovery/find-lost.ts';
import { recover } from '#server/features/recovery/recover.ts';
import { readingPayments } from '#server/gateways/payments/reading-payments.ts';
import { folderFiles } from '#server/gateways/pictures/picture-files.ts';
import { COMMAND_LOG, filledLines, printFailure } from './backups/backup-lines.ts';
import { withBackup } from './backups/named-backup.ts';
import { comparisonLines } from './provider/comparison-lines.ts';
import { type ProviderDeps, unavailableText, withProvider } from './provider/with-provider.ts';

// npm run drill: restores the last backup (or a FILE) in a scratch folder, recovers what the payment provider has since,
// and verifies the books. The program may run meanwhile: its data, and the provider's, are only read.
const begun = performance.now();
const scratch = await fs.mkdtemp(path.join(os.tmpdir(), 'fund-drill-'));
try {
  const { positionals } = parseArgs({ allowPositionals: true });
  const config = readConfig();
  const own = { ...config, databaseUrl: undefined, migrateDatabaseUrl: undefined, dataDir: scratch, s3: undefined };
  const pictures = folderFiles(path.join(scratch, 'pictures'));
  const filled = await withBackup(positionals[0] ?? 'latest', config, (file) =>
    fillDatabase(own, readBackupFile(file, config.backup?.secret), { pictures, log: COMMAND_LOG }),
  );
  for (const line of filledLines(filled)) console.log(line);
  await copySandbox(config, scratch);
  const problems = filled.differences.length + (await withProvider(recoverAndVerify, own));
  const seconds = Math.round((performance.now() - begun) / 1000);
  console.log(
    problems === 0 ? `The drill succeeded, in ${seconds} s.` : `The drill found ${problems} problems, in ${seconds} s.`,
  );
  if (problems > 0) process.exitCode = 1;
} catch (error) {
  printFailure(error instanceof Failure ? new Error(unavailableText(error)) : error);
} finally {
  await fs.rm(scratch, { recursive: true, force: true });
}

/** @returns how many problems there are */
async function recoverAndVerify(given: ProviderDeps): Promise<number> {
  const deps = { ...given, payments: readingPayments(given.payments) };
  const lost = await findLost(deps);
  if (lost instanceof Failure) throw lost;
  const { problems } = await recover({ ...deps, jobs: await deps.openJobs() }, lost);
  console.log(`Recovered: ${lost.pages.length} payment pages, ${lost.charges.length} other charges.`);
  for (const { id, problem } of problems) console.log(`${id} could not be recovered: ${problem}`);
  const differences = await verifyLedger(deps.db);
  for (const { orgId, subject, problem } of differences) console.log(`${orgId}: ${subject} ${problem}`);
  const compared = await compareWithProvider(deps);
  if (compared instanceof Failure) throw compared;
  for (const line of comparisonLines(compared, deps.livemode)) console.log(line);
  return problems.length + differences.length + compared.differences.length;
}

/** What the sandbox knows is the provider's word here. */
async function copySandbox({ stripe, dataDir }: Config, to: string): Promise<void> {
  const file = path.join(dataDir, 'sandbox.sqlite');
  const isThere = await fs.access(file).then(
    () => true,
    () => false,
  );
  if (stripe.kind !== 'sandbox' || !isThere) return;
  const source = new DatabaseSync(file, { readOnly: true });
  await backup(source, path.join(to, 'sandbox.sqlite'));
  source.close();
}
