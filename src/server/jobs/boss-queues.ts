import { randomUUID } from 'node:crypto';
import { fromKysely, PgBoss } from 'pg-boss';
import type { Database } from '#server/db/connection.ts';
import type { Log } from '#server/db/log.ts';
import { bossDatabase } from './boss-database.ts';
import type { JobData, JobName, Jobs } from './jobs.ts';

export type JobHandlers = { readonly [Name in JobName]: (data: JobData[Name]) => Promise<void> };

export type Queues = Jobs & {
  /** Begins to work on what is queued. */
  work(handlers: JobHandlers): Promise<void>;
  /** Ends after the jobs under way. */
  stop(): Promise<void>;
};

const JOB_NAMES: readonly JobName[] = [
  'sign-up',
  'mail-session',
  'mail-receipt',
  'mail-invitation',
  'mail-new-editor',
  'mail-story',
  'remove-picture',
];

/** What may be taken back at once waits for so long: an editor can undo a publication. */
const AFTER_SECONDS: Partial<Record<JobName, number>> = { 'mail-story': 30 };

const QUEUE = {
  // First after two seconds, then ever more slowly, for about a day.
  retryLimit: 30,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 3600,
  // A job whose program was ended meanwhile is taken up again after this.
  expireInSeconds: 120,
};

/** Looks for jobs once a second, and at once again while there are many. */
const WORK = {
  pollingIntervalSeconds: 1,
  batchSize: 5,
  burstWhenBatchFull: true,
  perJobResults: true,
  includeMetadata: true,
} as const;
const STOP_WITHIN_MS = 10_000;

/** Job queues in the product's own database, by pg-boss, in its own schema `pgboss`. */
export async function openQueues(db: Database, log: Log): Promise<Queues> {
  const boss = new PgBoss({
    db: bossDatabase(db.pool),
    backend: db.engine === 'embedded' ? 'pglite' : 'postgres',
    schema: 'pgboss',
    schedule: false,
    // Jobs here do not wait for each other, and so nobody needs to look for that every few seconds.
    flowIntervalSeconds: 3600,
  });
  boss.on('error', (err) => log.error({ err }, 'the job queues have a problem'));
  await boss.start();
  for (const name of JOB_NAMES) await prepareQueue(boss, name);
  return {
    enqueue: async (tx, name, data) => {
      const startAfter = AFTER_SECONDS[name];
      await boss.send(name, data, { db: fromKysely(tx), ...(startAfter === undefined ? {} : { startAfter }) });
    },
    work: async (handlers) => {
      for (const name of JOB_NAMES) await workOn(boss, name, handlers, log);
    },
    stop: () => boss.stop({ graceful: true, close: false, timeout: STOP_WITHIN_MS }),
  };
}

async function prepareQueue(boss: PgBoss, name: JobName): Promise<void> {
  if ((await boss.getQueue(name)) === null) await boss.createQueue(name, QUEUE);
  // Looking for a job that is not there makes pg-boss remember the queue. It would else look the queue up when the
  // first job is sent, beside the transaction that sends it: on the embedded database that would wait for itself.
  await boss.findJobs(name, { id: randomUUID() });
}

async function workOn<Name extends JobName>(boss: PgBoss, name: Name, handlers: JobHandlers, log: Log): Promise<void> {
  await boss.work<JobData[Name], void, typeof WORK>(name, WORK, (jobs) =>
    Promise.all(
      jobs.map(async ({ id, data, retryCount }) => {
        try {
          await handlers[name](data);
          return { id, status: 'completed' as const };
        } catch (error) {
          const output = kindOf(error);
          log.warn({ job: name, id, try: retryCount + 1, ...output }, 'a job failed');
          return { id, status: 'failed' as const, output };
        }
      }),
    ),
  );
}

/** An error without its words: those of a mail server repeat the recipient's address. */
function kindOf(error: unknown): { error: string; code?: string } {
  if (!(error instanceof Error)) return { error: typeof error };
  return { error: error.name, ...('code' in error ? { code: String(error.code) } : {}) };
}
