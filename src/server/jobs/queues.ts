import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { type ConstructorOptions, fromKysely, PgBoss } from 'pg-boss';
import type { Database } from '#server/db/connection.ts';
import { withLongTimeout } from '#server/db/limits.ts';
import { isUnreachable } from '#server/db/unavailable.ts';
import { EmailRejectedError } from '#server/gateways/email/mailer.ts';
import type { Log } from '#server/log.ts';
import type { Job, JobQueue } from './define-job.ts';
import { type RepeatedTask, repeat, STOP_TIMEOUT_MS } from './repeat.ts';

type AnyJob<Deps> = Job<object, Deps>;

/** An unfinished job in a copy of the database. */
export type UnfinishedJob = {
  readonly id: string;
  readonly name: string;
  readonly data: object;
  /** ISO 8601. */
  readonly startAfter: string;
};

/** A connection, with or without an open transaction. */
type Connection = Pick<pg.ClientBase, 'query'>;

export type Queues<Deps> = JobQueue & {
  /** Queues a copy's jobs in this connection's transaction, except jobs that this version doesn't define. */
  restoreJobs(client: Connection, jobs: readonly UnfinishedJob[]): Promise<void>;
  /** Starts running the queued jobs. */
  startWorkers(deps: Deps): Promise<void>;
  /** Stops once the running jobs have finished. */
  stop(): Promise<void>;
};

const QUEUE_OPTIONS = {
  // Backs off from two seconds to an hour, for about a day in total.
  retryLimit: 30,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 3600,
  // A job whose process crashed is retried after this time.
  expireInSeconds: 120,
};

const POLL_INTERVAL_MS = 1000;

/** Workers run without a pause while batches are full, and otherwise when `wakeWorkers` finds due jobs. */
const WORKER_OPTIONS = {
  pollingIntervalSeconds: 60,
  batchSize: 5,
  burstWhenBatchFull: true,
  perJobResults: true,
  includeMetadata: true,
} as const;

/** pg-boss job queues, stored in the app's database in the `pgboss` schema. */
export async function openQueues<Deps>(db: Database, log: Log, jobs: readonly AnyJob<Deps>[]): Promise<Queues<Deps>> {
  const boss = new PgBoss({
    db: createBossDatabase(db.pool),
    schema: 'pgboss',
    // Even `create schema if not exists` requires the privilege to create schemas.
    createSchema: !(await hasSchema(db)),
    schedule: false,
    // We don't use job dependencies, so check them rarely.
    flowIntervalSeconds: 3600,
  });
  boss.on('error', (err) => log.error({ err: toError(err) }, 'job queue error'));
  await withLongTimeout(() => boss.start());
  for (const { name } of jobs) await prepareQueue(boss, name);
  let wakeTimer: RepeatedTask | undefined;
  return {
    enqueue: async (tx, { name, delaySeconds }, payload, startAfter) => {
      await boss.send(name, payload, { db: fromKysely(tx), startAfter: startAfter ?? delaySeconds });
    },
    enqueueAll: async (tx, { name, delaySeconds }, payloads) => {
      if (payloads.length === 0) return;
      const inserts = payloads.map((data) => ({ data, startAfter: delaySeconds }));
      await boss.insert(name, inserts, { db: fromKysely(tx) });
    },
    restoreJobs: async (client, unfinishedJobs) => {
      for (const { name } of jobs) {
        const inserts = unfinishedJobs
          .filter((job) => job.name === name)
          .map(({ id, data, startAfter }) => ({ id, data, startAfter }));
        if (inserts.length === 0) continue;
        await boss.insert(name, inserts, { db: { executeSql: (text, values) => client.query(text, values) } });
      }
    },
    startWorkers: async (deps) => {
      const workers = new Map<string, string>();
      for (const job of jobs) workers.set(job.name, await startWorker(boss, job, deps, { db, log }));
      wakeTimer = wakeWorkers(db, boss, workers, log);
    },
    stop: async () => {
      await wakeTimer?.stop();
      await boss.stop({ graceful: true, close: false, timeout: STOP_TIMEOUT_MS });
    },
  };
}

/** pg-boss reports some errors as plain objects, but the log recognizes a database outage only from an Error. */
function toError(error: Error): Error {
  return error instanceof Error ? error : Object.assign(new Error(), error);
}

async function hasSchema({ pool }: { readonly pool: Connection }): Promise<boolean> {
  const { rows } = await pool.query(`select from pg_namespace where nspname = 'pgboss'`);
  return rows.length > 0;
}

