import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { WEBHOOK_PATH } from '#contract/calls.ts';
import { type Database, openDatabase } from '#server/db/connection.ts';
import { migrate } from '#server/db/migrate.ts';
import { startPostgresServer } from '../postgres/start-postgres.ts';
import { startExternalProvider } from '../provider/external-provider.ts';
import {
  areEventsApplied,
  type Bench,
  formatCount,
  measureBareInserts,
  verifyExactlyOnce,
  waitUntil,
} from './applied-events.ts';
import { type CpuTime, readCpuTime } from './cpu-time.ts';
import { BENCH_ORG_ID, EVENTS_PER_GIFT, payGifts } from './paid-gifts.ts';
import { compareProcesses } from './scale.ts';
import { CONCURRENCY, copyAndShuffle, createWebhookSender, MAX_COPIES, timeEach } from './shuffled-deliveries.ts';
import { withTestServer } from './test-server.ts';

// npm run bench -- webhooks [--deliveries 100000] [--events 20000] [--missed 10000] [--gifts 1000] [--most 10000]
//
// Delivers payment events to the real server on PostgreSQL with fsync on: each event one to eight times, shuffled, 32 at a
// time. Then more gifts are paid while the server is down, and it finds them in the provider's event list. Then it
// compares 1, 2, and 4 processes (scale.ts; `--gifts 0` skips this). Prints events accepted and applied per second, next to
// single inserts by the same driver. Exits with status 1 if any row or cent is off.

const GOALS = { acceptedPerSecond: 500, p99Ms: 100, appliedPerSecond: 300, recoverySeconds: 60 };
const HOUR_MS = 60 * 60_000;
/**
 * The server fetches more events when half of its 32 slots are free, so it is busy only if at least 16 events are
 * pending.
 */
const BUSY_THRESHOLD = 16;

type Sizes = { readonly deliveries: number; readonly events: number; readonly missed: number };

