import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { hasRecentDrill } from '#domain/backups.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/connection.ts';
import { readSchemaState } from '#server/db/migrate.ts';
import { newId } from '#server/db/new-id.ts';
import { openBackupStorage } from '#server/gateways/backup-storage.ts';
import { type CheckDefinition, checkFileSteps, ok, type SettingCheck, warning } from '#server/gateways/check.ts';
import { formatCommandLine } from '#server/process/app-path.ts';
import { checkDiskSpace, checkFolder, getCurrentUserName } from './check-machine.ts';
import { readDrillFigures } from './operation.store.ts';

const BACKUPS_SUBJECT = 'Backups';
const DRILL_SUBJECT = 'Backups: restore';
const BUCKET_ADVICE =
  'Check the address, key, region, and endpoint in BACKUP_TO, and the permissions of the key: write, read, list, and delete.';

/**
 * Creates checks that backups are set up, that the backup folder or bucket is writable, and that a restore has been tested.
 * @param db undefined if the database can't be opened
 */
export function createBackupChecks(
  { backup, production }: Pick<Config, 'backup' | 'production'>,
  db: Database | undefined,
): CheckDefinition[] {
  if (!backup) {
    const check = production
      ? warning(BACKUPS_SUBJECT, 'backups are not set up. Set BACKUP_TO: docs/recovery.md.')
      : ok(BACKUPS_SUBJECT, 'none, and none are needed outside production.');
    return [{ subject: BACKUPS_SUBJECT, run: async () => check }];
  }
  const { to } = backup;
  return [
    { subject: BACKUPS_SUBJECT, run: () => checkBackupStorage(to) },
    ...(db ? [{ subject: DRILL_SUBJECT, run: () => checkDrill(db, new Date()) }] : []),
    ...('folder' in to ? [{ subject: BACKUPS_SUBJECT, run: () => checkDiskSpace('Disk: backups', to.folder) }] : []),
  ];
}

/** Writes a small file in the same way as a backup, reads it back, and deletes it. */
export async function checkBackupStorage(to: NonNullable<Config['backup']>['to']): Promise<SettingCheck> {
  // Don't create a missing folder: it would belong to the current user, and would hide an unmounted disk.
  if ('folder' in to && !(await folderExists(to.folder)))
    return checkFolder(BACKUPS_SUBJECT, to.folder, 'will be created by the first backup');
  const storage = openBackupStorage(to);
  const name = `checked-${newId()}`;
  const scratchFolder = await fs.mkdtemp(path.join(os.tmpdir(), 'fund-checked-'));
  let draftPath: string | undefined;
  const write = async () => {
    draftPath = await storage.createDraftPath(name);
    await fs.writeFile(draftPath, name, { flag: 'wx' });
    await storage.storeDraft(draftPath, name);
  };
  const readBack = async () => {
    const file = path.join(scratchFolder, name);
    await storage.copyTo(name, file);
    const isIdentical = (await fs.readFile(file, 'utf8')) === name && (await storage.list()).includes(name);
    if (!isIdentical) throw new Error('different content');
  };
  const undo = async () => {
    if (draftPath !== undefined) await storage.discardDraft(draftPath);
    await storage.remove(name);
  };
  const advice =
    'folder' in to ? `Give ${getCurrentUserName()} read and write access to ${to.folder} (BACKUP_TO).` : BUCKET_ADVICE;
  try {
    return await checkFileSteps(
      BACKUPS_SUBJECT,
      [
        ['written', write],
        ['read', readBack],
        ['deleted', () => storage.remove(name)],
      ],
      { undo, advice },
    );
  } finally {
    await fs.rm(scratchFolder, { recursive: true, force: true });
  }
}

async function checkDrill(db: Database, now: Date): Promise<SettingCheck> {
  const advice = `Run “${formatCommandLine('drill')}” each month.`;
  // Another check reports pending migrations.
  if ((await readSchemaState(db)).pending.length > 0)
    return ok(DRILL_SUBJECT, 'can be checked once migrations have run.');
  const { succeededAt, backupAt, seconds, failedAt, problem } = await readDrillFigures(db.kysely);
  const formatDay = (time: Date | null) => time?.toISOString().slice(0, 10) ?? '?';
  const lastSuccess =
    succeededAt === null
      ? 'no restore has been tested yet.'
      : `last successful drill: ${formatDay(succeededAt)}, ${backupAt === null ? '' : `with the backup of ${formatDay(backupAt)}, `}in ${seconds} s.`;
  if (failedAt !== null)
    return warning(DRILL_SUBJECT, `the drill of ${formatDay(failedAt)} failed: ${problem} Before that: ${lastSuccess}`);
  return hasRecentDrill(succeededAt, now)
    ? ok(DRILL_SUBJECT, lastSuccess)
    : warning(DRILL_SUBJECT, `${lastSuccess} ${advice}`);
}

function folderExists(folder: string): Promise<boolean> {
  return fs.stat(folder).then(
    () => true,
    () => false,
  );
}
