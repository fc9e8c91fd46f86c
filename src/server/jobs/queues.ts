import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type pg from 'pg';
import { type ConstructorOptions, fromKysely, PgBoss } from 'pg-boss';
import type { AlarmName } from '#domain/alarms.ts';
import type { Cents } from '#domain/money.ts';
import type { Role } from '#domain/permissions.ts';
import type { Language } from '#messages';
import type { Database, Log } from '#server/db/connection.ts';
import { takingLong } from '#server/db/limits.ts';
import type { Tables } from '#server/db/tables.ts';
import { isOutOfReach } from '#server/db/unavailable.ts';
import { MailRefused } from '#server/gateways/mail/mailer.ts';
import { type Repeated, repeat } from './repeat.ts';

/** The language of the page that asked for the mail. */
type Asked = { readonly language?: Language | undefined };

type SessionMailJob =
  | (Asked & {
      readonly kind: 'sign-in' | 'known-address';
      readonly email: string;
      readonly returnTo?: string | undefined;
    })
  | (Asked & { readonly kind: 'verify'; readonly userId: string; readonly returnTo?: string | undefined })
  | (Asked & { readonly kind: 'proof'; readonly userId: string; readonly sessionId: string })
  | {
      readonly kind: 'new-device';
      readonly userId: string;
      readonly at: string;
      readonly client: string;
      readonly browser: string;
    }
  | (Asked & { readonly kind: 'reset'; readonly email: string })
  | { readonly kind: 'password-changed'; readonly userId: string; readonly changedAt: string }
  | {
      readonly kind: 'second-factor';
      readonly userId: string;
      readonly change: SecondFactorChange;
      readonly at: string;
      /** Recovery codes. */
      readonly left?: number;
    };

export type SecondFactorChange =
  | 'passkey-added'
  | 'passkey-removed'
  | 'authenticator-added'
  | 'authenticator-removed'
  | 'recovery-codes-renewed'
  | 'recovery-code-used'
  | 'few-recovery-codes'
  | 'removed-by-admin'
  | 'removal-asked';

export type GiftChangeName = 'stopped' | 'paused' | 'resumed' | 'changed';

type NewRoleJob = { readonly orgId: string; readonly userId: string; readonly addedBy: string };

