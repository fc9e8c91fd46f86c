import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isRestoreProven } from '#domain/backups.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/connection.ts';
import { schemaState } from '#server/db/migrate.ts';
import { newId } from '#server/db/new-id.ts';
import { openBackupPlace } from '#server/gateways/backup-places.ts';
import { type Check, type Checking, checkFileSteps, ok, warning } from '#server/gateways/check.ts';
import { commandLine } from '#server/program/program-file.ts';
import { checkFolder, checkRoom, thisUser } from './check-machine.ts';
import { drillFigures } from './operation.store.ts';

const PLACE = 'Backups';
const MAKING = 'Backups: schedule';
const DRILL = 'Backups: restore';
const BUCKET_ADVICE =
  'Compare BACKUP_TO, BACKUP_S3_… (or S3_… where these are not set) and the rights of the keys: write, read, list and delete.';

/**
 * Whether backups are made, their place can be written to, and one was restored to try it.
 * @param db undefined where it cannot be opened
 */
export function backupChecks(
  { backup, production }: Pick<Config, 'backup' | 'production'>,
  db: Database | undefined,
): Checking[] {
  if (!backup) {
    const none = 'none are made. Set BACKUP_TO and BACKUP_AT: docs/operations.md, Backup and restore.';
    return [{ subject: PLACE, run: async () => (production ? warning(PLACE, none) : ok(PLACE, none)) }];
  }
  const { to, at } = backup;
  const schedule =
    at === undefined
      ? warning(MAKING, `BACKUP_AT is not set: one is made only by “${commandLine('backup')}”.`)
      : ok(MAKING, 'one is made each day.');
  return [
    { subject: PLACE, run: () => checkPlace(to) },
    { subject: MAKING, run: async () => schedule },
    ...(db ? [{ subject: DRILL, run: () => checkDrill(db, new Date()) }] : []),
    ...('folder' in to ? [{ subject: PLACE, run: () => checkRoom('Disk: backups', to.folder) }] : []),
  ];
}

/** Writes a small file as a backup is written, reads it back and deletes it. */
export async function checkPlace(to: NonNullable<Config['backup']>['to']): Promise<Check> {
  // Making it here would make it this user's, and hide that the disk that should be there is not.
  if ('folder' in to && !(await isThere(to.folder)))
    return checkFolder(PLACE, to.folder, 'will be made for the first backup');
  const place = openBackupPlace(to);
  const name = `checked-${newId()}`;
  const scratch = await fs.mkdtemp(path.join(os.tmpdir(), 'fund-checked-'));
  let draft: string | undefined;
  const write = async () => {
    draft = await place.draftOf(name);
    await fs.writeFile(draft, name, { flag: 'wx' });
    await place.keep(draft, name);
  };
  const readBack = async () => {
    const file = path.join(scratch, name);
    await place.copyTo(name, file);
    const isSame = (await fs.readFile(file, 'utf8')) === name && (await place.list()).includes(name);
    if (!isSame) throw new Error('another file');
  };
  const undo = async () => {
    if (draft !== undefined) await place.drop(draft);
    await place.remove(name);
  };
  const advice =
    'folder' in to ? `${thisUser()} must be able to write and read in ${to.folder}: BACKUP_TO.` : BUCKET_ADVICE;
  try {
    return await checkFileSteps(
      PLACE,
      [
        ['written', write],
        ['read', readBack],
        ['deleted', () => place.remove(name)],
      ],
      { undo, advice },
    );
  } finally {
    await fs.rm(scratch, { recursive: true, force: true });
  }
}

async function checkDrill(db: Database, now: Date): Promise<Check> {
  const advice = `Run “${commandLine('drill')}” each month.`;
  // Another check reports pending migrations.
  if ((await schemaState(db)).pending.length > 0) return ok(DRILL, 'known after the migrations.');
  const { provenAt, backupAt, seconds, failedAt, problem } = await drillFigures(db.kysely);
  const day = (at: Date | null) => at?.toISOString().slice(0, 10) ?? '?';
  const proven =
    provenAt === null
      ? 'no restore was proven yet.'
      : `last proven restore: ${day(provenAt)}, of the backup of ${day(backupAt)}, in ${seconds} s.`;
  if (failedAt !== null) return warning(DRILL, `the drill of ${day(failedAt)} failed: ${problem} Of others: ${proven}`);
  return isRestoreProven(provenAt, now) ? ok(DRILL, proven) : warning(DRILL, `${proven} ${advice}`);
}

function isThere(folder: string): Promise<boolean> {
  return fs.stat(folder).then(
    () => true,
    () => false,
  );
}
