import { type Kysely, sql } from 'kysely';
import { GIFT_ENTRIES } from '#domain/books.ts';
import { isInPaymentMode } from '#server/db/payment-mode.ts';
import type { Tables } from '#server/db/tables.ts';

export type QueueFigures = {
  readonly name: string;
  readonly waiting: number;
  readonly running: number;
  /** Jobs that permanently failed in the last seven days. */
  readonly failed: number;
  readonly oldestAt: Date | null;
};

/** Counts the jobs in each queue. Returns nothing before the program's first start. */
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

export type GiftFigures = {
  readonly kind: (typeof GIFT_ENTRIES)[number];
  readonly count: number;
  readonly cents: number;
};

/** Counts and sums gifts recorded after a time. Reads each organization's entries through an index. */
export async function readGiftFigures(db: Kysely<Tables>, since: Date): Promise<GiftFigures[]> {
  const { rows } = await sql<GiftFigures>`
    select kinds.kind, count(gift.id)::int as count, coalesce(sum(gift.amount_cents), 0)::int8 as cents
    from unnest(${sql.val(GIFT_ENTRIES)}::text[]) kinds (kind)
    left join (
      select entry.id, entry.kind, entry.amount_cents from orgs
      cross join lateral (
        select id, kind, amount_cents, livemode from ledger_entries
        where ledger_entries.org_id = orgs.id and ledger_entries.created_at > ${since}) entry
      where ${isInPaymentMode('entry.livemode')}) gift on gift.kind = kinds.kind
    group by kinds.kind order by kinds.kind`.execute(db);
  return rows;
}

/** Reads the names of the active alarms, without the names of machines. */
export async function readActiveAlarms(db: Kysely<Tables>): Promise<ReadonlySet<string>> {
  const alarms = await db.selectFrom('alarms').select('name').where('is_on', '=', true).execute();
  return new Set(alarms.map(({ name }) => name.split('@')[0] ?? name));
}
