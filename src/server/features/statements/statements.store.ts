import { type Kysely, sql } from 'kysely';
import { GIFT_AND_RETURN_ENTRIES, GIFT_ENTRIES, type LedgerKind } from '#domain/books.ts';
import type { Day, TimeZone } from '#domain/days.ts';
import type { OrgId } from '#domain/ids.ts';
import type { Cents } from '#domain/money.ts';
import { MONEY_ACCOUNTS, type PeriodSums } from '#domain/statement.ts';
import { buildFactFromColumns, hasFactName, isOfKind } from '#server/db/fact-sql.ts';
import { isInPaymentMode } from '#server/db/payment-mode.ts';
import type { Tables } from '#server/db/tables.ts';

export type TimeSpan = { readonly from: Date; readonly until: Date };

/** Matches entries in the current payment mode (decisions §3). */
const isCounted = isInPaymentMode('e.livemode');

/** Sums the movements of an organization's money accounts before and during a period, by kind. */
export async function readPeriodSums(
  db: Kysely<Tables>,
  orgId: OrgId,
  { from, until }: TimeSpan,
): Promise<PeriodSums[]> {
  const { rows } = await sql<PeriodSums>`
    select l.account, e.kind,
      coalesce(sum(l.cents) filter (where e.booked_at < ${from}), 0)::int8 as "before",
      coalesce(sum(l.cents) filter (where e.booked_at >= ${from}), 0)::int8 as "during"
    from ledger_entries e join ledger_lines l on l.entry_id = e.id
    where e.org_id = ${orgId} and e.booked_at < ${until} and ${isCounted}
      and l.account = any(${[...MONEY_ACCOUNTS]}::text[])
    group by 1, 2`.execute(db);
  return rows;
}

/**
 * Sums the checks that were booked before a period ended but deposited after it, not yet, or never, because they were
 * reversed later.
 *
 * @param lastDay the last day of the period
 * @param depositsFrom start of the first closed month, if any; earlier checks may have been deposited without a record
 */
export async function sumUndepositedChecks(
  db: Kysely<Tables>,
  orgId: OrgId,
  {
    until,
    lastDay,
    depositsFrom,
  }: { readonly until: Date; readonly lastDay: Day; readonly depositsFrom?: Date | undefined },
): Promise<Cents> {
  const { rows } = await sql<{ cents: Cents }>`
    select coalesce(sum(e.amount_cents), 0)::int8 as cents
    from ledger_entries e left join deposit_checks dc on dc.entry_id = e.id left join deposits d on d.id = dc.deposit_id
    where e.org_id = ${orgId} and e.kind = 'check' and e.booked_at < ${until} and ${isCounted}
      and case when d.id is null then e.booked_at >= ${depositsFrom ?? new Date(0)} else d.deposited_on > ${lastDay} end
      and not exists (select from ledger_entries r
        where r.fact = ${buildFactFromColumns('check-reversal', 'e.id')} and r.booked_at < ${until})`.execute(db);
  return rows[0]?.cents ?? 0;
}

export type PeriodCounts = {
  /** Gifts minus returns. */
  readonly given_cents: Cents;
  readonly donors: number;
  /** Paid grants minus reversed payments. */
  readonly grants: number;
};

/**
 * Counts the donors of a period, and its grants. Excludes donors whose gifts were all returned in the same period, such as
 * checks recorded by mistake.
 */
export async function readPeriodCounts(
  db: Kysely<Tables>,
  orgId: OrgId,
  { from, until }: TimeSpan,
): Promise<PeriodCounts> {
  const { rows } = await sql<PeriodCounts>`
    with entries as materialized (
      select e.* from ledger_entries e
      where e.org_id = ${orgId} and e.booked_at >= ${from} and e.booked_at < ${until} and ${isCounted}),
    gifts as (
      select coalesce(e.payment_entry_id, e.reversed_entry_id, e.id) as id, sum(e.amount_cents) as cents,
        bool_or(${isOfKind('e.kind', GIFT_ENTRIES)}) as is_new, min(e.checkout_id) as checkout_id,
        min(e.pledge_id) as pledge_id
      from entries e where ${isOfKind('e.kind', GIFT_AND_RETURN_ENTRIES)} group by 1)
    select (select coalesce(sum(cents), 0)::int8 from gifts) as given_cents,
      (select count(distinct coalesce(d.merged_into_id, d.id)) from gifts g
        left join checkouts c on c.id = g.checkout_id left join pledges p on p.id = g.pledge_id
        join donors d on d.id = coalesce(c.donor_id, p.donor_id)
        where g.is_new and g.cents > 0) as donors,
      (select count(*) filter (where e.reversed_entry_id is null)
          - count(*) filter (where e.reversed_entry_id is not null)
        from entries e where e.kind = 'grant') as grants`.execute(db);
  return rows[0] ?? { given_cents: 0, donors: 0, grants: 0 };
}

/** An organization's share of a payout. */
export type ArrivedPayout = { readonly id: string; readonly booked_at: Date; readonly cents: Cents };

export async function listArrivedPayouts(
  db: Kysely<Tables>,
  orgId: OrgId,
  { from, until }: TimeSpan,
): Promise<ArrivedPayout[]> {
  const { rows } = await sql<ArrivedPayout>`
    select p.payout_id as id, e.booked_at, l.cents
    from ledger_entries e join payout_entries p on p.entry_id = e.id
      join ledger_lines l on l.entry_id = e.id and l.account = 'bank'
    where e.org_id = ${orgId} and e.booked_at >= ${from} and e.booked_at < ${until} and ${isCounted}
    order by e.booked_at, e.id`.execute(db);
  return rows;
}

