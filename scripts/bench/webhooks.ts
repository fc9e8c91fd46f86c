import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { WEBHOOK_PATH } from '#contract/calls.ts';
import { type Database, openDatabase } from '#server/db/connection.ts';
import { migrate } from '#server/db/migrate.ts';
import { startPostgresServer } from '../postgres/start-postgres.ts';
import { comparedBooks } from '../provider/compared-books.ts';
import { type OutsideProvider, startOutsideProvider } from '../provider/outside-provider.ts';
import { BENCH_ORG, EVENTS_PER_GIFT, payGifts } from './paid-gifts.ts';
import { type ProcessorTime, processorTime } from './processor-time.ts';
import { withScratchProduct } from './scratch-product.ts';
import { AT_ONCE, MOST_COPIES, shuffledCopies, timeEach, webhookSender } from './shuffled-deliveries.ts';

// npm run bench -- webhooks [--deliveries 100000] [--events 20000] [--missed 10000]
//
// The real program on PostgreSQL with fsync on hears of gifts: each event once to eight times, shuffled, 32 at once. Then
// it was off while more were paid, and finds them in the provider's list of events. Prints how fast events are accepted
// and applied, beside single inserts by the same driver. Exits with 1 when a row or a cent is not exact.

const GOALS = { accepted: 500, p99: 100, applied: 300, recovery: 60 };
const HOUR_MS = 60 * 60_000;
const LOOK_EVERY_MS = 500;
const LONGEST_WAIT_MS = 30 * 60_000;
/** How many events the program applies at once: it is at its limit only while at least as many wait. */
const BUSY = 16;

type Sizes = { readonly deliveries: number; readonly events: number; readonly missed: number };

