import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { FileMigrationProvider, type Migration, type MigrationProvider, Migrator } from 'kysely/migration';
import { commandLine } from '#server/program-file.ts';
import { INSUFFICIENT_PRIVILEGE } from './app-role.ts';
import type { Database } from './connection.ts';
import { takingLong } from './limits.ts';
import { hasCode } from './transaction.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));

export type MigrateOptions = {
  readonly folder?: string;
  /** The last one, for a copy of a database that has no more. */
  readonly to?: string | undefined;
  /** Everybody else waits behind a migration that waits for a lock, so it does not wait long, but several times. */
  readonly lockMs?: number;
  readonly tries?: number;
};

/**
 * Runs all pending migrations in one transaction and returns their names. If several processes call it, one migrates
 * and the others wait. A database with newer migrations is left alone: each is compatible with the version before it.
 * @throws Error with a message for the operator, which names what holds a lock that a migration needs
 */
export async function migrate(
  db: Database,
  { folder = MIGRATIONS, to, lockMs = 3000, tries = 5 }: MigrateOptions = {},
): Promise<string[]> {
  const provider = migrationsIn(folder);
  const known = Object.keys(await provider.getMigrations()).sort();
  for (let attempt = 1; ; attempt += 1) {
    if (isUpToDate(await executedMigrations(db), known)) return [];
    const waiting = watchWaiting(db, lockMs);
    const migrated = await migrateOnce(db, impatient(provider, lockMs, waiting.begin), to).finally(waiting.stop);
    if (Array.isArray(migrated)) return migrated;
    if (attempt === tries) throw new Error(lockedText(migrated, waiting.holders(), tries));
    await pause((attempt * lockMs) / 3);
  }
}

/** The same migrations, none of which waits long for a lock. */
function impatient(provider: MigrationProvider, lockMs: number, onBegin: (pid: number) => void): MigrationProvider {
  const limited = (migration: Migration): Migration => ({
    up: async (tx) => {
      const { rows } = await sql<{ pid: number }>`
        select pg_backend_pid() as pid, set_config('lock_timeout', ${String(lockMs)}, true)`.execute(tx);
      onBegin(rows[0]?.pid ?? 0);
      await migration.up(tx);
    },
  });
  return {
    getMigrations: async () => {
      const migrations = Object.entries(await provider.getMigrations());
      return Object.fromEntries(migrations.map(([name, migration]) => [name, limited(migration)]));
    },
  };
}

/** Notes who holds the lock that the migrating connection waits for. */
function watchWaiting(db: Database, lockMs: number) {
  let pid: number | undefined;
  let holders: readonly string[] = [];
  const look = async () => {
    const { rows } = await sql<{ holder: string }>`
      select format('process %s (%s) of %s, %s since %s', holder.pid, holder.usename,
        coalesce(nullif(holder.application_name, ''), 'an unnamed program'), holder.state,
        to_char(coalesce(holder.xact_start, holder.query_start), 'HH24:MI:SS TZ')) as holder
      from unnest(pg_blocking_pids(${pid})) blocking (pid) join pg_stat_activity holder using (pid)`.execute(db.kysely);
    if (rows.length > 0) holders = rows.map((row) => row.holder);
  };
  const timer = setInterval(() => {
    if (pid !== undefined) void look().catch(() => {});
  }, lockMs / 3);
  return {
    begin: (own: number) => {
      pid = own;
    },
    holders: () => holders,
    stop: () => clearInterval(timer),
  };
}

function lockedText({ lockedMigration }: Locked, holders: readonly string[], tries: number): string {
  const who = holders.length === 0 ? 'another connection' : holders.join('; ');
  return (
    `The migration ${lockedMigration} needs a lock that ${who} holds. It was tried ${tries} times, and nothing was changed. ` +
    'End that work, or the connection with `select pg_terminate_backend(…)`, and migrate again.'
  );
}

type Locked = { readonly lockedMigration: string };

async function migrateOnce(db: Database, provider: MigrationProvider, to?: string): Promise<string[] | Locked> {
  // Another process may migrate meanwhile, and be waited for.
  const migrator = new Migrator({ db: db.kysely, provider });
  const run = () => (to === undefined ? migrator.migrateToLatest() : migrator.migrateTo(to));
  const { error, results = [] } = await takingLong(run);
  if (error === undefined) return results.map((result) => result.migrationName);
  const failed = results.find((result) => result.status === 'Error');
  if (failed && hasCode(error, LOCK_NOT_AVAILABLE)) return { lockedMigration: failed.migrationName };
  if (hasCode(error, INSUFFICIENT_PRIVILEGE)) {
    throw new Error(
      `The database has to be migrated by its owner: run “${commandLine('migrate')}” with MIGRATE_DATABASE_URL (docs/operations.md).`,
      { cause: error },
    );
  }
  throw new Error(failed ? `The migration ${failed.migrationName} failed.` : 'The database could not be migrated.', {
    cause: error,
  });
}

const LOCK_NOT_AVAILABLE = '55P03';

function migrationsIn(folder: string): FileMigrationProvider {
  return new FileMigrationProvider({
    fs,
    path,
    migrationFolder: folder,
    // Windows imports a path only as a URL.
    import: (file) => import(pathToFileURL(file).href),
  });
}

/** The names of this version's, in order. */
export async function knownMigrations(): Promise<string[]> {
  return Object.keys(await migrationsIn(MIGRATIONS).getMigrations()).sort();
}

/** The names of those that the database lacks. */
export async function pendingMigrations(db: Database): Promise<string[]> {
  const [known, executed] = [await knownMigrations(), await executedMigrations(db)];
  return known.filter((name) => !executed.includes(name));
}

/** Saves most starts the slower check by Kysely's migrator. */
function isUpToDate(executed: readonly string[], known: readonly string[]): boolean {
  const last = known.at(-1) ?? '';
  return (
    known.every((name) => executed.includes(name)) && executed.every((name) => known.includes(name) || name > last)
  );
}

/** The names of those that it has, in order; none if it is empty. */
export async function executedMigrations(db: Database): Promise<string[]> {
  const table = await sql<{ exists: boolean }>`select to_regclass('kysely_migration') is not null as exists`.execute(
    db.kysely,
  );
  if (table.rows[0]?.exists !== true) return [];
  const executed = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db.kysely);
  return executed.rows.map((row) => row.name);
}
