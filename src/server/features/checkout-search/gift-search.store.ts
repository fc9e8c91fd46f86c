import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { type GiftRowKind, MAX_COUNTED_GIFTS } from '#domain/checkout-search.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';
import type { Cents } from '#domain/money.ts';
import type { ListOrder } from '#server/db/keyset.ts';
import { isInPaymentMode } from '#server/db/payment-mode.ts';
import type { Tables } from '#server/db/tables.ts';
import { GIFT_SOURCES, type GiftBranch, type GiftSource, RECEIPT_ENTRIES } from './gift-branches.store.ts';

export type GiftOrder = { readonly sort: 'date' | 'amount'; readonly order: ListOrder };

/** A row's position in the list, in any sort order. A renewal's id is its ledger entry's id. */
export type GiftKey = { readonly kind: GiftRowKind; readonly id: string; readonly date: Date; readonly cents: Cents };

/**
 * Finds a cursor's position.
 * @throws Failure unknown-cursor if no gift of this organization has that id
 */
export async function findGiftKey(db: Kysely<Tables>, orgId: OrgId, cursor: string): Promise<GiftKey> {
  const { rows } = await sql<GiftKey>`
    select 'card' as kind, id, created_at as date, total_cents as cents from checkouts
      where id = ${cursor} and org_id = ${orgId}
    union all select 'renewal', entry_id, charged_at, amount_cents from payments
      where entry_id = ${cursor} and org_id = ${orgId} and renewal
    union all select 'check', id, listed_at, listed_cents from pledges
      where id = ${cursor} and org_id = ${orgId}`.execute(db);
  const [key] = rows;
  if (!key) throw new Failure('unknown-cursor', { cursor, field: 'cursorRef' });
  return key;
}

type KeyRange = GiftOrder & {
  readonly max: number;
  readonly after?: GiftKey | undefined;
};

/** Reads the keys of the gifts after a position. Each branch reads at most `max` rows, in the order of its index. */
export async function readGiftKeys(
  db: Kysely<Tables>,
  branches: readonly GiftBranch[],
  range: KeyRange,
): Promise<GiftKey[]> {
  if (branches.length === 0) return [];
  const { rows } = await selectKeys(branches, range).execute(db);
  return rows;
}

function selectKeys(branches: readonly GiftBranch[], range: KeyRange) {
  const { sort, order, max } = range;
  const direction = order === 'asc' ? sql`asc` : sql`desc`;
  const buildOrderBy = (columns: readonly RawBuilder<unknown>[]) =>
    sql`order by ${sql.join(columns.map((column) => sql`${column} ${direction}`))}`;
  const gifts = buildUnion(branches, range, ({ id, date, cents }) =>
    buildOrderBy(sort === 'amount' ? [cents, date, id] : [date, id]),
  );
  const columns = sort === 'amount' ? ['cents', 'date', 'id'] : ['date', 'id'];
  return sql<GiftKey>`select * from (${gifts}) gifts
    ${buildOrderBy(columns.map((column) => sql.ref(column)))} limit ${max}`;
}

/** Combines at most `max` rows of each branch. A gift that matches several branches is one row. */
function buildUnion(
  branches: readonly GiftBranch[],
  { sort, order, max, after }: KeyRange,
  buildOrderBy: (source: GiftSource) => RawBuilder<unknown> = () => sql``,
) {
  const parts = branches.map(({ kind, condition }) => {
    const source = GIFT_SOURCES[kind];
    const isAfter = after ? comesAfter(source, { sort, order }, after) : sql`true`;
    return sql`(select ${sql.lit(kind)} as kind, ${source.id} as id, ${source.date} as date, ${source.cents} as cents
      from ${source.table} where ${condition} and ${isAfter} ${buildOrderBy(source)} limit ${max})`;
  });
  return sql.join(parts, sql` union `);
}

/** Compares rows so that an index finds every page equally fast. */
function comesAfter(
  { id, date, cents }: Omit<GiftSource, 'table'>,
  { sort, order }: GiftOrder,
  after: GiftKey,
): RawBuilder<SqlBool> {
  const operator = order === 'asc' ? sql`>` : sql`<`;
  return sort === 'amount'
    ? sql`(${cents}, ${date}, ${id}) ${operator} (${after.cents}::int8, ${after.date}::timestamptz, ${after.id})`
    : sql`(${date}, ${id}) ${operator} (${after.date}::timestamptz, ${after.id})`;
}

/** @returns the number of gifts in a range; undefined if there are too many to count */
export async function countGifts(
  db: Kysely<Tables>,
  branches: readonly GiftBranch[],
  range: Omit<KeyRange, 'max'> = { sort: 'date', order: 'desc' },
): Promise<number | undefined> {
  if (branches.length === 0) return 0;
  const gifts = buildUnion(branches, { ...range, max: MAX_COUNTED_GIFTS + 1 });
  const { rows } = await sql<{ count: number }>`select count(*) from (${gifts}) gifts`.execute(db);
  const { count } = rows[0] ?? { count: 0 };
  return count > MAX_COUNTED_GIFTS ? undefined : count;
}

