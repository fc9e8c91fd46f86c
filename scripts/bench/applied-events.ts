import { setTimeout as pause } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import type { Database } from '#server/db/connection.ts';
import { compareBooks } from '../provider/compare-books.ts';
import type { ExternalProvider } from '../provider/external-provider.ts';
import { EVENTS_PER_GIFT } from './paid-gifts.ts';
import { CONCURRENCY, timeEach } from './shuffled-deliveries.ts';

const POLL_INTERVAL_MS = 500;
const MAX_WAIT_MS = 30 * 60_000;

export type Bench = { readonly db: Database; readonly provider: ExternalProvider; readonly url: string };

/** @returns whether each event was applied once, each gift is in the books once, and the books match the provider */
export async function verifyExactlyOnce({ db, provider }: Bench, eventCount: number): Promise<boolean> {
  const giftCount = eventCount / EVENTS_PER_GIFT;
  const { rows } = await sql<Record<'events' | 'recorded' | 'payments' | 'receipts', number>>`select
    (select count(*) from provider_events) as events,
    (select count(*) from provider_events where outcome = 'recorded') as recorded,
    (select count(distinct checkout_id) from ledger_entries where kind = 'payment') as payments,
    (select count(distinct ledger_entry_id) from receipts) as receipts`.execute(db.kysely);
  const counts = rows[0] ?? { events: 0, recorded: 0, payments: 0, receipts: 0 };
  const { lines, differences } = await compareBooks(db, await provider.createPaymentsClient(db));
  for (const line of lines) console.log(`  ${line}`);
  const isExact =
    counts.events === eventCount &&
    counts.recorded === eventCount &&
    counts.payments === giftCount &&
    counts.receipts === giftCount &&
    differences === 0;
  const { recorded, payments, receipts } = counts;
  console.log(
    `  ${formatCount(counts.events)} events stored, ${formatCount(recorded)} recorded, ${formatCount(payments)} of ${formatCount(giftCount)} gifts, ${formatCount(receipts)} receipts: ${isExact ? 'exact' : 'NOT EXACT'}`,
  );
  return isExact;
}

/** @returns whether all events were applied; uses cheap queries, because it is polled while the database is busy */
export async function areEventsApplied({ kysely }: Database, eventCount: number): Promise<boolean> {
  const count = async (filter: RawBuilder<unknown>) =>
    (await sql<{ count: number }>`select count(*) as count from provider_events ${filter}`.execute(kysely)).rows[0]
      ?.count;
  return (await count(sql`where outcome = 'pending'`)) === 0 && (await count(sql``)) === eventCount;
}

/** Baseline: inserts the same payloads into a scratch table, with one commit each. */
export async function measureBareInserts(url: string, payloads: readonly string[]): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: CONCURRENCY });
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

/** @returns seconds until the condition was true */
export async function waitUntil(
  db: Database,
  subject: string,
  condition: (db: Database) => Promise<boolean>,
): Promise<number> {
  const begin = performance.now();
  while (!(await condition(db))) {
    if (performance.now() - begin > MAX_WAIT_MS) throw new Error(`Timed out waiting for ${subject}.`);
    await pause(POLL_INTERVAL_MS);
  }
  return (performance.now() - begin) / 1000;
}

export function formatCount(number: number): string {
  return number.toLocaleString('en-US');
}
