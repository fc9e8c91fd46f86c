import { sql } from 'kysely';
import type { Database } from '#server/db/connection.ts';

export type DatabaseFacts = {
  /** Such as 17.2. */
  readonly version: string;
  readonly role: string;
  readonly superuser: boolean;
  /** Whether this connection is encrypted; null where the role may not know. */
  readonly tls: boolean | null;
  readonly timeZone: string;
  readonly now: Date;
  /** Our tables that the role may not read. */
  readonly unreadable: number;
  readonly maxConnections: number;
};

export async function databaseFacts(db: Database): Promise<DatabaseFacts | undefined> {
  const { rows } = await sql<DatabaseFacts>`
    select current_setting('server_version') as version, current_user::text as role,
      coalesce((select rolsuper from pg_roles where rolname = current_user), false) as superuser,
      (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as tls,
      current_setting('TimeZone') as "timeZone", clock_timestamp() as now,
      (select count(*)::int from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not has_table_privilege(oid, 'select')) as unreadable,
      current_setting('max_connections')::int as "maxConnections"`.execute(db.kysely);
  return rows[0];
}
