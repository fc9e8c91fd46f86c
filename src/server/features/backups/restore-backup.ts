import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '#server/config.ts';
import { clearDatabase, hasData, requireDisconnected, returnSchemas } from '#server/db/clear-database.ts';
import { type Database, openDatabase } from '#server/db/connection.ts';
import { describeDatabase, getEmbeddedFolder } from '#server/db/data-folder.ts';
import { findLastMigration, migrate, readSchemaState } from '#server/db/migrate.ts';
import { openAndMigrate } from '#server/db/open-migrated.ts';
import { requireStopped } from '#server/db/running-server.ts';
import { type Difference, verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import type { PictureFiles } from '#server/gateways/pictures/picture-files.ts';
import type { Job } from '#server/jobs/define-job.ts';
import { openQueues } from '#server/jobs/queues.ts';
import type { Log } from '#server/log.ts';
import type { BackupHeader, BackupManifest, BackupRecord } from './backup-record.ts';
import { CopyError, endLogins, writeDatabase } from './database-copy.store.ts';

/** The database to restore into. It is created if it doesn't exist. */
export type RestoreTarget = Pick<Config, 'databaseUrl' | 'migrateDatabaseUrl' | 'dataDir'> &
  Partial<Pick<Config, 'databaseListenUrl'>>;

export type RestoreResult = {
  readonly header: BackupHeader;
  readonly manifest: BackupManifest;
  /** Names of the migrations that the backup didn't have. */
  readonly newMigrations: readonly string[];
  readonly differences: readonly Difference[];
  /** New location of the replaced data: a folder or database schemas. */
  readonly replacedData: readonly string[];
};

/** Thrown if the target database contains data, which must not be overwritten. The message is for the operator. */
export class TargetNotEmptyError extends Error {
  override readonly name = 'TargetNotEmptyError';
  constructor(target: RestoreTarget) {
    super(`This database already contains a fund (${describeDatabase(target)}). Use an empty database.`);
  }
}

type Folders = { readonly folder: string; readonly oldFolder: string; readonly restoredFolder: string };

/**
 * Thrown if neither the restored nor the old folder could be moved to the database's path. The message is for the
 * operator.
 */
export class MisplacedFoldersError extends Error {
  override readonly name = 'MisplacedFoldersError';
  constructor({ folder, oldFolder, restoredFolder }: Folders, cause: unknown) {
    super(
      `${folder} is missing. Move one of these folders there: ${restoredFolder} (restored) or ${oldFolder} (replaced).`,
      { cause },
    );
  }
}

/** Thrown if a restore failed and the replaced schemas couldn't be renamed back. The message is for the operator. */
export class MisplacedSchemasError extends Error {
  override readonly name = 'MisplacedSchemasError';
  constructor(schemas: readonly string[], cause: unknown) {
    super(`The replaced data is in the schemas ${schemas.join(' and ')}. Rename them to undo the failed restore.`, {
      cause,
    });
  }
}

type Options = {
  /** If true, moves existing data to another folder or schema. By default, existing data is an error. */
  readonly replace?: boolean;
  /** If true, ignores connections of the program to a server, which a lost machine can leave behind. */
  readonly isStopped?: boolean;
  /** Destination for the pictures. */
  readonly pictures: PictureFiles;
  readonly log: Log;
  /** Kinds of jobs to restore. */
  readonly jobs: readonly Job<object, never>[];
};

/**
 * Fills a database from a backup or another database, compares the two, migrates it to this version, and verifies the
 * ledger.
 * @throws TargetNotEmptyError, MisplacedFoldersError, MisplacedSchemasError, CopyError, UnreadableBackupError,
 * FolderInUseError, DatabaseInUseError
 */
export async function restoreIntoDatabase(
  target: RestoreTarget,
  records: AsyncGenerator<BackupRecord, unknown>,
  options: Options,
): Promise<RestoreResult> {
  try {
    const source = await openSource(records);
    return await (target.databaseUrl === undefined
      ? restoreIntoFolder(target, source, options)
      : restoreIntoServer(target, source, options));
  } finally {
    // Closes the backup file, or the connection to the other database.
    await records.return(undefined);
  }
}

type Source = {
  readonly header: BackupHeader;
  readonly lastMigration: string | undefined;
  /** The records after the header. */
  readonly records: AsyncGenerator<BackupRecord>;
};

/** Checks that a backup can be read and restored by this version. */
async function openSource(records: AsyncGenerator<BackupRecord>): Promise<Source> {
  const first = await records.next();
  if (first.done || !('begin' in first.value)) throw new CopyError('The copy has no header.');
  const header = first.value.begin;
  return { header, lastMigration: await findLastMigration(header.migrations), records };
}

/** Fills a new folder, then replaces the old folder with it. */
async function restoreIntoFolder(target: RestoreTarget, source: Source, options: Options): Promise<RestoreResult> {
  const { log } = options;
  const { dataDir } = target;
  const folder = getEmbeddedFolder(dataDir);
  await requireStopped(dataDir);
  if (!options.replace && (await hasDatabase(dataDir, log))) throw new TargetNotEmptyError(target);
  const draft = path.join(dataDir, 'restoring');
  const removeDraft = () => fs.rm(draft, { recursive: true, force: true });
  await removeDraft();
  let result: RestoreResult;
  try {
    await makeDraft(draft, dataDir);
    const db = await openDatabase({ dataDir: draft, log });
    try {
      result = await writeRecords(db, source, options);
      const newMigrations = await migrate(db);
      result = { ...result, newMigrations, differences: await verifyLedger(db) };
      await endLogins(db);
    } finally {
      await db.close();
    }
    await requireStopped(dataDir);
    const oldFolder = await replaceFolder(folder, getEmbeddedFolder(draft));
    await removeDraft();
    return { ...result, replacedData: oldFolder === undefined ? [] : [oldFolder] };
  } catch (error) {
    if (!(error instanceof MisplacedFoldersError)) await removeDraft();
    throw error;
  }
}

/**
 * Replaces a folder with a restored one, and keeps the old folder under another name. If that fails, moves the old
 * folder back.
 * @returns the new location of the old folder, if there was one
 * @throws MisplacedFoldersError if the old folder can't be moved back
 */
export async function replaceFolder(folder: string, restoredFolder: string): Promise<string | undefined> {
  const oldFolder = `${folder}.before-${new Date().toISOString().replaceAll(/[-:.]/g, '')}`;
  const isMoved = await fs.rename(folder, oldFolder).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return false;
    },
  );
  await fs.rename(restoredFolder, folder).catch(async (error: unknown) => {
    if (isMoved)
      await fs.rename(oldFolder, folder).catch(() => {
        throw new MisplacedFoldersError({ folder, oldFolder, restoredFolder }, error);
      });
    throw error;
  });
  return isMoved ? oldFolder : undefined;
}

