import { sql } from 'kysely';
import type { Database } from '#server/db/connection.ts';

export const ORG = { orgId: 'org', timeZone: 'America/New_York' } as const;
export const EDITOR = 'editor';
export const DONORS = ['ada', 'ben', 'cleo'] as const;
export const AWARDEE_IDS = ['okafor', 'vega'] as const;

type Table = { readonly name: string; readonly columns: string };
type Backup = ReadonlyMap<Table, unknown>;

/** The database's tables, with their writable columns. */
export type Tables = readonly Table[];

export async function findTables({ kysely }: Database): Promise<Tables> {
  const { rows } = await sql<Table>`
    select c.table_name as name, string_agg(quote_ident(c.column_name), ', ' order by c.ordinal_position) as columns
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
      and c.table_name <> 'migrations'
    group by c.table_name order by c.table_name`.execute(kysely);
  return rows;
}

/** Number of simulated worlds between vacuums; autovacuum is off. */
const VACUUM_INTERVAL = 8;

/**
 * Creates an organization, an editor, and a few donors in an empty database. The organization's creation time is a
 * whole second, like that of all objects at the provider, so that no fee is older than the organization.
 * @returns a function that resets the data
 */
export async function prepareDatabase({ pool }: Database, tables: Tables): Promise<(now: Date) => Promise<void>> {
  const tableNames = tables.map(({ name }) => name).filter((name) => name !== 'receipt_numbers');
  const homes = AWARDEE_IDS.map((id) => `('${id}', '${ORG.orgId}', '${id}', 'A story')`);
  const people = [EDITOR, ...DONORS].map((id) => `('${id}', '${id}@example.org', true, '${id}')`);
  // A function's statements are planned only once.
  await pool.query(`
    create or replace function reset_simulation() returns void language plpgsql
      set session_replication_role = replica as $$ begin
      ${tableNames.map((name) => `delete from ${name};`).join('\n')}
      update receipt_numbers set first = 1001, last = 1000;
    end $$`);
  // The database's clock isn't simulated, so a trigger sets an item's creation time to its event's time.
  await pool.query(`
    create or replace function set_attention_created_at() returns trigger language plpgsql as $$ begin
      new.created_at := new.occurred_at;
      return new;
    end $$;
    create or replace trigger set_attention_created_at before insert on attention_items
      for each row execute function set_attention_created_at();`);
  let worldCount = 0;
  return async (now) => {
    await pool.query(`
      select reset_simulation();
      alter sequence simulated_jobs_id_seq restart;
      insert into orgs (id, slug, name, tag, created_at)
        values ('${ORG.orgId}', '${ORG.orgId}', 'Fund', 'Tag', date_trunc('second', timestamptz '${now.toISOString()}'));
      insert into users (id, email, email_verified, display_name) values ${people.join(', ')};
      insert into org_editors (org_id, user_id, display_name, created_at)
        values ('${ORG.orgId}', '${EDITOR}', '${EDITOR}', timestamptz '${now.toISOString()}');
      insert into awardees (id, org_id, name, story) values ${homes.join(', ')};`);
    worldCount += 1;
    if (worldCount % VACUUM_INTERVAL === 0) await pool.query(`vacuum ${tableNames.join(', ')}`);
  };
}

export async function backUp({ kysely }: Database, tables: Tables): Promise<Backup> {
  const backup = new Map<Table, unknown>();
  for (const table of tables) {
    const { rows } = await sql<{ rows: unknown }>`
      select coalesce(jsonb_agg(t), '[]') as rows from ${sql.table(table.name)} t`.execute(kysely);
    backup.set(table, rows[0]?.rows);
  }
  return backup;
}

export async function restore({ kysely }: Database, backup: Backup): Promise<void> {
  await kysely.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    for (const [{ name, columns }, rows] of backup) {
      await sql`delete from ${sql.table(name)}`.execute(tx);
      await sql`insert into ${sql.table(name)} (${sql.raw(columns)})
        select ${sql.raw(columns)} from jsonb_populate_recordset(null::${sql.table(name)}, ${JSON.stringify(rows)})`.execute(
        tx,
      );
    }
  });
}
