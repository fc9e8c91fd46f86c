import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Kysely, sql, type Transaction } from 'kysely';
import { formatCommandLine } from '#server/process/app-path.ts';
import { INSUFFICIENT_PRIVILEGE } from './app-role.ts';
import type { Database } from './connection.ts';
import { hasCode } from './error-codes.ts';
import { withLongTimeout } from './limits.ts';
import type { Tables } from './tables.ts';
import { inTransaction } from './transaction.ts';

const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** A migration as recorded in databases and backups. */
export type AppliedMigration = {
  readonly name: string;
  /** SHA-256 of the file's text, in hex. */
  readonly fingerprint: string;
};
type Migration = AppliedMigration & { readonly text: string };

export type MigrateOptions = {
  readonly folder?: string;
  /** Name of the last migration to apply; all by default. */
  readonly to?: string | undefined;
  /** How long a migration waits for a lock. All other work on the table queues up behind it. */
  readonly lockMs?: number;
  readonly maxAttempts?: number;
};

/** Thrown if the schema can't be upgraded to this version. The message is for the operator. */
export class IncompatibleSchemaError extends Error {
  override readonly name = 'IncompatibleSchemaError';
}

/** @param subject owner of the schema, such as "This database" */
function createPreReleaseError(subject: string, remedy: string): IncompatibleSchemaError {
  return new IncompatibleSchemaError(
    `${subject} was made by a pre-release version of the program and can't be upgraded. ${remedy}, or run the version that made it.`,
  );
}

/**
 * Applies all pending migrations in one transaction. If several processes call it, one migrates and the others wait.
 * Migrations from later versions stay in place, because each is compatible with the previous version.
 *
 * @returns the names of the applied migrations
 * @throws IncompatibleSchemaError
 * @throws Error with a message for the operator, which names the connection that holds a required lock
 */
export async function migrate(
  db: Database,
  { folder = MIGRATIONS_FOLDER, to, lockMs = 3000, maxAttempts = 5 }: MigrateOptions = {},
): Promise<string[]> {
  const allMigrations = await readMigrations(folder);
  const selectedMigrations = to === undefined ? allMigrations : allMigrations.filter(({ name }) => name <= to);
  for (let attempt = 1; ; attempt += 1) {
    if (findPending(selectedMigrations, await readAppliedMigrations(db.kysely)).length === 0) return [];
    const lockWait = watchLockWait(db, lockMs);
    const result = await migrateOnce(db, selectedMigrations, lockMs, lockWait.begin).finally(lockWait.stop);
    if (Array.isArray(result)) return result;
    if (attempt === maxAttempts) throw new Error(formatLockedMessage(result, lockWait.holders(), attempt));
    await pause((attempt * lockMs) / 3);
  }
}

/** Records which connection holds the lock that the migration is waiting for. */
function watchLockWait(db: Database, lockMs: number) {
  let pid: number | undefined;
  let holders: readonly string[] = [];
  const readHolders = async () => {
    const { rows } = await sql<{ holder: string }>`
      select format('process %s (%s) of %s, %s since %s', holder.pid, holder.usename,
        coalesce(nullif(holder.application_name, ''), 'an unnamed program'), holder.state,
        to_char(coalesce(holder.xact_start, holder.query_start), 'HH24:MI:SS TZ')) as holder
      from unnest(pg_blocking_pids(${pid})) blocking (pid) join pg_stat_activity holder using (pid)`.execute(db.kysely);
    if (rows.length > 0) holders = rows.map((row) => row.holder);
  };
  const timer = setInterval(() => {
    if (pid !== undefined) void readHolders().catch(() => {});
  }, lockMs / 3);
  return {
    begin: (backendPid: number) => {
      pid = backendPid;
    },
    holders: () => holders,
    stop: () => clearInterval(timer),
  };
}

function formatLockedMessage({ lockedMigration }: LockedMigration, holders: readonly string[], count: number): string {
  const holderText = holders.length === 0 ? 'another connection' : holders.join('; ');
  return (
    `The migration ${lockedMigration} needs a lock that ${holderText} holds. It failed ${count} times, and nothing was changed. ` +
    'End that work, or the connection with `select pg_terminate_backend(…)`, and migrate again.'
  );
}

type LockedMigration = { readonly lockedMigration: string };