/** @returns whether the books are exact */
export async function run(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      deliveries: { type: 'string', default: '100000' },
      events: { type: 'string', default: '20000' },
      missed: { type: 'string', default: '10000' },
      gifts: { type: 'string', default: '1000' },
      most: { type: 'string', default: '10000' },
    },
  });
  const sizes = {
    deliveries: Number(values.deliveries),
    events: Number(values.events),
    missed: Number(values.missed),
  };
  if (!(sizes.deliveries >= sizes.events && sizes.deliveries <= sizes.events * MAX_COPIES))
    throw new Error(`Each event is delivered once to ${MAX_COPIES} times.`);
  const server = await startPostgresServer({ isDurable: true });
  const folder = await mkdtemp(path.join(tmpdir(), 'city-climate-fund-bench-'));
  const provider = await startExternalProvider(folder, { webhookUrl: () => '', deliversAutomatically: false });
  const db = await openDatabase({ databaseUrl: server.url, dataDir: '', log: LOG });
  try {
    await migrate(db);
    const bench = { db, provider, url: server.url };
    const isExact = await measureDelivery(bench, sizes);
    if (values.gifts === '0') return isExact;
    const counts = {
      gifts: Number(values.gifts),
      finalGifts: Number(values.most),
      eventsBefore: sizes.events + sizes.missed,
    };
    return (await compareProcesses(bench, counts)) && isExact;
  } finally {
    await db.close();
    await provider.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const printLog = (details: object, message: string) => console.error(message, details);
const LOG = { info: () => {}, warn: printLog, error: printLog };

async function measureDelivery(bench: Bench, sizes: Sizes): Promise<boolean> {
  const { db, provider, url } = bench;
  const org = { id: BENCH_ORG_ID, slug: BENCH_ORG_ID, name: 'Bench', tag: 'Warm homes' };
  await db.kysely.insertInto('orgs').values(org).execute();
  const serverOptions = { databaseUrl: url, settings: provider.settings };
  const isExact = await withTestServer(serverOptions, async ({ url: address, pid }) => {
    await waitUntil(db, 'the first read of the event list', isEventListRead);
    // These gifts are too old for the server to find in the provider's event list, so it gets them only by webhook.
    const paidAt = new Date(Date.now() - 2 * HOUR_MS);
    const events = await payGifts(db, provider.store, { count: sizes.events / EVENTS_PER_GIFT, paidAt });
    await sql`vacuum analyze`.execute(db.kysely);
    const cpuBefore = await readCpuTime(pid, db);
    const { send, close } = createWebhookSender(new URL(address + WEBHOOK_PATH));
    const deliveryTimes = await timeEach(copyAndShuffle(events, sizes.deliveries), send);
    close();
    const cpuWhenAccepted = await readCpuTime(pid, db);
    const applyingSeconds = await waitUntil(db, 'all events to be applied', (bench) =>
      areEventsApplied(bench, sizes.events),
    );
    const cpuWhenApplied = await readCpuTime(pid, db);
    const emailedReceipts = await countEmailedReceipts(db);
    const applied = await measureAppliedPerSecond(db);
    const insertsPerSecond = await measureBareInserts(url, events);
    const perSecond = sizes.deliveries / deliveryTimes.seconds;
    const p99 = deliveryTimes.milliseconds[Math.floor(deliveryTimes.milliseconds.length * 0.99)] ?? 0;
    console.log(
      `${formatCount(sizes.deliveries)} deliveries of ${formatCount(sizes.events)} events, ${CONCURRENCY} at once, PostgreSQL with fsync on`,
    );
    printGoal('accepted per second', perSecond, GOALS.acceptedPerSecond);
    printGoal('slowest 1% of responses, ms', p99, GOALS.p99Ms, 'at most');
    printGoal('applied per second', applied, GOALS.appliedPerSecond);
    console.log(
      `  the last was applied ${applyingSeconds.toFixed(1)} s after the last response; ${formatCount(emailedReceipts)} receipts were emailed by then`,
    );
    console.log(
      `  bare inserts per second ${insertsPerSecond.toFixed(0)}: accepted ${(perSecond / insertsPerSecond).toFixed(2)}, applied ${(applied / insertsPerSecond).toFixed(2)} of that`,
    );
    printCpuTime('deliveries were accepted', cpuBefore, cpuWhenAccepted);
    printCpuTime('the rest was applied', cpuWhenAccepted, cpuWhenApplied);
    return verifyExactlyOnce(bench, sizes.events);
  });
  const isExactAfterRecovery = sizes.missed === 0 || (await measureRecovery(bench, sizes));
  return isExact && isExactAfterRecovery;
}

/**
 * Measures recovery after the server was down: none of the events for the gifts paid during the outage were delivered.
 */
async function measureRecovery({ db, provider, url }: Bench, sizes: Sizes): Promise<boolean> {
  const count = sizes.missed / EVENTS_PER_GIFT;
  await payGifts(db, provider.store, { count, paidAt: new Date() });
  const eventCount = sizes.events + sizes.missed;
  const serverOptions = { databaseUrl: url, settings: provider.settings };
  const begin = performance.now();
  return withTestServer(serverOptions, async () => {
    await waitUntil(db, 'the missed events', (bench) => areEventsApplied(bench, eventCount));
    const seconds = (performance.now() - begin) / 1000;
    console.log(`${formatCount(sizes.missed)} missed events, found in the provider's list`);
    printGoal('seconds, including startup', seconds, GOALS.recoverySeconds, 'at most');
    return verifyExactlyOnce({ db, provider, url }, eventCount);
  });
}

async function isEventListRead(db: Database): Promise<boolean> {
  const rows = await db.kysely.selectFrom('provider_cursors').select('name').where('name', '=', 'events').execute();
  return rows.length > 0;
}

async function countEmailedReceipts({ kysely }: Database): Promise<number> {
  const { rows } = await sql<{ sent: number }>`
    select count(*) as sent from receipts where delivery = 'sent'`.execute(kysely);
  return rows[0]?.sent ?? 0;
}

/** Counts only periods in which the server was at its limit. */
async function measureAppliedPerSecond({ kysely }: Database): Promise<number> {
  const { rows } = await sql<{ applied: number; seconds: number }>`
    with steps as (select created_at as at, 1 as step from provider_events
        union all select applied_at, -1 from provider_events),
      pending as (select step, sum(step) over in_time as events, lead(at) over in_time - at as duration
        from steps window in_time as (order by at, step desc))
    select count(*) filter (where step = -1) as applied, extract(epoch from sum(duration))::float8 as seconds
    from pending where events >= ${BUSY_THRESHOLD}`.execute(kysely);
  const { applied = 0, seconds = 0 } = rows[0] ?? {};
  return applied / seconds;
}

function printCpuTime(activity: string, from: CpuTime | undefined, to: CpuTime | undefined): void {
  if (!from || !to) return;
  const [server, postgres, bench] = [to.server - from.server, to.postgres - from.postgres, to.bench - from.bench];
  console.log(
    `  CPU ms while ${activity}: server ${formatCount(Math.round(server))}, PostgreSQL ${formatCount(Math.round(postgres))}, provider and sender ${formatCount(Math.round(bench))}`,
  );
}

function printGoal(label: string, measured: number, goal: number, limit: 'at least' | 'at most' = 'at least'): void {
  const isMet = limit === 'at least' ? measured >= goal : measured <= goal;
  const figure = measured.toLocaleString('en-US', { maximumFractionDigits: 1 });
  console.log(`  ${label} ${figure}; goal ${limit} ${goal}: ${isMet ? 'met' : 'MISSED'}`);
}
