import path from 'node:path';
import type { Config } from './config.ts';
import { grantToProgram, INSUFFICIENT_PRIVILEGE, roleOf } from './db/app-role.ts';
import { type Database, type Log, openDatabase } from './db/connection.ts';
import { migrate } from './db/migrate.ts';
import { hasCode } from './db/transaction.ts';

type Opened = { readonly db: Database; readonly migrated: readonly string[] };

/**
 * Opens the database that the settings name, and migrates it: as its owner, if the settings name one, who then grants
 * the program's role what it needs.
 * @throws Error with a message for the operator
 */
export async function openMigrated(
  { databaseUrl, migrateDatabaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'migrateDatabaseUrl' | 'dataDir'>,
  log: Log,
): Promise<Opened> {
  const db = await openDatabase({ databaseUrl, dataDir: path.join(dataDir, 'db'), log });
  try {
    const migrated =
      migrateDatabaseUrl === undefined ? await migrate(db) : await migrateAs(migrateDatabaseUrl, db, log);
    return { db, migrated };
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
