import type pg from 'pg';
import type { Log } from './log.ts';

export type Upkeep = { stop(): Promise<void> };

const EVERY_MS = 60_000;
const CHECKPOINT_AFTER_BYTES = 8 * 1024 * 1024;

/**
 * What a PostgreSQL server has processes of its own for, and the embedded one has not: without it the write-ahead log
 * would grow for ever, a start after a crash would take longer and longer, and the planner would know no numbers.
 */
export function startUpkeep(pool: pg.Pool, log: Log): Upkeep {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = running
      .then(() => keepUp(pool))
      .catch((err) => log.warn({ err }, 'the upkeep of the embedded database failed'));
  }, EVERY_MS);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

/** One round: a vacuum of each table that changed much, and a checkpoint when enough was written. */
export async function keepUp(pool: pg.Pool): Promise<void> {
  const changed = await pool.query<{ name: string }>(MUCH_CHANGED);
  for (const { name } of changed.rows) await pool.query(`vacuum (analyze) ${name}`);
  // The last, since clearing up writes as well.
  const { rows } = await pool.query<{ behind: number }>(WRITTEN_SINCE_CHECKPOINT);
  if ((rows[0]?.behind ?? 0) > CHECKPOINT_AFTER_BYTES) await pool.query('checkpoint');
}

const WRITTEN_SINCE_CHECKPOINT = `
  select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::int8 as behind from pg_control_checkpoint()`;

// The thresholds are those of PostgreSQL's own autovacuum.
const MUCH_CHANGED = `
  select format('%I.%I', s.schemaname, s.relname) as name
  from pg_stat_user_tables s join pg_class c on c.oid = s.relid
  where s.n_dead_tup > 50 + 0.2 * s.n_live_tup
     or s.n_ins_since_vacuum > 1000 + 0.2 * s.n_live_tup
     or s.n_mod_since_analyze > 50 + 0.1 * s.n_live_tup
     or age(c.relfrozenxid) > 200000000`;