/** Work done after the transaction that queued it, and retried until it succeeds. */
export type JobData = {
  /** Creates the account of a sign-up. */
  'sign-up': { readonly signUpId: string };
  /** Mails about signing in. Links are created only when mailed, so that none are readable in the queue. */
  'mail-session': SessionMailJob;
  /** Mails a receipt; `again` names a mailing that an editor requested. */
  'send-receipt': { readonly orgId: string; readonly receiptNumber: number; readonly again?: string };
  /** Tells a donor that an editor sent the receipt to another address. */
  'mail-receipt-elsewhere': { readonly orgId: string; readonly receiptNumber: number };
  /** Mails an invitation to a role in an organization. */
  'mail-role-invitation': { readonly orgId: string; readonly invitationId: string };
  /** Mails someone with an account who has got a role, or another one. */
  'mail-new-role': NewRoleJob;
  /** Tells `to` that somebody lost a role: the person, and about an editor also the other editors and the admins. */
  'mail-lost-role': Omit<NewRoleJob, 'addedBy'> & {
    readonly to: string;
    readonly role: Role;
    /** The role afterward; null: none. */
    readonly becomes: Role | null;
    readonly removedBy: string;
    readonly at: string;
  };
  /** Mails the author of a story that was published at `changedAt`; null: by its author, who may change it meanwhile. */
  'mail-story': { readonly orgId: string; readonly offsetterId: string; readonly changedAt: string | null };
  /** Asks the owner of an address whether a story that was sent with it is theirs. */
  'mail-story-claim': { readonly orgId: string; readonly offsetterId: string };
  /** Tells an editor that a story's address was taken off it, because its owner did not send it. */
  'mail-refused-story': { readonly orgId: string; readonly offsetterId: string; readonly userId: string };
  /** Mails a donor whose card could not be charged for a renewal, once for each attempt. */
  'mail-failed-renewal': { readonly invoiceId: string; readonly attempt: number };
  /** Mails a donor whose recurring gift ended because its card could not be charged. */
  'mail-ended-gift': { readonly subscriptionId: string };
  /** Emails a donor that the recurring gift was stopped, paused, resumed, or changed. */
  'mail-changed-gift': { readonly subscriptionId: string; readonly change: GiftChangeName; readonly at: string };
  /** Mails a donor that money of a gift went back, by the provider's id of the refund or dispute. */
  'mail-returned-gift': {
    readonly returnId: string;
    readonly status: 'succeeded' | 'lost' | 'failed' | 'won';
    readonly amount: Cents;
  };
  /** Mails a donor that gifts found a home, once for each. */
  'mail-home': { readonly orgId: string; readonly mailing: string };
  /** Mails a donor how to send the check that they promised. */
  'mail-pledge': { readonly orgId: string; readonly pledgeId: string };
  /** Tells an operator, or an admin, that something is wrong with the program, or no longer. */
  'mail-alarm': {
    readonly to: { readonly email: string } | { readonly userId: string };
    readonly alarm: AlarmName;
    readonly change: 'began' | 'over';
    readonly at: string;
    /** The machine that it is about, if it is about one. */
    readonly host?: string;
  };
  /** Tells an admin that too many cards are declined: on the pages of one network, or in all. */
  'mail-card-alarm': { readonly userId: string; readonly scope: 'network' | 'all'; readonly at: string };
  /** Emails someone who may see the money about a dispute or a fraud warning. */
  'mail-alert': { readonly orgId: string; readonly userId: string; readonly itemId: string; readonly at: string };
  /** Tells `to` that a person got or lost the admin role; changedBy is null for the operator’s command. */
  'mail-admin-change': {
    readonly to: string;
    readonly userId: string;
    readonly admin: boolean;
    readonly changedBy: string | null;
    readonly at: string;
  };
  /** Mails the card of a gift in honor or in memory of someone. */
  'mail-card': { readonly checkoutId: string; readonly mailing: string };
  /** Deletes the files of an unused picture. */
  'remove-picture': { readonly key: string };
  /** Deletes a picture that was uploaded for a text, if no text has ever named it. */
  'remove-unused-picture': { readonly key: string };
};

export type JobName = keyof JobData;

export type Jobs = {
  /**
   * Queues a job if and only if the caller's transaction commits.
   * @param startAfter by default it begins at once
   */
  enqueue<Name extends JobName>(
    tx: Transaction<Tables>,
    name: Name,
    data: JobData[Name],
    startAfter?: Date,
  ): Promise<void>;
  /** Queues many jobs of a name in one statement, to begin at once. */
  enqueueAll<Name extends JobName>(tx: Transaction<Tables>, name: Name, all: readonly JobData[Name][]): Promise<void>;
};

/** Which try a job is at. */
export type JobTry = { readonly isLast: boolean };

export type JobHandlers = { readonly [Name in JobName]: (data: JobData[Name], at: JobTry) => Promise<void> };

/** A job that is not done yet, for a copy of the database. */
export type WaitingJob = {
  readonly id: string;
  readonly name: string;
  readonly data: object;
  /** ISO 8601. */
  readonly startAfter: string;
};

/** Asks a connection, in whatever transaction it is. */
type Asking = Pick<pg.ClientBase, 'query'>;

export type Queues = Jobs & {
  /** Queues the jobs of a copy, in the transaction of this connection. Those that this version does not know are left out. */
  addWaiting(client: Asking, jobs: readonly WaitingJob[]): Promise<void>;
  /** Starts running the queued jobs. */
  work(handlers: JobHandlers): Promise<void>;
  /** Stops once the running jobs have finished. */
  stop(): Promise<void>;
};

