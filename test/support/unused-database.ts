import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database } from '#server/db/connection.ts';
import type { AppDeps } from '#server/deps.ts';

const nothing = async () => {};

/** A database that is unreachable, for tests that never use it. */
export function unusedDatabase(): Database {
  const pool = new pg.Pool({ host: '127.0.0.1', port: 1 });
  return {
    pool,
    kysely: new Kysely({ dialect: new PostgresDialect({ pool }) }),
    engine: 'postgres',
    listen: async () => () => {},
    changes: { announce: nothing, look: nothing, follow: nothing, close: nothing },
    close: () => pool.end(),
  };
}

/** Says of every id that it is an organization's: for calls that are refused before they need more of it. */
export const findAnyOrg: AppDeps['findOrg'] = async (id) => ({
  id,
  name: 'Sample',
  tag: 'Sample',
  photo: null,
  noAwardees: false,
  reviewStories: false,
  timeZone: 'UTC',
});
