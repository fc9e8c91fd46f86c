import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database } from '#server/db/connection.ts';

/** A store that nobody listens at: for tests of what never comes to it. Whatever asks it fails. */
export function unusedDatabase(): Database {
  const pool = new pg.Pool({ host: '127.0.0.1', port: 1 });
  return {
    pool,
    kysely: new Kysely({ dialect: new PostgresDialect({ pool }) }),
    engine: 'postgres',
    listen: async () => () => {},
    close: () => pool.end(),
  };
}