const JOB_NAMES: readonly JobName[] = [
  'sign-up',
  'mail-session',
  'send-receipt',
  'mail-role-invitation',
  'mail-new-role',
  'mail-lost-role',
  'mail-story',
  'mail-story-claim',
  'mail-refused-story',
  'mail-failed-renewal',
  'mail-ended-gift',
  'mail-returned-gift',
  'mail-changed-gift',
  'mail-receipt-elsewhere',
  'mail-home',
  'mail-pledge',
  'mail-alarm',
  'mail-card-alarm',
  'mail-alert',
  'mail-admin-change',
  'mail-card',
  'remove-picture',
  'remove-unused-picture',
];

/** A delay in which an editor can undo a publication before the mail goes out. */
const AFTER_SECONDS: Partial<Record<JobName, number>> = { 'mail-story': 30 };

const QUEUE = {
  // Backs off from two seconds to an hour, for about a day in all.
  retryLimit: 30,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 3600,
  // After this, a job whose process died is retried.
  expireInSeconds: 120,
};

const LOOK_FOR_JOBS_EVERY_MS = 1000;

/** Without pause while batches are full; otherwise when there is something to do, see `wakeWorkers`. */
const WORK = {
  pollingIntervalSeconds: 60,
  batchSize: 5,
  burstWhenBatchFull: true,
  perJobResults: true,
  includeMetadata: true,
} as const;
const STOP_WITHIN_MS = 10_000;

/** Job queues in the product's database, by pg-boss in its schema `pgboss`. */
export async function openQueues(db: Database, log: Log): Promise<Queues> {
  const boss = new PgBoss({
    db: bossDatabase(db.pool),
    schema: 'pgboss',
    // Only who may create schemas can ask for one that is there.
    createSchema: !(await hasSchema(db)),
    schedule: false,
    // No job depends on another, so the check for it can be rare.
    flowIntervalSeconds: 3600,
  });
  boss.on('error', (err) => log.error({ err: asError(err) }, 'the job queues have a problem'));
  await takingLong(() => boss.start());
  for (const name of JOB_NAMES) await prepareQueue(boss, name);
  let waking: Repeated | undefined;
  return {
    enqueue: async (tx, name, data, at) => {
      const startAfter = at ?? AFTER_SECONDS[name];
      await boss.send(name, data, { db: fromKysely(tx), ...(startAfter === undefined ? {} : { startAfter }) });
    },
    enqueueAll: async (tx, name, all) => {
      if (all.length === 0) return;
      const jobs = all.map((data) => ({ data }));
      await boss.insert(name, jobs, { db: fromKysely(tx) });
    },
    addWaiting: async (client, jobs) => {
      for (const [name, theirs] of Map.groupBy(jobs, (job) => job.name)) {
        if (!JOB_NAMES.some((known) => known === name)) continue;
        const all = theirs.map(({ id, data, startAfter }) => ({ id, data, startAfter }));
        await boss.insert(name, all, { db: { executeSql: (text, values) => client.query(text, values) } });
      }
    },
    work: async (handlers) => {
      const workers = new Map<string, string>();
      for (const name of JOB_NAMES) workers.set(name, await workOn(boss, name, handlers, { db, log }));
      waking = wakeWorkers(db, boss, workers, log);
    },
    stop: async () => {
      await waking?.stop();
      await boss.stop({ graceful: true, close: false, timeout: STOP_WITHIN_MS });
    },
  };
}

/** pg-boss reports some errors as plain objects, by which the log would not know an outage of the database. */
function asError(told: Error): Error {
  return told instanceof Error ? told : Object.assign(new Error(), told);
}

async function hasSchema({ pool }: { readonly pool: Asking }): Promise<boolean> {
  const { rows } = await pool.query(`select from pg_namespace where nspname = 'pgboss'`);
  return rows.length > 0;
}

/** The jobs that are not done yet, with those under way: what a copy of the database has to do, once it runs. */
export async function waitingJobs(client: Asking): Promise<WaitingJob[]> {
  if (!(await hasSchema({ pool: client }))) return [];
  const { rows } = await client.query<WaitingJob>(`
    select id::text, name, data, to_json(start_after) #>> '{}' as "startAfter" from pgboss.job
    where state <= 'active' order by start_after, id`);
  return rows;
}