/** An entry that was reported after its month was closed. */
export type LateEntry = {
  readonly id: string;
  readonly booked_at: Date;
  readonly occurred_at: Date;
  readonly kind: LedgerKind;
  readonly cents: Cents;
};

/**
 * Lists entries booked in a period but dated earlier, with each entry's effect on the fund's money. A gift precedes its
 * fee.
 */
export async function listLateEntries(
  db: Kysely<Tables>,
  orgId: OrgId,
  { from, until }: TimeSpan,
): Promise<LateEntry[]> {
  const { rows } = await sql<LateEntry>`
    select e.id, e.booked_at, e.occurred_at, e.kind, coalesce(sum(l.cents), 0)::int8 as cents
    from ledger_entries e
      left join ledger_lines l on l.entry_id = e.id and l.account = any(${[...MONEY_ACCOUNTS]}::text[])
    where e.org_id = ${orgId} and e.booked_at >= ${from} and e.booked_at < ${until} and e.occurred_at < ${from}
      and ${isCounted}
    group by e.id order by e.booked_at, sum(l.cents) < 0, e.id`.execute(db);
  return rows;
}

/** Kind of an entry. Distinguishes account fees from fees for payments, and reversed checks from failed refunds. */
export type LineKind = LedgerKind | 'account-fee' | 'check-reversal';

const lineKind = sql<LineKind>`case when ${hasFactName('e.fact', 'account-fee')} then 'account-fee'
  when ${hasFactName('e.fact', 'check-reversal')} then 'check-reversal' else e.kind end`;

/** A ledger account that the treasurer also tracks in QuickBooks. */
export type AccountKey = {
  readonly orgId: OrgId;
  readonly account: 'provider' | 'bank';
  readonly timeZone: TimeZone;
};

/**
 * Selects an account's lines in a period of whole days. A deposited check is on the statement of the day of its deposit. A
 * payout is a line of the provider's account only, because it is a transfer to the bank. Both parts of the union can use an
 * index.
 */
const fromAccountLines = ({ orgId, account, timeZone }: AccountKey, { from, until }: TimeSpan) => {
  const wasDeposited = sql`exists (select from deposit_checks where entry_id = ledger_entries.id)`;
  const toDay = (time: Date) => sql`(${time}::timestamptz at time zone ${timeZone}::text)::date`;
  const deposits = sql`
    union all
    select e.*, d.deposited_on::timestamp at time zone ${timeZone}::text, d.id
    from deposits d join deposit_checks dc on dc.deposit_id = d.id join ledger_entries e on e.id = dc.entry_id
    where d.org_id = ${orgId} and d.deposited_on >= ${toDay(from)} and d.deposited_on < ${toDay(until)}`;
  return sql`
    from (
      select *, booked_at as statement_time, null as deposit_id from ledger_entries
      where org_id = ${orgId} and booked_at >= ${from} and booked_at < ${until}
        ${account === 'bank' ? sql`and kind <> 'payout' and not ${wasDeposited} ${deposits}` : sql``}) e
    join ledger_lines l on l.entry_id = e.id and l.account = ${account}
    where ${isCounted}`;
};

/** An account movement. */
export type AccountLine = {
  readonly statement_time: Date;
  readonly booked_at: Date;
  readonly occurred_at: Date;
  readonly kind: LineKind;
  readonly cents: Cents;
  readonly receipt_number: number | null;
  readonly payout_id: string | null;
  readonly check_number: string | null;
  /** The home that a grant was paid to. */
  readonly awardee: string | null;
  /** The bank deposit that a check was part of. */
  readonly deposit_id: string | null;
};

/** Lists up to `max` movements of an account in a month, oldest first. A gift precedes its fee. */
export async function listAccountLines(
  db: Kysely<Tables>,
  key: AccountKey,
  span: TimeSpan,
  max: number,
): Promise<AccountLine[]> {
  const { rows } = await sql<AccountLine>`
    select line.*, r.printed_number as receipt_number, p.payout_id, pledge.check_number, a.name as awardee
    from (
      select e.id, e.statement_time, e.deposit_id, e.booked_at, e.occurred_at,
        ${lineKind} as kind, l.cents, e.pledge_id, e.grant_id
      ${fromAccountLines(key, span)}
      order by e.statement_time, l.cents < 0, e.id limit ${max}) line
      left join receipts r on r.ledger_entry_id = line.id
      left join payout_entries p on p.entry_id = line.id
      left join pledges pledge on pledge.id = line.pledge_id
      left join grants g on g.id = line.grant_id left join awardees a on a.id = g.awardee_id
    order by line.statement_time, line.cents < 0, line.id`.execute(db);
  return rows;
}

/** Sum of a day's movements of one kind. */
export type AccountDay = {
  /** Number of the day, starting at 1. */
  readonly dayNumber: number;
  readonly kind: LineKind;
  readonly cents: Cents;
  readonly entries: number;
};

/** Sums the movements of an account by day and kind. @param dayStarts start of each day */
export async function sumAccountByDay(
  db: Kysely<Tables>,
  key: AccountKey,
  span: TimeSpan,
  dayStarts: readonly Date[],
): Promise<AccountDay[]> {
  const { rows } = await sql<AccountDay>`
    select width_bucket(e.statement_time, ${dayStarts}::timestamptz[]) as "dayNumber", ${lineKind} as kind,
      sum(l.cents)::int8 as cents, count(*) as entries
    ${fromAccountLines(key, span)}
    group by 1, 2 order by 1, 2`.execute(db);
  return rows;
}
