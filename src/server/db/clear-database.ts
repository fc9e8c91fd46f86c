import { sql } from 'kysely';
import { INSUFFICIENT_PRIVILEGE } from './app-role.ts';
import type { Database } from './connection.ts';
import { hasCode } from './error-codes.ts';
import { LISTENER_NAME } from './notifications.ts';
import { inTransaction } from './transaction.ts';

/** Thrown if the program is running with this database. The message is for the operator. */
export class DatabaseInUseError extends Error {
  override readonly name = 'DatabaseInUseError';
  constructor() {
    super('The program is connected to this database. Stop it on every machine.');
  }
}

/** @throws DatabaseInUseError if a process of the program is listening for changes in this database */
export async function requireDisconnected({ kysely }: Database): Promise<void> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and application_name = ${LISTENER_NAME} limit 1`.execute(kysely);
  if (rows.length > 0) throw new DatabaseInUseError();
}

/** @returns whether the database contains an organization, a user, a checkout, or a ledger entry */
export async function hasData(db: Database): Promise<boolean> {
  for (const table of ['orgs', 'users', 'checkouts', 'ledger_entries']) {
    const { rows } = await sql<{ exists: boolean }>`
      select to_regclass(${`public.${table}`}) is not null as exists`.execute(db.kysely);
    if (rows[0]?.exists !== true) continue;
    const result = await sql`select from ${sql.table(`public.${table}`)} limit 1`.execute(db.kysely);
    if (result.rows.length > 0) return true;
  }
  return false;
}

/**
 * Empties a database on a server. The role of `db` must be its owner.
 * @param keepsSchemas renames the schemas instead of deleting them
 * @returns the names of the renamed schemas
 * @throws Error with a message for the operator
 */
export async function clearDatabase(db: Database, keepsSchemas: boolean): Promise<readonly string[]> {
  const renamedSchemas: string[] = [];
  const suffix = `_before_${new Date().toISOString().replaceAll(/\D/g, '')}`;
  try {
    await inTransaction(db, async (tx) => {
      for (const schema of ['pgboss', 'public']) {
        const { rows } = await sql`select from pg_namespace where nspname = ${schema}`.execute(tx);
        if (rows.length === 0) continue;
        if (keepsSchemas) {
          await sql`alter schema ${sql.id(schema)} rename to ${sql.id(schema + suffix)}`.execute(tx);
          renamedSchemas.push(schema + suffix);
        } else await sql`drop schema ${sql.id(schema)} cascade`.execute(tx);
      }
      await sql`create schema public`.execute(tx);
    });
  } catch (cause) {
    if (!hasCode(cause, INSUFFICIENT_PRIVILEGE)) throw cause;
    throw new Error('This role is not allowed to empty the database. Create a new, empty database instead.', { cause });
  }
  return renamedSchemas;
}

/** Replaces the current schemas with those that `clearDatabase` renamed, if any. */
export async function returnSchemas(db: Database, renamedSchemas: readonly string[]): Promise<void> {
  if (renamedSchemas.length === 0) return;
  await inTransaction(db, async (tx) => {
    await sql`drop schema if exists pgboss, public cascade`.execute(tx);
    for (const name of renamedSchemas)
      await sql`alter schema ${sql.id(name)} rename to ${sql.id(name.replace(/_before_\d+$/, ''))}`.execute(tx);
  });
}