async function prepareQueue(boss: PgBoss, name: JobName): Promise<void> {
  if ((await boss.getQueue(name)) === null) await boss.createQueue(name, QUEUE);
  // Makes pg-boss cache the queue. Otherwise sending the first job would look it up outside the sending transaction,
  // which deadlocks on the embedded database's one connection.
  await boss.findJobs(name, { id: randomUUID() });
}

/**
 * Looks for due jobs once a second, in one query that only reads. If pg-boss polled that often, each queue would send its
 * own query, which writes.
 * @param workers the worker of each queue
 */
function wakeWorkers(db: Database, boss: PgBoss, workers: ReadonlyMap<string, string>, log: Log): Repeated {
  const names = [...workers.keys()];
  const wake = async () => {
    const { rows } = await db.pool.query<{ name: string }>(QUEUES_WITH_DUE_JOBS, [names]);
    for (const { name } of rows) boss.notifyWorker(workers.get(name) ?? '');
  };
  const look = () => wake().catch((err: unknown) => log.error({ err }, 'the job queues have a problem'));
  return repeat(look, { firstMs: LOOK_FOR_JOBS_EVERY_MS, everyMs: LOOK_FOR_JOBS_EVERY_MS });
}

/** The conditions are those of pg-boss. */
const QUEUES_WITH_DUE_JOBS = `
  select name from unnest($1::text[]) queue (name)
  where exists (
    select from pgboss.job j
    where j.name = queue.name and j.state < 'active' and not j.blocked and j.start_after <= now()
  )`;

/** @returns the id of the worker */
async function workOn<Name extends JobName>(
  boss: PgBoss,
  name: Name,
  handlers: JobHandlers,
  { db, log }: { readonly db: Database; readonly log: Log },
): Promise<string> {
  const done = recentlyDone();
  return boss.work<JobData[Name], void, typeof WORK>(name, WORK, (jobs) =>
    Promise.all(
      jobs.map(async ({ id, data, retryCount }) => {
        try {
          if (!done.has(id)) await handlers[name](data, { isLast: retryCount >= QUEUE.retryLimit });
          done.add(id);
          return { id, status: 'completed' as const };
        } catch (error) {
          const output = kindOf(error);
          if (error instanceof MailRefused) {
            log.warn({ job: name, id, ...output }, 'a mail was refused for good');
            return { id, status: 'completed' as const, output };
          }
          // While the database is out of reach, the log has that alone.
          if (!isOutOfReach(error) || (await db.reach.look())) {
            log.warn({ job: name, id, try: retryCount + 1, ...output }, 'a job failed');
          }
          return { id, status: 'failed' as const, output };
        }
      }),
    ),
  );
}

const REMEMBERED = 1000;

/** The jobs that this process did last. A database that went away meanwhile does not know, and gives them out again. */
function recentlyDone() {
  const ids = new Set<string>();
  return {
    has: (id: string) => ids.has(id),
    add: (id: string) => {
      ids.add(id);
      const [oldest] = ids;
      if (ids.size > REMEMBERED && oldest !== undefined) ids.delete(oldest);
    },
  };
}

/** An error without its message: a mail server's message can contain the recipient's address. */
function kindOf(error: unknown): { error: string; code?: string } {
  if (!(error instanceof Error)) return { error: typeof error };
  return { error: error.name, ...('code' in error ? { code: String(error.code) } : {}) };
}

type BossDatabase = NonNullable<ConstructorOptions['db']>;

/**
 * The program's pool as pg-boss wants a database. pg-boss migrates its tables with multi-statement scripts between
 * BEGIN and COMMIT: one that fails midway must not leave a transaction open on a shared connection.
 */
function bossDatabase(pool: pg.Pool): BossDatabase {
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

/** The driver answers a script with one result per statement. */
function rowsOf(result: pg.QueryResult | pg.QueryResult[]): { rows: unknown[] } {
  return Array.isArray(result) ? { rows: result.flatMap(({ rows }) => rows ?? []) } : result;
}