/** @returns whether the books are exact */
export async function run(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      deliveries: { type: 'string', default: '100000' },
      events: { type: 'string', default: '20000' },
      missed: { type: 'string', default: '10000' },
    },
  });
  const sizes = {
    deliveries: Number(values.deliveries),
    events: Number(values.events),
    missed: Number(values.missed),
  };
  if (!(sizes.deliveries >= sizes.events && sizes.deliveries <= sizes.events * MOST_COPIES))
    throw new Error(`Each event is delivered once to ${MOST_COPIES} times.`);
  const server = await startPostgresServer({ durable: true });
  const folder = await mkdtemp(path.join(tmpdir(), 'city-climate-fund-bench-'));
  const provider = await startOutsideProvider(folder, { webhookUrl: () => '', deliver: false });
  const db = await openDatabase({ databaseUrl: server.url, dataDir: '', log: LOG });
  try {
    await migrate(db);
    return await measured({ db, provider, url: server.url }, sizes);
  } finally {
    await db.close();
    await provider.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const complain = (details: object, message: string) => console.error(message, details);
export const LOG = { info: () => {}, warn: complain, error: complain };

export type Bench = { readonly db: Database; readonly provider: OutsideProvider; readonly url: string };

async function measured(bench: Bench, sizes: Sizes): Promise<boolean> {
  const { db, provider, url } = bench;
  const org = { id: BENCH_ORG, slug: BENCH_ORG, name: 'Bench', tag: 'Warm homes' };
  await db.kysely.insertInto('orgs').values(org).execute();
  const product = { databaseUrl: url, settings: provider.settings };
  const isExact = await withScratchProduct(product, async ({ url: address, pid }) => {
    await until(db, 'the first reading of the list', listWasRead);
    // Older than what the program reads in the list again, so that it hears of them by the webhook alone.
    const at = new Date(Date.now() - 2 * HOUR_MS);
    const events = await payGifts(db, provider.store, { count: sizes.events / EVENTS_PER_GIFT, at });
    await sql`vacuum analyze`.execute(db.kysely);
    const before = await processorTime(pid, db);
    const { send, close } = webhookSender(new URL(address + WEBHOOK_PATH));
    const accepted = await timeEach(shuffledCopies(events, sizes.deliveries), send);
    close();
    const accepting = await processorTime(pid, db);
    const late = await until(db, 'all events to be applied', (bench) => haveApplied(bench, sizes.events));
    const applying = await processorTime(pid, db);
    const mailed = await mailedReceipts(db);
    const applied = await appliedPerSecond(db);
    const bare = await bareInserts(url, events);
    const perSecond = sizes.deliveries / accepted.seconds;
    const p99 = accepted.milliseconds[Math.floor(accepted.milliseconds.length * 0.99)] ?? 0;
    console.log(
      `${shown(sizes.deliveries)} deliveries of ${shown(sizes.events)} events, ${AT_ONCE} at once, PostgreSQL with fsync on`,
    );
    judge('accepted per second', perSecond, GOALS.accepted);
    judge('slowest 1% of answers, ms', p99, GOALS.p99, 'at most');
    judge('applied per second', applied, GOALS.applied);
    console.log(
      `  the last was applied ${late.toFixed(1)} s after the last answer; ${shown(mailed)} receipts were mailed by then`,
    );
    console.log(
      `  bare inserts per second ${bare.toFixed(0)}: accepted ${(perSecond / bare).toFixed(2)}, applied ${(applied / bare).toFixed(2)} of that`,
    );
    spent('deliveries were accepted', before, accepting);
    spent('the rest was applied', accepting, applying);
    return exact(bench, sizes.events);
  });
  const isExactAfter = sizes.missed === 0 || (await recovered(bench, sizes));
  return isExact && isExactAfter;
}

/** The program was off while gifts were paid, and none of their events was delivered. */
async function recovered({ db, provider, url }: Bench, sizes: Sizes): Promise<boolean> {
  const count = sizes.missed / EVENTS_PER_GIFT;
  await payGifts(db, provider.store, { count, at: new Date() });
  const all = sizes.events + sizes.missed;
  const product = { databaseUrl: url, settings: provider.settings };
  const begin = performance.now();
  return withScratchProduct(product, async () => {
    await until(db, 'the missed events', (bench) => haveApplied(bench, all));
    const seconds = (performance.now() - begin) / 1000;
    console.log(`${shown(sizes.missed)} missed events, found in the provider's list`);
    judge('seconds, the start of the program included', seconds, GOALS.recovery, 'at most');
    return exact({ db, provider, url }, all);
  });
}

/** Whether each event was stored and applied once, each gift is in the books once, and the provider says the same. */
export async function exact({ db, provider }: Bench, events: number): Promise<boolean> {
  const gifts = events / EVENTS_PER_GIFT;
  const { rows } = await sql<Record<'events' | 'recorded' | 'payments' | 'receipts', number>>`select
    (select count(*) from provider_events) as events,
    (select count(*) from provider_events where outcome = 'recorded') as recorded,
    (select count(distinct checkout_id) from ledger_entries where kind = 'payment') as payments,
    (select count(distinct ledger_entry_id) from receipts) as receipts`.execute(db.kysely);
  const found = rows[0] ?? { events: 0, recorded: 0, payments: 0, receipts: 0 };
  const { lines, differences } = await comparedBooks(db, await provider.paymentsOf(db));
  for (const line of lines) console.log(`  ${line}`);
  const isExact =
    found.events === events &&
    found.recorded === events &&
    found.payments === gifts &&
    found.receipts === gifts &&
    differences === 0;
  const { recorded, payments, receipts } = found;
  console.log(
    `  ${shown(found.events)} events stored, ${shown(recorded)} recorded, ${shown(payments)} of ${shown(gifts)} gifts, ${shown(receipts)} receipts: ${isExact ? 'exact' : 'NOT EXACT'}`,
  );
  return isExact;
}

async function listWasRead(db: Database): Promise<boolean> {
  const row = await db.kysely.selectFrom('provider_cursors').select('name').where('name', '=', 'events').execute();
  return row.length > 0;
}

/** Asks cheaply, since the database is at work. */
export async function haveApplied({ kysely }: Database, events: number): Promise<boolean> {
  const count = async (some: RawBuilder<unknown>) =>
    (await sql<{ count: number }>`select count(*) as count from provider_events ${some}`.execute(kysely)).rows[0]
      ?.count;
  return (await count(sql`where outcome = 'pending'`)) === 0 && (await count(sql``)) === events;
}

async function mailedReceipts({ kysely }: Database): Promise<number> {
  const { rows } = await sql<{ mailed: number }>`
    select count(*) as mailed from receipts where delivery = 'mailed'`.execute(kysely);
  return rows[0]?.mailed ?? 0;
}

/** Measured only while the program was at its limit. */
async function appliedPerSecond({ kysely }: Database): Promise<number> {
  const { rows } = await sql<{ applied: number; seconds: number }>`
    with steps as (select created_at as at, 1 as step from provider_events
        union all select applied_at, -1 from provider_events),
      waiting as (select step, sum(step) over in_time as events, lead(at) over in_time - at as during
        from steps window in_time as (order by at, step desc))
    select count(*) filter (where step = -1) as applied, extract(epoch from sum(during))::float8 as seconds
    from waiting where events >= ${BUSY}`.execute(kysely);
  const { applied = 0, seconds = 0 } = rows[0] ?? {};
  return applied / seconds;
}

/** For comparison: the same payloads, inserted into a scratch table with one commit each. */
export async function bareInserts(url: string, payloads: readonly string[]): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: AT_ONCE });
  try {
    await pool.query('create table bare_inserts (id bigint generated always as identity primary key, payload jsonb)');
    const insert = (payload: string) =>
      pool.query('insert into bare_inserts (payload) values ($1)', [payload]).then(() => {});
    const { seconds } = await timeEach(payloads, insert);
    await pool.query('drop table bare_inserts');
    return payloads.length / seconds;
  } finally {
    await pool.end();
  }
}

/** @returns the seconds it took */
export async function until(db: Database, what: string, isSo: (db: Database) => Promise<boolean>): Promise<number> {
  const begin = performance.now();
  while (!(await isSo(db))) {
    if (performance.now() - begin > LONGEST_WAIT_MS) throw new Error(`Waited in vain for ${what}.`);
    await pause(LOOK_EVERY_MS);
  }
  return (performance.now() - begin) / 1000;
}

function spent(what: string, from: ProcessorTime | undefined, to: ProcessorTime | undefined): void {
  if (!from || !to) return;
  const [program, postgres, bench] = [to.program - from.program, to.postgres - from.postgres, to.bench - from.bench];
  console.log(
    `  processor ms while ${what}: program ${shown(Math.round(program))}, PostgreSQL ${shown(Math.round(postgres))}, provider and sender ${shown(Math.round(bench))}`,
  );
}

function judge(what: string, measured: number, goal: number, limit: 'at least' | 'at most' = 'at least'): void {
  const isMet = limit === 'at least' ? measured >= goal : measured <= goal;
  const figure = measured.toLocaleString('en-US', { maximumFractionDigits: 1 });
  console.log(`  ${what} ${figure}; goal ${limit} ${goal}: ${isMet ? 'met' : 'MISSED'}`);
}

function shown(number: number): string {
  return number.toLocaleString('en-US');
}
