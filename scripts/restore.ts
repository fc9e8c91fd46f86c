import { QUEUED_JOBS } from '#server/background-jobs.ts';
import { readConfig } from '#server/config.ts';
import { DatabaseInUseError } from '#server/db/clear-database.ts';
import { describeDatabase } from '#server/db/data-folder.ts';
import { openExisting } from '#server/db/open-migrated.ts';
import { readBackupFile } from '#server/features/backups/backup-file.ts';
import { restoreIntoDatabase, TargetNotEmptyError } from '#server/features/backups/restore-backup.ts';
import { openPictureFiles } from '#server/gateways/pictures/picture-files.ts';
import { adoptPictureFolder, getPictureFolder } from '#server/gateways/pictures/picture-folder.ts';
import { formatRestoreSummary } from './backups/format-restore.ts';
import { withBackup } from './backups/with-backup.ts';
import { COMMAND_LOG } from './command-log.ts';
import { formatUsage, getUsage, parseCommand, printFailure } from './usage.ts';

const NEXT_STEPS = formatUsage([
  ['recover', 'lists these gifts'],
  [
    'recover --write --last-receipt NUMBER',
    'recovers the gifts; NUMBER is the highest receipt number that was mailed or printed',
  ],
  ['verify-ledger --provider', 'must find no differences'],
]);

// npm run restore: restores a backup (docs/recovery.md).
try {
  const { values, positionals } = parseCommand('restore', {
    options: { replace: { type: 'boolean' }, stopped: { type: 'boolean' }, unencrypted: { type: 'boolean' } },
    allowPositionals: true,
  });
  const [backupName, ...extraArguments] = positionals;
  if (backupName === undefined || extraArguments.length > 0) throw new Error(getUsage('restore'));
  const config = readConfig();
  const pictures = openPictureFiles({ folder: getPictureFolder(config.dataDir), s3: config.s3 });
  const acceptsUnencrypted = values.unencrypted === true;
  const options = {
    replace: values.replace === true,
    isStopped: values.stopped === true,
    pictures,
    log: COMMAND_LOG,
    jobs: QUEUED_JOBS,
  };
  const report = await withBackup(backupName, config, (file) =>
    restoreIntoDatabase(config, readBackupFile(file, config.backup?.secret, { acceptsUnencrypted }), options),
  );
  if (!config.s3) {
    const db = await openExisting(config, COMMAND_LOG);
    try {
      await adoptPictureFolder(db, getPictureFolder(config.dataDir));
    } finally {
      await db.close();
    }
  }
  for (const line of formatRestoreSummary(report)) console.log(line);
  console.log(`Restored into: ${describeDatabase(config)}.`);
  if (report.replacedData.length > 0) console.log(`The replaced data is in: ${report.replacedData.join(', ')}.`);
  console.log('Gifts made since the backup exist only at the payment provider. Before you start the program:');
  console.log(NEXT_STEPS.replaceAll(/^/gm, '  '));
  if (report.differences.length > 0) process.exitCode = 1;
} catch (error) {
  printFailure(error);
  if (error instanceof TargetNotEmptyError) console.error('To move the existing data aside, add --replace.');
  if (error instanceof DatabaseInUseError)
    console.error('If the connection is left over from a machine that is gone for good, add --stopped.');
}
