import type { Log } from '#server/log.ts';
import { formatCommandLine } from '#server/process/app-path.ts';
import { grantAppRolePrivileges, INSUFFICIENT_PRIVILEGE, readCurrentRole } from './app-role.ts';
import { type Database, type DatabaseOptions, openDatabase } from './connection.ts';
import { describeDatabase } from './data-folder.ts';
import { hasCode } from './error-codes.ts';
import { migrate, readSchemaState } from './migrate.ts';

/** Settings of the database. The names match those of `Config`. */
type DatabaseSettings = Pick<DatabaseOptions, 'dataDir' | 'isServerProcess' | 'limits'> & {
  readonly databaseUrl: string | undefined;
  readonly databaseListenUrl?: string | undefined;
  readonly migrateDatabaseUrl: string | undefined;
  readonly databasePool?: number;
};
type MigratedDatabase = { readonly db: Database; readonly migrations: readonly string[] };

/**
 * Opens an existing database for a command. Never creates one: after a typo, a command would report success on an empty
 * fund.
 */
export async function openExisting(settings: DatabaseSettings, log: Log): Promise<Database> {
  const { dataDir } = settings;
  // Commands don't need a pooler.
  const databaseUrl = settings.databaseListenUrl ?? settings.databaseUrl;
  const db = await openDatabase({ databaseUrl, dataDir, create: false, log });
  try {
    if (!(await readSchemaState(db)).isEmpty) return db;
  } catch (error) {
    await db.close();
    throw error;
  }
  await db.close();
  throw new Error(
    `The database is empty (${describeDatabase({ databaseUrl, dataDir })}). Check the settings. For a new fund, ` +
      `start the program or run “${formatCommandLine('migrate')}” to create the tables.`,
  );
}

/** Opens and migrates an existing database for a command. */
export async function openExistingAndMigrate(settings: DatabaseSettings, log: Log): Promise<Database> {
  return (await migrateOrClose(settings, await openExisting(settings, log), log)).db;
}

/**
 * Opens the database from the settings, creates it if it is missing, and migrates it. If the settings name an owner, the
 * owner migrates it and grants the program's role the necessary privileges.
 * @throws Error with a message for the operator
 */
export async function openAndMigrate(settings: DatabaseSettings, log: Log): Promise<MigratedDatabase> {
  const { databasePool: poolSize, ...options } = settings;
  const db = await openDatabase({ ...options, poolSize, log });
  return migrateOrClose(settings, db, log);
}

async function migrateOrClose(
  { migrateDatabaseUrl: ownerUrl }: DatabaseSettings,
  db: Database,
  log: Log,
): Promise<MigratedDatabase> {
  try {
    return { db, migrations: ownerUrl === undefined ? await migrate(db) : await migrateAs(ownerUrl, db, log) };
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function migrateAs(ownerUrl: string, db: Database, log: Log): Promise<string[]> {
  const owner = await openDatabase({ databaseUrl: ownerUrl, setting: 'MIGRATE_DATABASE_URL', dataDir: '', log });
  try {
    const [role, ownerRole] = [await readCurrentRole(db), await readCurrentRole(owner)];
    if (role === ownerRole) throw new Error('MIGRATE_DATABASE_URL and DATABASE_URL name the same PostgreSQL role.');
    const names = await migrate(owner);
    await grantAppRolePrivileges(owner, role).catch((cause: unknown) => {
      if (!hasCode(cause, INSUFFICIENT_PRIVILEGE)) throw cause;
      throw new Error(
        `${ownerRole} can't grant the privileges that ${role} needs. As a superuser, run: grant ${role} to ${ownerRole};`,
        {
          cause,
        },
      );
    });
    return names;
  } finally {
    await owner.close();
  }
}
