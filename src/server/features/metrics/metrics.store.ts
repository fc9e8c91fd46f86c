import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/db/tables.ts';

export type QueueFigures = {
  readonly name: string;
  readonly waiting: number;
  readonly running: number;
  /** Jobs that failed for good in the last seven days. */
  readonly failed: number;
  readonly oldestAt: Date | null;
};

/** Counts the jobs of each queue; empty before the program's first start. */
export async function readQueueFigures(db: Kysely<Tables>): Promise<QueueFigures[]> {
  const { rows: queues } = await sql`select where to_regclass('pgboss.job') is not null`.execute(db);
  if (queues.length === 0) return [];
  const { rows } = await sql<QueueFigures>`
    select name,
      count(*) filter (where state = 'retry' or (state = 'created' and start_after <= now()))::int as waiting,
      count(*) filter (where state = 'active')::int as running,
      count(*) filter (where state = 'failed')::int as failed,
      min(created_on) filter (where state in ('retry', 'active') or (state = 'created' and start_after <= now()))
        as "oldestAt"
    from pgboss.job group by name order by name`.execute(db);
  return rows;
}
