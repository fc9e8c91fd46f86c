import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { Failure } from '#domain/failures.ts';
import { type Config, readConfig } from '#server/config.ts';
import { failureText } from '#server/failure-text.ts';
import { readBackupFile } from '#server/features/backups/backup-file.ts';
import { fillDatabase } from '#server/features/backups/restore-backup.ts';
import { compareWithProvider } from '#server/features/ledger/compare-with-provider.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { findLost } from '#server/features/recovery/find-lost.ts';
import { recover } from '#server/features/recovery/recover.ts';
import { readingPayments } from '#server/gateways/payments/reading-payments.ts';
import { folderFiles } from '#server/gateways/pictures/picture-files.ts';
import { COMMAND_LOG, differenceLine, filledLines } from './backups/backup-lines.ts';
import { keepResult } from './backups/keep-result.ts';
import { withBackup } from './backups/named-backup.ts';
import { comparisonLines, providerDifferenceLine } from './provider/comparison-lines.ts';
import { type ProviderDeps, unavailableText, withProvider } from './provider/with-provider.ts';
import { printFailure, typed } from './usage.ts';

// npm run drill: restores the last backup (or a FILE) in a scratch folder, recovers what the payment provider has since,
// and verifies the books. The program may run meanwhile: its data, and the provider's, are only read.
const { positionals } = typed('drill', { allowPositionals: true });
const [named = 'latest'] = positionals;
const begun = performance.now();
const drilled: { backup: string; at: string | null; problems: string[] } = {
  // Empty until a named backup is found: a mistyped name does not count as a failed drill.
  backup: positionals.length === 0 ? named : '',
  at: null,
  problems: [],
};
let config: Config | undefined;
const scratch = await fs.mkdtemp(path.join(os.tmpdir(), 'fund-drill-'));
// Where root runs this, PostgreSQL runs as another user, who has to reach its folder inside.
await fs.chmod(scratch, 0o711);
try {
  config = readConfig();
  const own = { ...config, databaseUrl: undefined, migrateDatabaseUrl: undefined, dataDir: scratch, s3: undefined };
  const pictures = folderFiles(path.join(scratch, 'pictures'));
  const secret = config.backup?.secret;
  const filled = await withBackup(named, config, (file, address) => {
    drilled.backup = address;
    return fillDatabase(own, readBackupFile(file, secret), { pictures, log: COMMAND_LOG });
  });
  drilled.at = filled.begin.at;
  for (const line of filledLines(filled)) console.log(line);
  await copySandbox(config, scratch);
  drilled.problems.push(...filled.differences.map(differenceLine), ...(await withProvider(recoverAndVerify, own)));
  const count = drilled.problems.length;
  const seconds = secondsSince(begun);
  console.log(
    count === 0 ? `The drill succeeded, in ${seconds} s.` : `The drill found ${count} problems, in ${seconds} s.`,
  );
  if (count > 0) process.exitCode = 1;
} catch (error) {
  const failure = error instanceof Failure ? new Error(unavailableText(error)) : error;
  drilled.problems.push(failureText(failure));
  if (drilled.at !== null) console.error('The backup was restored. The payments since then could not be compared:');
  printFailure(failure);
} finally {
  await fs.rm(scratch, { recursive: true, force: true });
}
if (config && drilled.backup !== '') {
  const { backup, at: backupAt, problems } = drilled;
  const problem = problems.length === 0 ? null : problems.join(' ');
  const kept = await keepResult(config, { backup, backupAt, seconds: secondsSince(begun), problem });
  if (kept !== undefined) console.log(`Its result is not on the admin page: ${kept}`);
}

function secondsSince(time: number): number {
  return Math.round((performance.now() - time) / 1000);
}

/** @returns the problems */
async function recoverAndVerify(given: ProviderDeps): Promise<string[]> {
  const deps = { ...given, payments: readingPayments(given.payments) };
  const lost = await findLost(deps);
  if (lost instanceof Failure) throw lost;
  const { problems } = await recover({ ...deps, jobs: await deps.openJobs() }, lost);
  console.log(`Recovered: ${lost.pages.length} payment pages, ${lost.charges.length} other charges.`);
  const unrecovered = problems.map(({ id, problem }) => `${id} could not be recovered: ${problem}`);
  const differences = (await verifyLedger(deps.db)).map(differenceLine);
  for (const line of [...unrecovered, ...differences]) console.log(line);
  const compared = await compareWithProvider(deps);
  if (compared instanceof Failure) throw compared;
  for (const line of comparisonLines(compared, deps.livemode)) console.log(line);
  const provider = compared.differences.map((each) => providerDifferenceLine(each));
  return [...unrecovered, ...differences, ...provider];
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