async function migrateOnce(
  db: Database,
  migrations: readonly Migration[],
  lockMs: number,
  onBegin: (pid: number) => void,
): Promise<string[] | LockedMigration> {
  let currentMigration: string | undefined;
  try {
    return await withLongTimeout(() =>
      inTransaction(db, async (tx) => {
        const pending = await lockPending(tx, migrations);
        onBegin(await limitLockWaits(tx, lockMs));
        for (const { name, fingerprint, text } of pending) {
          currentMigration = name;
          await sql.raw(text).execute(tx);
          await sql`insert into public.migrations (name, fingerprint) values (${name}, ${fingerprint})`.execute(tx);
        }
        return pending.map(({ name }) => name);
      }),
    );
  } catch (cause) {
    if (cause instanceof IncompatibleSchemaError) throw cause;
    if (currentMigration !== undefined && hasCode(cause, LOCK_NOT_AVAILABLE))
      return { lockedMigration: currentMigration };
    if (hasCode(cause, INSUFFICIENT_PRIVILEGE))
      throw new Error(
        `The database must be migrated by its owner: run “${formatCommandLine('migrate')}” with MIGRATE_DATABASE_URL (docs/money.md, Create a database role).`,
        { cause },
      );
    throw new Error(
      currentMigration ? `The migration ${currentMigration} failed.` : 'The database could not be migrated.',
      { cause },
    );
  }
}

const LOCK_NOT_AVAILABLE = '55P03';

/** Locks the migrations against other processes. @returns the pending migrations */
async function lockPending(tx: Transaction<Tables>, migrations: readonly Migration[]): Promise<readonly Migration[]> {
  // Another process's migration may take minutes.
  await sql`set local lock_timeout = 0`.execute(tx);
  await sql`select pg_advisory_xact_lock(hashtextextended('migrations', 0))`.execute(tx);
  // Create the table before reading it: before it got the lock, this connection may have cached that the table doesn't
  // exist.
  await sql`
    create table if not exists public.migrations (
      name text primary key,
      fingerprint text not null,
      applied_at timestamptz(3) not null default now()
    )`.execute(tx);
  return findPending(migrations, await readAppliedMigrations(tx));
}

/** @returns the process id of the transaction's connection */
async function limitLockWaits(tx: Transaction<Tables>, lockMs: number): Promise<number> {
  const { rows } = await sql<{ pid: number }>`
    select pg_backend_pid() as pid, set_config('lock_timeout', ${String(lockMs)}, true)`.execute(tx);
  return rows[0]?.pid ?? 0;
}

/** Sorted by name. */
async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await fs.readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => {
      // Git may check the file out with Windows line endings.
      const text = (await fs.readFile(path.join(folder, file), 'utf8')).replaceAll('\r\n', '\n');
      const fingerprint = createHash('sha256').update(text).digest('hex');
      return { name: path.basename(file, '.sql'), fingerprint, text };
    }),
  );
}

/** @throws IncompatibleSchemaError unless one list is a prefix of the other */
function findPending(available: readonly Migration[], applied: readonly AppliedMigration[]): readonly Migration[] {
  const pending = available.filter(({ name }) => applied.every((migration) => migration.name !== name));
  if (!isPrefix(available, applied)) throw createPreReleaseError('This database', 'Use an empty database');
  return pending;
}

/** @returns whether one list of migrations begins with the other */
function isPrefix(available: readonly AppliedMigration[], applied: readonly AppliedMigration[]): boolean {
  return applied.every(({ name, fingerprint }, index) => {
    const migration = available[index];
    return migration === undefined || (migration.name === name && migration.fingerprint === fingerprint);
  });
}

/**
 * Finds the last migration of a backup. A restore migrates an empty database up to that migration before filling it.
 *
 * @throws IncompatibleSchemaError
 */
export async function findLastMigration(
  backup: readonly AppliedMigration[],
  folder: string = MIGRATIONS_FOLDER,
): Promise<string | undefined> {
  const available = await readMigrations(folder);
  if (!isPrefix(available, backup)) throw createPreReleaseError('This backup', 'Use a backup made by a release');
  const unknownMigration = backup[available.length];
  if (unknownMigration)
    throw new IncompatibleSchemaError(
      `This backup was made by a later version of the program (migration ${unknownMigration.name}). Restore it with that version.`,
    );
  return backup.at(-1)?.name;
}

export type SchemaState = {
  /** True if no migration has been applied yet. */
  readonly isEmpty: boolean;
  /** This version's migrations that the database lacks. */
  readonly pending: readonly string[];
};

/** @throws IncompatibleSchemaError */
export async function readSchemaState({ kysely }: Database): Promise<SchemaState> {
  const applied = await readAppliedMigrations(kysely);
  const pending = findPending(await readMigrations(MIGRATIONS_FOLDER), applied).map(({ name }) => name);
  return { isEmpty: applied.length === 0, pending };
}

/** Sorted by name. @throws IncompatibleSchemaError for a database from before the migrations table */
async function readAppliedMigrations(db: Kysely<Tables>): Promise<AppliedMigration[]> {
  const { rows } = await sql<{ has_migrations: boolean; is_pre_release: boolean }>`
    select to_regclass('public.migrations') is not null as has_migrations,
      to_regclass('public.kysely_migration') is not null as is_pre_release`.execute(db);
  if (rows[0]?.is_pre_release) throw createPreReleaseError('This database', 'Use an empty database');
  if (!rows[0]?.has_migrations) return [];
  const applied = await sql<AppliedMigration>`select name, fingerprint from public.migrations order by name`.execute(
    db,
  );
  return applied.rows;
}
