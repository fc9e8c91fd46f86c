import pg from 'pg';
import type { Config } from '#server/config.ts';

type DatabaseSettings = Pick<Config, 'databaseUrl' | 'databaseListenUrl' | 'migrateDatabaseUrl'>;

/** Database settings for a URL. @param url by default, the embedded database in the data folder */
export function toDatabaseSettings(url: string | undefined): DatabaseSettings {
  return { databaseUrl: url, databaseListenUrl: undefined, migrateDatabaseUrl: undefined };
}

/**
 * Checks that a drill, which changes the database, uses a copy that no server is connected to.
 * @throws Error if the database is in use or can't be reached
 */
export async function assertUnusedDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(`select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' limit 1`);
    if (rows.length > 0)
      throw new Error(
        'A program is connected to this database. A drill changes the database, so specify a restored copy instead.',
      );
  } finally {
    await client.end();
  }
}
