import fastify, { type FastifyInstance } from 'fastify';
import { type Kysely, sql, type Transaction } from 'kysely';
import { DEFAULT_CARD_FEE } from '#domain/card-fee.ts';
import { createDeliveryQueue } from '#sandbox/events.ts';
import { openStore } from '#sandbox/store.ts';
import { createCaches } from '#server/db/caches.ts';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';
import type { AppDeps, WithSettings } from '#server/deps.ts';
import { webhookRoute } from '#server/features/provider-events/webhook.routes.ts';
import { EmailRejectedError, type Mailer } from '#server/gateways/email/mailer.ts';
import { createStripePayments } from '#server/gateways/payments/stripe-payments.ts';
import type { QueueableJob } from '#server/jobs/define-job.ts';
import type { Log } from '#server/log.ts';
import { createEventSignals } from '#server/process/event-signals.ts';
import { createMetrics } from '#server/process/metrics.ts';
import { applyFaultOutcome, Crash, Fault, pickFaultOutcome } from './faults.ts';
import { createSchedule } from './schedule.ts';
import { createSimulatedDatabase, withPreparedStatements } from './simulated-database.ts';
import { createSimulatedNetwork, emptyStore, withCachedStatements } from './simulated-provider.ts';
import { createWorld, type World } from './world.ts';

export const WEBHOOK_SECRET = 'whsec_simulation';
export const INSTALLATION = 'the simulation';
/** Email to this address is rejected permanently. */
export const REJECTED_ADDRESS = 'rejected@example.org';

type Deps = Pick<
  AppDeps,
  'db' | 'payments' | 'jobs' | 'events' | 'now' | 'parent' | 'sandbox' | 'publicUrl' | 'livemode' | 'challenge'
> &
  WithSettings<'cardFee'>;

/** The server's code with a real database and a simulated world, which each seed replaces. */
export type SimulatedApp = {
  readonly deps: Deps & { readonly mailer: Mailer };
  readonly log: Log;
  readonly webhook: () => FastifyInstance;
  /** For the simulation's own queries during a run. */
  readonly inspector: Kysely<Tables>;
  /** For queries before and after a run. */
  readonly realDb: Database;
  readonly world: () => World;
  startSeed(seed: number): Promise<World>;
  close(): Promise<void>;
};

export async function openSimulatedApp(realDb: Database): Promise<SimulatedApp> {
  let currentWorld: World | undefined;
  const store = withCachedStatements(openStore(':memory:'));
  const deliveries = createDeliveryQueue(store);
  const world = (): World => {
    if (!currentWorld) throw new Error('No seed was started.');
    return currentWorld;
  };
  const taskSchedule = createSchedule(() => world().random);
  const now = () => world().now();
  const payments = createStripePayments({
    secretKey: 'sk_test_simulation',
    webhookSecret: WEBHOOK_SECRET,
    installation: INSTALLATION,
    httpClient: createSimulatedNetwork(world),
    now,
  });
  await sql`create table if not exists simulated_jobs (
    id bigserial primary key, name text not null, data jsonb not null, tries int not null default 0)`.execute(
    realDb.kysely,
  );
  const { db, inspector } = createSimulatedDatabase(realDb, world);
  const deps = {
    db,
    payments,
    jobs: createJobs(),
    events: createEventSignals(),
    now,
    parent: { name: 'Parent', ein: '12-3456789', address: '1 Street', contactEmail: 'contact@example.org' },
    sandbox: true,
    livemode: false,
    settings: { cardFee: DEFAULT_CARD_FEE },
    challenge: undefined,
    publicUrl: () => 'https://fund.example',
    mailer: createMailer(world),
  };
  let webhook: FastifyInstance = fastify();
  return {
    deps,
    log: createLog(world),
    webhook: () => webhook,
    inspector,
    realDb: { ...realDb, kysely: withPreparedStatements(realDb) },
    world,
    startSeed: async (seed) => {
      // A seed must not see another seed's caches.
      deps.db = { ...db, caches: createCaches() };
      await webhook.close();
      webhook = await openWebhook(deps);
      currentWorld = createWorld(seed, { schedule: taskSchedule, store: emptyStore(store), deliveries });
      return currentWorld;
    },
    close: async () => {
      store.close();
      await webhook.close();
    },
  };
}

async function openWebhook(deps: Deps): Promise<FastifyInstance> {
  const webhook = fastify();
  await webhook.register((app) => webhookRoute(app, { ...deps, metrics: createMetrics() }));
  await webhook.ready();
  return webhook;
}

/** Jobs are committed with the transaction that queues them, as in production. */
function createJobs(): AppDeps['jobs'] {
  const insert = async (tx: Transaction<Tables>, { name }: Pick<QueueableJob<object>, 'name'>, payload: object) => {
    await sql`insert into simulated_jobs (name, data) values (${name}, ${JSON.stringify(payload)})`.execute(tx);
  };
  return {
    enqueue: insert,
    enqueueAll: async (tx, job, payloads) => {
      for (const payload of payloads) await insert(tx, job, payload);
    },
  };
}

function createMailer(world: () => World): Mailer {
  return {
    send: async ({ to, messageKey }) => {
      const { faults, random, emails, unconfirmedEmails, schedule: taskSchedule } = world();
      await taskSchedule.waitForTurn();
      if (to === REJECTED_ADDRESS) throw new EmailRejectedError('550');
      const outcome = pickFaultOutcome(faults, random, 'mail');
      await applyFaultOutcome(outcome, faults, 'ECONNREFUSED', async () => {
        countKey(emails, messageKey);
        if (outcome !== 'done') countKey(unconfirmedEmails, messageKey);
      });
    },
  };
}

function countKey(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Reports errors that aren't caused by a simulated fault as violations. */
function createLog(world: () => World): Log {
  const report = (details: object, message: string) => {
    const { faults, unexpectedProblems } = world();
    const error = 'err' in details ? details.err : undefined;
    if (error instanceof Fault || error instanceof Crash || faults.hasCrashed) return;
    const reason = error instanceof Error ? error.message : JSON.stringify(details);
    if (error instanceof Error || faults.isCalm) unexpectedProblems.push(`${message}: ${reason}`);
  };
  return { info: () => {}, warn: report, error: report };
}