/** Makes a folder with the owner and mode of the data folder, so the restored files belong to the same user. */
async function makeDraft(draft: string, dataDir: string): Promise<void> {
  await fs.mkdir(draft, { recursive: true, mode: 0o700 });
  const { uid, gid, mode } = await fs.stat(dataDir);
  if (process.getuid?.() === 0) await fs.chown(draft, uid, gid);
  await fs.chmod(draft, mode);
}

async function hasDatabase(dataDir: string, log: Log): Promise<boolean> {
  if (!existsSync(getEmbeddedFolder(dataDir))) return false;
  const db = await openDatabase({ dataDir, log });
  try {
    return await hasData(db);
  } finally {
    await db.close();
  }
}

/** Fills the schemas of a database. If that fails, puts the replaced schemas back. */
async function restoreIntoServer(target: RestoreTarget, source: Source, options: Options): Promise<RestoreResult> {
  const { migrateDatabaseUrl, databaseListenUrl, databaseUrl } = target;
  const { log } = options;
  const setting = migrateDatabaseUrl === undefined ? 'DATABASE_URL' : 'MIGRATE_DATABASE_URL';
  const ownerUrl = migrateDatabaseUrl ?? databaseListenUrl ?? databaseUrl;
  const owner = await openDatabase({ databaseUrl: ownerUrl, setting, dataDir: '', log });
  try {
    if (!options.isStopped) await requireDisconnected(owner);
    if (!options.replace && (await hasData(owner))) throw new TargetNotEmptyError(target);
    const { isEmpty } = await readSchemaState(owner);
    const replacedData = isEmpty ? [] : await clearDatabase(owner, options.replace === true);
    try {
      const result = await writeRecords(owner, source, options);
      return { ...result, ...(await migrateAndVerify(target, log)), replacedData };
    } catch (error) {
      await returnSchemas(owner, replacedData).catch(() => {
        throw new MisplacedSchemasError(replacedData, error);
      });
      throw error;
    }
  } finally {
    await owner.close();
  }
}

/**
 * Migrates the database the same way as at startup: the owner role runs the migrations and grants permissions to the
 * program's role.
 */
async function migrateAndVerify(
  target: RestoreTarget,
  log: Log,
): Promise<Pick<RestoreResult, 'newMigrations' | 'differences'>> {
  const { db, migrations } = await openAndMigrate(target, log);
  try {
    const differences = await verifyLedger(db);
    await endLogins(db);
    return { newMigrations: migrations, differences };
  } finally {
    await db.close();
  }
}

async function writeRecords(
  db: Database,
  { header, lastMigration, records }: Source,
  { pictures, log, jobs }: Options,
): Promise<RestoreResult> {
  await migrate(db, { to: lastMigration });
  const queues = await openQueues(db, log, jobs);
  let manifest: BackupManifest | undefined;
  try {
    const remainingRecords = observeRecords(records, (record) => {
      if ('end' in record) manifest = record.end;
    });
    await writeDatabase(db, queues, remainingRecords, (file, content) => savePicture(pictures, file, content));
  } finally {
    await queues.stop();
  }
  if (!manifest) throw new CopyError('The copy has no manifest.');
  return { header, manifest, newMigrations: [], differences: [], replacedData: [] };
}

async function* observeRecords(
  records: AsyncGenerator<BackupRecord>,
  callback: (record: BackupRecord) => void,
): AsyncGenerator<BackupRecord> {
  for await (const record of records) {
    callback(record);
    yield record;
  }
}

/** The program's own names for pictures. Anyone could have made the backup file, so other names are rejected. */
const PICTURE_NAME = /^[\w-]+(?:\/[\w-]+)*\.\w+$/;

async function savePicture(pictures: PictureFiles, file: string, content: Buffer): Promise<void> {
  if (!PICTURE_NAME.test(file)) throw new CopyError('The copy contains a file that isn’t named like a picture.');
  await pictures.put(file, content);
}
