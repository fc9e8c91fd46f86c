import fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { FileMigrationProvider, Migrator } from 'kysely/migration';
import { INSUFFICIENT_PRIVILEGE } from './app-role.ts';
import type { Database } from './connection.ts';
import { hasCode } from './transaction.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));

/**
 * Runs all pending migrations in one transaction and returns their names. If several processes call it, one migrates
 * and the others wait. `to` names the last one, for a copy of a database that has no more. A database with newer migrations is left alone: each is compatible with the version before it.
 */
export async function migrate(db: Database, folder: string = MIGRATIONS, to?: string): Promise<string[]> {
  const provider = migrationsIn(folder);
  const known = Object.keys(await provider.getMigrations()).sort();
  if (isUpToDate(await executedMigrations(db), known)) return [];
  const migrator = new Migrator({ db: db.kysely, provider });
  const { error, results = [] } = await (to === undefined ? migrator.migrateToLatest() : migrator.migrateTo(to));
  if (error === undefined) return results.map((result) => result.migrationName);
  if (hasCode(error, INSUFFICIENT_PRIVILEGE)) {
    throw new Error(
      'The database has to be migrated by its owner: run `npm run migrate` with MIGRATE_DATABASE_URL (docs/operations.md).',
      { cause: error },
    );
  }
  const failed = results.find((result) => result.status === 'Error');
  throw new Error(failed ? `The migration ${failed.migrationName} failed.` : 'The database could not be migrated.', {
    cause: error,
  });
}

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
