import { type Kysely, sql } from 'kysely';
import { GIFT_AND_RETURN_ENTRIES, GIFT_ENTRIES, type LedgerKind } from '#domain/books.ts';
import type { OrgId } from '#domain/ids.ts';
import type { Cents, TenThousandthsOfPound } from '#domain/money.ts';
import { isOfKind } from '#server/db/fact-sql.ts';
import { isInPaymentMode } from '#server/db/payment-mode.ts';
import type { Tables } from '#server/db/tables.ts';

/** Ledger totals for one kind of entry in one period. */
export type KindSums = {
  /** Number of the period, starting at 1. */
  readonly periodNumber: number;
  readonly kind: LedgerKind;
  readonly amount_cents: Cents;
  readonly carbon: TenThousandthsOfPound;
  readonly entries: number;
};

/** Sums entries by period and kind. Uses a covering index and no per-row date arithmetic. @param starts start of each period */
export async function sumEntriesByPeriod(
  db: Kysely<Tables>,
  orgId: OrgId,
  starts: readonly Date[],
): Promise<KindSums[]> {
  const { rows } = await sql<KindSums>`
    select width_bucket(booked_at, ${starts}::timestamptz[]) as "periodNumber", kind,
      sum(amount_cents)::int8 as amount_cents, sum(carbon)::int8 as carbon, count(*) as entries
    from ledger_entries
    where org_id = ${orgId} and booked_at >= ${starts[0]}
      and ${isInPaymentMode('livemode')}
    group by 1, 2`.execute(db);
  return rows;
}

export type OpenCheckouts = { readonly processing: number; readonly failed: number; readonly disputed: number };

/** Counts checkouts that need attention, except old failures and decided disputes. */
export async function countOpenCheckouts(db: Kysely<Tables>, orgId: OrgId, failedSince: Date): Promise<OpenCheckouts> {
  const { rows } = await sql<OpenCheckouts>`
    select count(*) filter (where payment_status = 'processing') as processing,
      count(*) filter (where payment_status = 'failed') as failed,
      count(*) filter (where payment_status = 'disputed' and exists (select from payments p
        where p.checkout_id = c.id and p.status = 'disputed')) as disputed
    from checkouts c
    where org_id = ${orgId} and deleted_at is null and (payment_status in ('processing', 'disputed')
      or (payment_status = 'failed' and created_at >= ${failedSince}))`.execute(db);
  return rows[0] ?? { processing: 0, failed: 0, disputed: 0 };
}

export type OpenPledges = { readonly pledges: number; readonly cents: Cents; readonly suspicious: number };

/** Counts pledged checks that haven't arrived. The sum excludes suspicious pledges. */
export async function countOpenPledges(db: Kysely<Tables>, orgId: OrgId): Promise<OpenPledges> {
  const { rows } = await sql<OpenPledges>`
    select count(*) filter (where not suspicious) as pledges, count(*) filter (where suspicious) as suspicious,
      coalesce(sum(amount_cents) filter (where not suspicious), 0)::int8 as cents
    from pledges where org_id = ${orgId} and status = 'pledged'`.execute(db);
  return rows[0] ?? { pledges: 0, cents: 0, suspicious: 0 };
}

export type RecentGift = {
  readonly entry_id: string;
  readonly kind: 'payment' | 'renewal' | 'check';
  readonly gift_id: string | null;
  readonly name: string | null;
  readonly amount_cents: Cents;
  readonly booked_at: Date;
};

/** Reads the latest gifts, newest first. */
export async function readRecentGifts(db: Kysely<Tables>, orgId: OrgId, max: number): Promise<RecentGift[]> {
  const { rows } = await sql<RecentGift>`
    select e.id as entry_id, e.kind, case when c.deleted_at is null then coalesce(c.id, p.id) end as gift_id,
      coalesce(c.display_name, c.email, p.name) as name, e.amount_cents, e.booked_at
    from (
      select * from ledger_entries
      where org_id = ${orgId} and ${isOfKind('kind', GIFT_ENTRIES)} and ${isInPaymentMode('livemode')}
      order by booked_at desc, id desc limit ${max}) e
    left join checkouts c on c.id = e.checkout_id
    left join pledges p on p.id = e.pledge_id
    order by e.booked_at desc, e.id desc`.execute(db);
  return rows;
}

/** Sums gifts minus returns that were booked in a time span. */
export async function sumGifts(db: Kysely<Tables>, orgId: OrgId, from: Date, until: Date): Promise<Cents> {
  const { rows } = await sql<{ cents: Cents }>`
    select coalesce(sum(amount_cents), 0)::int8 as cents from ledger_entries
    where org_id = ${orgId} and booked_at >= ${from} and booked_at < ${until} and ${isInPaymentMode('livemode')}
      and ${isOfKind('kind', GIFT_AND_RETURN_ENTRIES)}`.execute(db);
  return rows[0]?.cents ?? 0;
}

export type OpenDispute = {
  readonly gift_id: string;
  readonly name: string | null;
  readonly amount_cents: Cents;
  readonly due_at: Date | null;
};

/** Reads open disputes, earliest deadline first. */
export async function readOpenDisputes(db: Kysely<Tables>, orgId: OrgId, max: number): Promise<OpenDispute[]> {
  const { rows } = await sql<OpenDispute>`
    select c.id as gift_id, coalesce(c.display_name, c.email) as name, coalesce(r.amount_cents, p.amount_cents)
      as amount_cents, a.due_at
    from checkouts c
      join payments p on p.checkout_id = c.id and p.status = 'disputed'
      left join payment_returns r on r.entry_id = p.entry_id and r.kind = 'dispute' and r.status = 'open'
      left join lateral (
        select min(due_at) as due_at from attention_items
        where org_id = c.org_id and resolved_at is null and checkout_id = c.id) a on true
    where c.org_id = ${orgId} and c.payment_status = 'disputed' and c.deleted_at is null
    order by a.due_at nulls last, c.created_at, c.id limit ${max}`.execute(db);
  return rows;
}

/** Counts stories that are pending review. */
export async function countDraftStories(db: Kysely<Tables>, orgId: OrgId): Promise<number> {
  const { rows } = await sql<{ stories: number }>`
    select count(*) as stories from offsetters
    where org_id = ${orgId} and status = 'draft' and shown_as <> 'none'`.execute(db);
  return rows[0]?.stories ?? 0;
}
