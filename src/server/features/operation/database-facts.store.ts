import { sql } from 'kysely';
import type { Database } from '#server/db/connection.ts';
import { LISTENER_NAME } from '#server/db/notifications.ts';

export type DatabaseFacts = {
  /** Version of the server, such as 18.1. */
  readonly version: string;
  readonly role: string;
  /** True if this connection is encrypted; null if the role has no permission to read that. */
  readonly tls: boolean | null;
  readonly timeZone: string;
  readonly now: Date;
  /** Number of the program's tables that the role has no permission to read. */
  readonly unreadableTableCount: number;
  readonly maxConnections: number;
  /** Number of running processes of the program. */
  readonly processCount: number;
  /** Number of connected standbys. */
  readonly standbyCount: number;
  /** Standbys for which commits wait; empty if all are asynchronous. */
  readonly synchronousStandbys: string;
};

export async function readDatabaseFacts(db: Database): Promise<DatabaseFacts | undefined> {
  const { rows } = await sql<DatabaseFacts>`
    select current_setting('server_version') as version, current_user::text as role,
      (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as tls,
      current_setting('TimeZone') as "timeZone", clock_timestamp() as now,
      (select count(*)::int from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not has_table_privilege(oid, 'select')) as "unreadableTableCount",
      current_setting('max_connections')::int as "maxConnections",
      (select count(*)::int from pg_stat_activity
        where datname = current_database() and application_name = ${LISTENER_NAME}) as "processCount",
      (select count(*)::int from pg_stat_replication) as "standbyCount",
      current_setting('synchronous_standby_names') as "synchronousStandbys"`.execute(db.kysely);
  return rows[0];
}
