import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '#server/config.ts';
import { clearDatabase, hasData } from '#server/db/clear-database.ts';
import { type Database, openDatabase } from '#server/db/connection.ts';
import { databaseName, embeddedFolder } from '#server/db/data-folder.ts';
import { refuseRunning } from '#server/db/embedded-server.ts';
import { lastMigrationOf, migrate, schemaState } from '#server/db/migrate.ts';
import { openMigrated } from '#server/db/open-migrated.ts';
import { type Difference, verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import type { PictureFiles } from '#server/gateways/pictures/picture-files.ts';
import type { Job } from '#server/jobs/define-job.ts';
import { openQueues } from '#server/jobs/queues.ts';
import type { Log } from '#server/log.ts';
import type { BackupRecord, Beginning, Ending } from './backup-record.ts';
import { CopyDiffers, endLogins, writeDatabase } from './database-copy.store.ts';

/** A database to be filled; it is created where it is missing. */
export type Target = Pick<Config, 'databaseUrl' | 'migrateDatabaseUrl' | 'dataDir'> & {
  /** What names its server, for messages, where it is no setting. */
  readonly namedBy?: string;
};

export type Filled = {
  readonly begin: Beginning;
  readonly end: Ending;
  /** Those that it did not have yet. */
  readonly migrated: readonly string[];
  readonly differences: readonly Difference[];
  /** Where that is now which it replaced: a folder, or schemas of the server. */
  readonly aside: readonly string[];
};

/** A database that is in use is not written over. The message is for the operator. */
export class TargetNotEmpty extends Error {
  override readonly name = 'TargetNotEmpty';
  constructor(target: Target) {
    super(`There is a fund in this database already (${databaseName(target)}). Name an empty one.`);
  }
}

type Options = {
  /** What is there is moved aside. By default it is refused. */
  readonly replace?: boolean;
  /** Where pictures go. */
  readonly pictures: PictureFiles;
  readonly log: Log;
  /** Waiting jobs of the copy are restored if they're in this list. */
  readonly jobs: readonly Job<object, never>[];
};

/**
 * Fills a database from a backup or another database: all of it or nothing, and compared with what was read. It then has
 * the migrations of this version, and its books are verified.
 * @throws TargetNotEmpty, CopyDiffers, BackupUnreadable, FolderInUseError
 */
export async function fillDatabase(
  target: Target,
  records: AsyncGenerator<BackupRecord, unknown>,
  options: Options,
): Promise<Filled> {
  try {
    return await (target.databaseUrl === undefined
      ? fillFolder(target, records, options)
      : fillServer(target, records, options));
  } finally {
    // Lets go of what it reads.
    await records.return(undefined);
  }
}

/** Fills a new folder, which takes the place of the old one once it is complete. */
async function fillFolder(target: Target, records: AsyncGenerator<BackupRecord>, options: Options): Promise<Filled> {
  const { log } = options;
  const { dataDir } = target;
  const folder = embeddedFolder(dataDir);
  await refuseRunning(dataDir);
  if (!options.replace && (await hasDatabase(dataDir, log))) throw new TargetNotEmpty(target);
  const draft = path.join(dataDir, 'restoring');
  await fs.rm(draft, { recursive: true, force: true });
  let filled: Filled;
  try {
    await makeDraft(draft, dataDir);
    const db = await openDatabase({ dataDir: draft, log });
    try {
      filled = await fill(db, records, options);
      const migrated = await migrate(db);
      filled = { ...filled, migrated, differences: await verifyLedger(db) };
      await endLogins(db);
    } finally {
      await db.close();
    }
    await refuseRunning(dataDir);
    const aside = `${folder}.before-${new Date().toISOString().replaceAll(/[-:.]/g, '')}`;
    const isMoved = await fs.rename(folder, aside).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        return false;
      },
    );
    await fs.rename(embeddedFolder(draft), folder);
    return { ...filled, aside: isMoved ? [aside] : [] };
  } finally {
    await fs.rm(draft, { recursive: true, force: true });
  }
}

/** Makes a folder with the owner and mode of the data folder, so the restored files belong to the same user. */
async function makeDraft(draft: string, dataDir: string): Promise<void> {
  await fs.mkdir(draft, { recursive: true, mode: 0o700 });
  const { uid, gid, mode } = await fs.stat(dataDir);
  if (process.getuid?.() === 0) await fs.chown(draft, uid, gid);
  await fs.chmod(draft, mode);
}

async function hasDatabase(dataDir: string, log: Log): Promise<boolean> {
  if (!existsSync(embeddedFolder(dataDir))) return false;
  const db = await openDatabase({ dataDir, log });
  try {
    return await hasData(db);
  } finally {
    await db.close();
  }
}

async function fillServer(target: Target, records: AsyncGenerator<BackupRecord>, options: Options): Promise<Filled> {
  const { databaseUrl, migrateDatabaseUrl, namedBy = 'DATABASE_URL' } = target;
  const { log } = options;
  const setting = migrateDatabaseUrl === undefined ? namedBy : 'MIGRATE_DATABASE_URL';
  const owner = await openDatabase({ databaseUrl: migrateDatabaseUrl ?? databaseUrl, setting, dataDir: '', log });
  let filled: Filled;
  let aside: readonly string[] = [];
  try {
    if (!options.replace && (await hasData(owner))) throw new TargetNotEmpty(target);
    if (!(await schemaState(owner)).isEmpty) aside = await clearDatabase(owner, options.replace === true);
    filled = await fill(owner, records, options);
  } finally {
    await owner.close();
  }
  // As at a start: the owner migrates, and grants the program's role what it needs.
  const { db, migrations } = await openMigrated(target, log);
  try {
    const differences = await verifyLedger(db);
    await endLogins(db);
    return { ...filled, migrated: migrations, differences, aside };
  } finally {
    await db.close();
  }
}

async function fill(
  db: Database,
  records: AsyncGenerator<BackupRecord>,
  { pictures, log, jobs }: Options,
): Promise<Filled> {
  const first = await records.next();
  if (first.done || !('begin' in first.value)) throw new CopyDiffers('The copy has no beginning.');
  const { begin } = first.value;
  await migrate(db, { to: await lastMigrationOf(begin.migrations) });
  const queues = await openQueues(db, log, jobs);
  let end: Ending | undefined;
  try {
    const rest = noting(records, (record) => {
      if ('end' in record) end = record.end;
    });
    await writeDatabase(db, queues, rest, (file, content) => putPicture(pictures, file, content));
  } finally {
    await queues.stop();
  }
  if (!end) throw new CopyDiffers('The copy has no end.');
  return { begin, end, migrated: [], differences: [], aside: [] };
}

async function* noting(
  records: AsyncGenerator<BackupRecord>,
  note: (record: BackupRecord) => void,
): AsyncGenerator<BackupRecord> {
  for await (const record of records) {
    note(record);
    yield record;
  }
}

/** Their names are the program's own, but a file can come from anywhere. */
const PICTURE = /^[\w-]+(?:\/[\w-]+)*\.\w+$/;

async function putPicture(pictures: PictureFiles, file: string, content: Buffer): Promise<void> {
  if (!PICTURE.test(file)) throw new CopyDiffers('It has a file whose name is none of a picture.');
  await pictures.put(file, content);
}
