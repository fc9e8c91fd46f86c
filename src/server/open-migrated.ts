import { commandLine } from '#server/program-file.ts';
import { type Config, databaseName } from './config.ts';
import { grantToProgram, INSUFFICIENT_PRIVILEGE, roleOf } from './db/app-role.ts';
import { type Database, type DatabaseOptions, type Log, openDatabase } from './db/connection.ts';
import { migrate, schemaState } from './db/migrate.ts';
import { hasCode } from './db/transaction.ts';

type Place = Pick<Config, 'databaseUrl' | 'migrateDatabaseUrl' | 'dataDir'> &
  Partial<Pick<Config, 'databasePool'>> &
  Pick<DatabaseOptions, 'isProgram' | 'limits'>;
type Opened = { readonly db: Database; readonly migrated: readonly string[] };

/** For commands, which never create one: with a wrong setting they would report success about an empty fund. */
export async function openExisting({ databaseUrl, dataDir }: Place, log: Log): Promise<Database> {
  const db = await openDatabase({ databaseUrl, dataDir, create: false, log });
  try {
    if (!(await schemaState(db)).isEmpty) return db;
  } catch (error) {
    await db.close();
    throw error;
  }
  await db.close();
  throw new Error(
    `The database is empty (${databaseName({ databaseUrl, dataDir })}). Check the settings; for a new fund, ` +
      `start the program first, or run “${commandLine('migrate')}”.`,
  );
}

/** The same, migrated. */
export async function openExistingMigrated(place: Place, log: Log): Promise<Database> {
  return (await migrated(place, await openExisting(place, log), log)).db;
}

/**
 * Opens the database that the settings name, creates it if it is missing, and migrates it: as its owner, if the settings name one, who then grants
 * the program's role what it needs.
 * @throws Error with a message for the operator
 */
export async function openMigrated(place: Place, log: Log): Promise<Opened> {
  const { databasePool: poolSize, ...options } = place;
  const db = await openDatabase({ ...options, poolSize, log });
  return migrated(place, db, log);
}

async function migrated({ migrateDatabaseUrl: ownerUrl }: Place, db: Database, log: Log): Promise<Opened> {
  try {
    return { db, migrated: ownerUrl === undefined ? await migrate(db) : await migrateAs(ownerUrl, db, log) };
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function migrateAs(ownerUrl: string, db: Database, log: Log): Promise<string[]> {
  const owner = await openDatabase({ databaseUrl: ownerUrl, setting: 'MIGRATE_DATABASE_URL', dataDir: '', log });
  try {
    const [role, ownRole] = [await roleOf(db), await roleOf(owner)];
    if (role === ownRole) throw new Error('MIGRATE_DATABASE_URL and DATABASE_URL name the same role of PostgreSQL.');
    const names = await migrate(owner);
    await grantToProgram(owner, role).catch((cause: unknown) => {
      if (!hasCode(cause, INSUFFICIENT_PRIVILEGE)) throw cause;
      throw new Error(`${ownRole} may not grant what ${role} needs. As a superuser: grant ${role} to ${ownRole};`, {
        cause,
      });
    });
    return names;
  } finally {
    await owner.close();
  }
}
