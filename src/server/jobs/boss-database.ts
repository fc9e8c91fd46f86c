import type pg from 'pg';
import type { ConstructorOptions } from 'pg-boss';

type BossDatabase = NonNullable<ConstructorOptions['db']>;

/**
 * The program's own pool, as pg-boss wants a database. pg-boss installs and keeps up its tables by scripts of several
 * statements between BEGIN and COMMIT: one that fails half-way must not leave its transaction open on a connection
 * that everybody else uses.
 */
export function bossDatabase(pool: pg.Pool): BossDatabase {
  return {
    executeSql: async (text, values) => {
      const client = await pool.connect();
      try {
        return rowsOf(await client.query(text, values));
      } catch (error) {
        if (/^\s*begin\b/i.test(text)) await client.query('rollback');
        throw error;
      } finally {
        client.release();
      }
    },
  };
}

/** The driver answers a script with a result for each of its statements. */
function rowsOf(result: pg.QueryResult | pg.QueryResult[]): { rows: unknown[] } {
  return Array.isArray(result) ? { rows: result.flatMap(({ rows }) => rows ?? []) } : result;
}
