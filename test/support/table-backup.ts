import { sql, type Transaction } from 'kysely';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';
import { runWithTriggersDisabled } from './as-owner.ts';

/** Backs up every table. @returns a function that restores them */
export async function backUpTables(db: Database): Promise<() => Promise<void>> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'migrations'`.execute(db.kysely);
  const schema = `backup_${Math.random().toString(36).slice(2)}`;
  await sql`create schema ${sql.ref(schema)}`.execute(db.kysely);
  for (const { name } of rows)
    await sql`create table ${sql.table(`${schema}.${name}`)} as table ${sql.table(`public.${name}`)}`.execute(
      db.kysely,
    );
  return async () => {
    await runWithTriggersDisabled(db, async (tx) => {
      for (const { name } of rows) await sql`delete from ${sql.table(`public.${name}`)}`.execute(tx);
      for (const { name } of rows) {
        const columns = await readWritableColumns(tx, name);
        const backup = sql.table(`${schema}.${name}`);
        await sql`insert into ${sql.table(`public.${name}`)} (${columns}) select ${columns} from ${backup}`.execute(tx);
      }
    });
  };
}

/** The table's columns, except generated ones, which can't be written. */
async function readWritableColumns(tx: Transaction<Tables>, table: string) {
  const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER'`.execute(tx);
  return sql.join(rows.map(({ name }) => sql.ref(name)));
}
