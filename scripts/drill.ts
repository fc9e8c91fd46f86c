import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { Failure } from '#domain/failures.ts';
import { QUEUED_JOBS } from '#server/background-jobs.ts';
import { type Config, ConfigError, readConfig } from '#server/config.ts';
import { describeDatabase } from '#server/db/data-folder.ts';
import { readBackupFile } from '#server/features/backups/backup-file.ts';
import { restoreIntoDatabase } from '#server/features/backups/restore-backup.ts';
import { compareWithProvider } from '#server/features/ledger/compare-with-provider.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { findLostRecords } from '#server/features/recovery/find-lost-records.ts';
import { recover } from '#server/features/recovery/recover.ts';
import { createReadOnlyPayments } from '#server/gateways/payments/read-only-payments.ts';
import { openFolderFiles } from '#server/gateways/pictures/picture-files.ts';
import { formatFailure } from '#server/process/failure-text.ts';
import { formatDifference, formatRestoreSummary } from './backups/format-restore.ts';
import { assertUnusedDatabase, toDatabaseSettings } from './backups/restored-database.ts';
import { storeDrillResult } from './backups/store-drill-result.ts';
import { withBackup } from './backups/with-backup.ts';
import { COMMAND_LOG } from './command-log.ts';
import { formatComparison, formatProviderDifference } from './provider/comparison-lines.ts';
import { describeOutage, type ProviderDeps, withProvider } from './provider/with-provider.ts';
import { getUsage, parseCommand, printFailure } from './usage.ts';

// npm run drill: restores the last backup (or a FILE) into a scratch folder, recovers later payments from the payment
// provider, and verifies the books. Changes neither the server's books nor the provider, and stores only the drill's
// result, so the server may keep running. With --database, uses and changes a copy that was restored by other means.
const { values, positionals } = parseCommand('drill', {
  options: { database: { type: 'string' } },
  allowPositionals: true,
});
const { database: restoredUrl } = values;
const [backupName = 'latest'] = positionals;
const startTime = performance.now();
const drill: { backup: string; backupAt: string | null; isRestored: boolean; problems: string[] } = {
  // Empty until a named backup or database is found, because a mistyped name doesn't count as a failed drill.
  backup: positionals.length === 0 && restoredUrl === undefined ? backupName : '',
  backupAt: null,
  isRestored: false,
  problems: [],
};
let config: Config | undefined;
const scratch = await fs.mkdtemp(path.join(os.tmpdir(), 'fund-drill-'));
// If root runs the drill, PostgreSQL runs under another account, which must be able to enter this folder.
await fs.chmod(scratch, 0o711);
try {
  if (restoredUrl !== undefined && positionals.length > 0) throw new ConfigError(getUsage('drill'));
  config = readConfig();
  const scratchConfig = {
    ...config,
    ...toDatabaseSettings(restoredUrl),
    dataDir: scratch,
    s3: undefined,
  };
  if (restoredUrl === undefined) {
    drill.problems.push(...(await restoreBackup(config, scratchConfig)));
  } else {
    await assertUnusedDatabase(restoredUrl);
    drill.backup = describeDatabase(scratchConfig);
  }
  drill.isRestored = true;
  await copySandbox(config, scratch);
  drill.problems.push(...(await withProvider(recoverAndVerify, scratchConfig)));
  const count = drill.problems.length;
  const seconds = getSecondsSince(startTime);
  const outcome = count === 0 ? 'succeeded' : `found ${count} ${count === 1 ? 'problem' : 'problems'}`;
  console.log(`The drill ${outcome} in ${seconds} s.`);
  if (count > 0) process.exitCode = 1;
} catch (error) {
  const failure = error instanceof Failure ? new Error(describeOutage(error)) : error;
  drill.problems.push(formatFailure(failure));
  if (drill.isRestored)
    console.error('The backup was restored. Payments made since the backup could not be compared with the provider:');
  printFailure(failure);
} finally {
  await fs.rm(scratch, { recursive: true, force: true });
}
if (config && drill.backup !== '') {
  const { backup, backupAt, problems } = drill;
  const problem = problems.length === 0 ? null : problems.join(' ');
  const storageError = await storeDrillResult(config, {
    backup,
    backupAt,
    seconds: getSecondsSince(startTime),
    problem,
  });
  if (storageError !== undefined) console.log(`The result could not be stored for the admin page: ${storageError}`);
}

function getSecondsSince(time: number): number {
  return Math.round((performance.now() - time) / 1000);
}

/** Restores the backup. @returns differences in the restored ledger */
async function restoreBackup(config: Config, scratchConfig: Config): Promise<string[]> {
  const pictures = openFolderFiles(path.join(scratch, 'pictures'));
  const secret = config.backup?.secret;
  const report = await withBackup(backupName, config, (file, address) => {
    drill.backup = address;
    return restoreIntoDatabase(scratchConfig, readBackupFile(file, secret), {
      pictures,
      log: COMMAND_LOG,
      jobs: QUEUED_JOBS,
    });
  });
  drill.backupAt = report.header.at;
  for (const line of formatRestoreSummary(report)) console.log(line);
  return report.differences.map(formatDifference);
}

/** Recovers later payments and verifies the books. @returns problems, formatted for the operator */
async function recoverAndVerify(providerDeps: ProviderDeps): Promise<string[]> {
  const deps = { ...providerDeps, payments: createReadOnlyPayments(providerDeps.payments) };
  const lostRecords = await findLostRecords(deps);
  if (lostRecords instanceof Failure) throw lostRecords;
  const { problems } = await recover({ ...deps, jobs: await deps.openJobs() }, lostRecords);
  console.log(`Recovered: ${lostRecords.pages.length} payment pages, ${lostRecords.charges.length} other charges.`);
  const recoveryProblems = problems.map(({ id, problem }) => `${id} could not be recovered: ${problem}`);
  const differences = (await verifyLedger(deps.db)).map(formatDifference);
  for (const line of [...recoveryProblems, ...differences]) console.log(line);
  const comparison = await compareWithProvider(deps);
  if (comparison instanceof Failure) throw comparison;
  for (const line of formatComparison(comparison, deps.livemode)) console.log(line);
  const providerDifferences = comparison.differences.map((difference) => formatProviderDifference(difference));
  return [...recoveryProblems, ...differences, ...providerDifferences];
}

/** Copies the data of the sandbox, which simulates the provider. */
async function copySandbox({ stripe, dataDir }: Config, targetFolder: string): Promise<void> {
  const file = path.join(dataDir, 'sandbox.sqlite');
  const exists = await fs.access(file).then(
    () => true,
    () => false,
  );
  if (stripe.kind !== 'sandbox' || !exists) return;
  const source = new DatabaseSync(file, { readOnly: true });
  await backup(source, path.join(targetFolder, 'sandbox.sqlite'));
  source.close();
}