/** Lists queued and running jobs, for a copy of the database. */
export async function listUnfinishedJobs(client: Connection): Promise<UnfinishedJob[]> {
  if (!(await hasSchema({ pool: client }))) return [];
  const { rows } = await client.query<UnfinishedJob>(`
    select id::text, name, data, to_json(start_after) #>> '{}' as "startAfter" from pgboss.job
    where state <= 'active' order by start_after, id`);
  return rows;
}

async function prepareQueue(boss: PgBoss, name: string): Promise<void> {
  if ((await boss.getQueue(name)) === null) await boss.createQueue(name, QUEUE_OPTIONS);
  else await boss.updateQueue(name, QUEUE_OPTIONS);
  // Makes pg-boss cache the queue. Otherwise sending the first job would look it up outside the sending transaction,
  // which throws an OutsideTransactionError.
  await boss.findJobs(name, { id: randomUUID() });
}

/**
 * Polls for due jobs once per second with a single read-only query. If pg-boss polled that often, each queue would send its
 * own query that writes.
 * @param workers the worker of each queue
 */
function wakeWorkers(db: Database, boss: PgBoss, workers: ReadonlyMap<string, string>, log: Log): RepeatedTask {
  const names = [...workers.keys()];
  const wake = async () => {
    const { rows } = await db.pool.query<{ name: string }>(QUEUES_WITH_DUE_JOBS, [names]);
    for (const { name } of rows) boss.notifyWorker(workers.get(name) ?? '');
  };
  const poll = () => wake().catch((err: unknown) => log.error({ err }, 'job queue error'));
  return repeat(poll, { initialDelayMs: POLL_INTERVAL_MS, intervalMs: POLL_INTERVAL_MS });
}

/** Uses the same conditions as pg-boss. */
const QUEUES_WITH_DUE_JOBS = `
  select name from unnest($1::text[]) queue (name)
  where exists (
    select from pgboss.job j
    where j.name = queue.name and j.state < 'active' and not j.blocked and j.start_after <= now()
  )`;

/** @returns the id of the worker */
async function startWorker<Deps>(
  boss: PgBoss,
  job: AnyJob<Deps>,
  deps: Deps,
  { db, log }: { readonly db: Database; readonly log: Log },
): Promise<string> {
  const { name } = job;
  const completedIds = createCompletedJobs();
  return boss.work<object, void, typeof WORKER_OPTIONS>(name, WORKER_OPTIONS, (jobs) =>
    Promise.all(
      jobs.map(async ({ id, data, retryCount, retryLimit }) => {
        try {
          if (!completedIds.has(id)) await job.run(deps, data, { isLastAttempt: retryCount >= retryLimit });
          completedIds.add(id);
          return { id, status: 'completed' as const };
        } catch (error) {
          const output = summarizeError(error);
          if (error instanceof EmailRejectedError) {
            log.warn({ job: name, id, ...output }, 'an email was rejected permanently');
            return { id, status: 'completed' as const, output };
          }
          // During an outage, the log reports only the outage.
          if (!isUnreachable(error) || (await db.availability.check())) {
            log.warn({ job: name, id, try: retryCount + 1, ...output }, 'a job failed');
          }
          return { id, status: 'failed' as const, output };
        }
      }),
    ),
  );
}

const MAX_COMPLETED_JOBS = 1000;

/** Tracks recently completed jobs, because pg-boss fetches a job again if the database was down when it completed. */
function createCompletedJobs() {
  const ids = new Set<string>();
  return {
    has: (id: string) => ids.has(id),
    add: (id: string) => {
      ids.add(id);
      const [oldest] = ids;
      if (ids.size > MAX_COMPLETED_JOBS && oldest !== undefined) ids.delete(oldest);
    },
  };
}

/** Describes an error without its message, since a mail server's message can contain the recipient's address. */
function summarizeError(error: unknown): { error: string; code?: string } {
  if (!(error instanceof Error)) return { error: typeof error };
  return { error: error.name, ...('code' in error ? { code: String(error.code) } : {}) };
}

type BossDatabase = NonNullable<ConstructorOptions['db']>;

/**
 * Adapts the program's pool for pg-boss. pg-boss migrates its tables with multi-statement scripts between BEGIN and COMMIT,
 * and a script that fails must not leave a transaction open on a shared connection.
 */
function createBossDatabase(pool: pg.Pool): BossDatabase {
  return {
    executeSql: async (text, values) => {
      const client = await pool.connect();
      try {
        return mergeRows(await client.query(text, values));
      } catch (error) {
        if (/^\s*begin\b/i.test(text)) await client.query('rollback');
        throw error;
      } finally {
        client.release();
      }
    },
  };
}

/** The driver returns one result per statement. */
function mergeRows(result: pg.QueryResult | pg.QueryResult[]): { rows: unknown[] } {
  return Array.isArray(result) ? { rows: result.flatMap(({ rows }) => rows ?? []) } : result;
}
