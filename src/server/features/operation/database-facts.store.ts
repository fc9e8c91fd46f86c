import { sql } from 'kysely';
import type { Database } from '#server/db/connection.ts';

export type DatabaseFacts = {
  /** For example, 18.1. */
  readonly version: string;
  readonly role: string;
  readonly superuser: boolean;
  /** True if this connection is encrypted; null if the role has no permission to read that. */
  readonly tls: boolean | null;
  readonly timeZone: string;
  readonly now: Date;
  /** Number of the program's tables that the role has no permission to read. */
  readonly unreadable: number;
  readonly maxConnections: number;
};

export async function readDatabaseFacts(db: Database): Promise<DatabaseFacts | undefined> {
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
