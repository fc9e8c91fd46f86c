import { type Kysely, sql } from 'kysely';
import type { PolicyReport } from '#contract/schemas/policy-reports.ts';
import type { Tables } from '#server/db/tables.ts';
import type { Blocked } from './sent-reports.ts';

/** Anyone can send any number of different ones. */
const MOST_KEPT = 500;
const MOST_SHOWN = 100;
/** So that a count cannot overflow. */
const COUNT_MAXIMUM = 1_000_000;

export async function isReported(db: Kysely<Tables>, { directive, blocked, page, source }: Blocked): Promise<boolean> {
  const known = db.selectFrom('policy_reports').select('count').where('directive', '=', directive);
  const same = known.where('blocked', '=', blocked).where('page', '=', page).where('source', '=', source);
  return (await same.executeTakeFirst()) !== undefined;
}

/** Counts a report; a new one only while there is room. */
export async function countReport(db: Kysely<Tables>, report: Blocked, now: Date): Promise<void> {
  const { directive, blocked, page, source } = report;
  await sql`
    insert into policy_reports (directive, blocked, page, source, count, first_at, last_at)
    select ${directive}, ${blocked}, ${page}, ${source}, 1, ${now}::timestamptz, ${now}::timestamptz
    where (select count(*) from policy_reports) < ${MOST_KEPT} or exists (
      select from policy_reports where (directive, blocked, page, source) = (${directive}, ${blocked}, ${page}, ${source}))
    on conflict (directive, blocked, page, source) do update set
      count = least(policy_reports.count + 1, ${COUNT_MAXIMUM}), last_at = excluded.last_at`.execute(db);
}

export async function latestReports(db: Kysely<Tables>): Promise<PolicyReport[]> {
  const rows = await db
    .selectFrom('policy_reports')
    .selectAll()
    .orderBy('last_at', 'desc')
    .orderBy('count', 'desc')
    .limit(MOST_SHOWN)
    .execute();
  return rows.map(({ first_at, last_at, ...report }) => ({
    ...report,
    firstTimestamp: first_at.toISOString(),
    lastTimestamp: last_at.toISOString(),
  }));
}

export async function deleteReports(db: Kysely<Tables>, before: Date): Promise<void> {
  await db.deleteFrom('policy_reports').where('last_at', '<', before).execute();
}
