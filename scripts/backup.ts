import { parseBackupTime } from '#domain/backups.ts';
import { type Config, ConfigError, readConfig } from '#server/config.ts';
import { openExisting } from '#server/db/open-migrated.ts';
import { makeBackup } from '#server/features/backups/make-backup.ts';
import { createBackupDeps } from '#server/features/backups/open-backups.ts';
import { openBackupStorage } from '#server/gateways/backup-storage.ts';
import { COMMAND_LOG } from './command-log.ts';
import { parseCommand, printFailure } from './usage.ts';

// npm run backup: makes a backup, even while the server is running. With --list, lists the existing backups.
try {
  const { values } = parseCommand('backup', { options: { list: { type: 'boolean' } } });
  const config = readConfig();
  if (!config.backup)
    throw new ConfigError('Set BACKUP_TO to a folder or a bucket (s3://bucket/prefix): see docs/recovery.md, Backups.');
  if (values.list) await listBackups(config.backup);
  else await backUp(config);
} catch (error) {
  printFailure(error);
}

async function listBackups({ to }: NonNullable<Config['backup']>): Promise<void> {
  const storage = openBackupStorage(to);
  const names = (await storage.list()).filter((name) => parseBackupTime(name)).toSorted();
  for (const name of names) console.log(storage.getAddress(name));
  if (names.length === 0) console.log('No backups yet.');
}

async function backUp(config: Config): Promise<void> {
  // Doesn't run migrations, since backups are also made before updates.
  const db = await openExisting(config, COMMAND_LOG);
  try {
    const deps = createBackupDeps(config, db, () => new Date(), { ...COMMAND_LOG, error: () => {} });
    if (!deps) throw new Error('BACKUP_TO is not set.');
    const { file, bytes, removedCount } = await makeBackup(deps);
    console.log(`${file}  ${bytes} bytes`);
    if (removedCount > 0) console.log(`Old backups removed: ${removedCount}`);
  } finally {
    await db.close();
  }
}