/** Lists receipt numbers by the id of the gift's row. A check that was received again has several receipts. */
export async function listReceiptNumbers(
  db: Kysely<Tables>,
  orgId: OrgId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const entries = (Object.keys(RECEIPT_ENTRIES) as GiftRowKind[]).map((kind) => {
    const { id, entryKind } = RECEIPT_ENTRIES[kind];
    return sql`select ${id} as id, e.id as entry_id from ledger_entries e
      where e.org_id = ${orgId} and e.kind = ${entryKind} and ${id} = any(${ids}::text[])`;
  });
  const { rows } = await sql<{ id: string; numbers: number[] }>`
    select e.id, json_agg(r.printed_number order by r.printed_number) as numbers
    from (${sql.join(entries, sql` union all `)}) e join receipts r on r.ledger_entry_id = e.entry_id
    group by 1`.execute(db);
  return new Map(rows.map(({ id, numbers }) => [id, numbers]));
}

/** A payment's fee and its amount after the fee, once the provider has settled the charge. */
export type GiftFee = {
  readonly fee_cents: Cents;
  readonly net_cents: Cents;
  readonly returned_cents: Cents;
  readonly is_disputed: boolean;
};

/** Lists the fees of payments by the id of the gift's row. */
export async function listFees(
  db: Kysely<Tables>,
  orgId: OrgId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, GiftFee>> {
  const { rows } = await sql<GiftFee & { readonly id: string }>`
    select case when renewal then entry_id else checkout_id end as id, fee_cents, net_cents, returned_cents,
      status = 'disputed' as is_disputed
    from payments
    where org_id = ${orgId} and net_cents is not null
      and (not renewal and checkout_id = any(${ids}::text[]) or renewal and entry_id = any(${ids}::text[]))`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

export type GiftSumsRow = {
  readonly gross_cents: Cents;
  readonly returned_cents: Cents;
  readonly fee_cents: Cents;
  /** Amount in open disputes. */
  readonly disputed_cents: Cents;
};

const NO_SUMS: GiftSumsRow = { gross_cents: 0, returned_cents: 0, fee_cents: 0, disputed_cents: 0 };

/** Adds up the payments of all matching rows. Excludes test money once payments are live (decisions §3). */
export async function sumGifts(
  db: Kysely<Tables>,
  orgId: OrgId,
  branches: readonly GiftBranch[],
): Promise<GiftSumsRow> {
  if (branches.length === 0) return NO_SUMS;
  const matches = buildUnion(branches, { sort: 'date', order: 'desc', max: MAX_COUNTED_GIFTS });
  const { rows } = await sql<GiftSumsRow>`
    with matches as materialized (${matches}),
    charges as materialized (
      select p.entry_id, p.amount_cents, p.returned_cents
      from matches m join payments p on p.checkout_id = m.id and not p.renewal
        where m.kind = 'card' and p.org_id = ${orgId} and ${isInPaymentMode('p.livemode')}
      union all select p.entry_id, p.amount_cents, p.returned_cents
      from matches m join payments p on p.entry_id = m.id
        where m.kind = 'renewal' and p.org_id = ${orgId} and ${isInPaymentMode('p.livemode')}),
    paid as (
      select coalesce(sum(amount_cents), 0)::int8 as gross, coalesce(sum(returned_cents), 0)::int8 as returned
      from charges),
    checks as (
      select coalesce(sum(e.amount_cents) filter (where e.kind = 'check'), 0)::int8 as gross,
        coalesce(-sum(e.amount_cents) filter (where e.kind = 'reversal'), 0)::int8 as returned
      from ledger_entries e where e.org_id = ${orgId} and e.pledge_id in (select id from matches where kind = 'check')
        and ${isInPaymentMode('e.livemode')}),
    lines as (
      select coalesce(sum(l.cents) filter (where l.account = 'fees' and e.kind = 'fee'), 0)::int8 as fees,
        coalesce(sum(l.cents) filter (where l.account = 'disputed'), 0)::int8 as disputed
      from charges c join ledger_entries e on e.payment_entry_id = c.entry_id
        join ledger_lines l on l.entry_id = e.id and l.account in ('fees', 'disputed')
      where e.org_id = ${orgId} and ${isInPaymentMode('e.livemode')})
    select paid.gross + checks.gross as gross_cents, paid.returned + checks.returned as returned_cents,
      lines.fees as fee_cents, lines.disputed as disputed_cents
    from paid, checks, lines`.execute(db);
  return rows[0] ?? NO_SUMS;
}
