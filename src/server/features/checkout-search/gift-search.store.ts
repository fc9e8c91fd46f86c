import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { CHECKOUT_GROUPS, type CheckoutGroup, PAYMENT_STATUSES, type PaymentStatus } from '#domain/checkout.ts';
import { type CheckoutSearch, type GiftKind, MAX_COUNTED_GIFTS, type SearchStatus } from '#domain/checkout-search.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';
import type { Cents } from '#domain/money.ts';
import type { ListOrder } from '#server/db/keyset.ts';
import { isInPaymentMode } from '#server/db/payment-mode.ts';
import type { Tables } from '#server/db/tables.ts';

export type GiftFilter = {
  readonly search: CheckoutSearch;
  readonly kinds: readonly GiftKind[];
  readonly status?: SearchStatus | undefined;
  readonly group?: CheckoutGroup | undefined;
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
};

export type GiftOrder = { readonly sort: 'date' | 'amount'; readonly order: ListOrder };

/** A gift's place in every order of the list. */
export type GiftKey = { readonly kind: GiftKind; readonly id: string; readonly at: Date; readonly cents: Cents };

type Source = { readonly table: RawBuilder<unknown>; readonly at: RawBuilder<Date>; readonly cents: RawBuilder<Cents> };

const SOURCES: Readonly<Record<GiftKind, Source>> = {
  card: { table: sql`checkouts`, at: sql`created_at`, cents: sql`total_cents` },
  check: { table: sql`pledges`, at: sql`listed_at`, cents: sql`listed_cents` },
};

/** Gifts of one kind that match a filter. Every branch uses an index, which one query with `or` would not. */
export type GiftBranch = { readonly kind: GiftKind; readonly condition: RawBuilder<SqlBool> };

export async function giftBranches(db: Kysely<Tables>, orgId: OrgId, filter: GiftFilter): Promise<GiftBranch[]> {
  const branches = await Promise.all(
    filter.kinds.map(async (kind) => {
      const status = kind === 'card' ? cardCondition(filter) : checkCondition(filter);
      if (!status) return [];
      const matches = await searchConditions(db, orgId, kind, filter.search);
      return matches.map((match) => ({
        kind,
        condition: sql<SqlBool>`org_id = ${orgId} and ${status} and ${dateCondition(kind, filter)} and ${match}`,
      }));
    }),
  );
  return branches.flat();
}

const ANY = sql<SqlBool>`true`;

function dateCondition(kind: GiftKind, { from, until }: GiftFilter): RawBuilder<SqlBool> {
  const { at } = SOURCES[kind];
  const isAfter = from ? sql<SqlBool>`${at} >= ${from}` : ANY;
  return until ? sql<SqlBool>`${isAfter} and ${at} < ${until}` : isAfter;
}

/** @returns undefined if no checkout can match */
function cardCondition({ status, group }: GiftFilter): RawBuilder<SqlBool> | undefined {
  const isShown = sql<SqlBool>`deleted_at is null`;
  if (group) return sql`${isShown} and payment_status in (${sql.join(CHECKOUT_GROUPS[group].map(literal))})`;
  if (status === undefined) return isShown;
  const paymentStatus = PAYMENT_STATUSES.find((each) => each === status);
  return paymentStatus && sql`${isShown} and payment_status = ${literal(paymentStatus)}`;
}

/** A literal lets PostgreSQL use a partial index. */
function literal(status: PaymentStatus) {
  return sql.lit(status);
}

const CHECK_CONDITIONS: { readonly [Status in SearchStatus]?: RawBuilder<SqlBool> } = {
  paid: sql`status = 'received'`,
  pledged: sql`status = 'pledged' and not suspicious`,
  suspicious: sql`status = 'pledged' and suspicious`,
  withdrawn: sql`status = 'withdrawn' and not bounced`,
  bounced: sql`status = 'withdrawn' and bounced`,
};

/** @returns undefined if no check can match */
function checkCondition({ status, group }: GiftFilter): RawBuilder<SqlBool> | undefined {
  if (group === 'received') return sql`(status = 'received' or bounced or (status = 'pledged' and not suspicious))`;
  if (group === 'attempts') return sql`(status = 'withdrawn' and not bounced or status = 'pledged' and suspicious)`;
  return status === undefined ? ANY : CHECK_CONDITIONS[status];
}

async function searchConditions(
  db: Kysely<Tables>,
  orgId: OrgId,
  kind: GiftKind,
  search: CheckoutSearch,
): Promise<RawBuilder<SqlBool>[]> {
  const { cents } = SOURCES[kind];
  switch (search.kind) {
    case 'everything':
      return [ANY];
    case 'amount':
      return [sql`${cents} = ${search.cents}`];
    case 'number':
      return [
        isOneOf(await idsByReceipt(db, orgId, kind, search.number)),
        ...(kind === 'check' ? [sql<SqlBool>`check_number = ${search.number}`] : []),
        ...(search.cents === undefined ? [] : [sql<SqlBool>`${cents} = ${search.cents}`]),
      ];
    case 'email':
      return [isOneOf(await idsByEmail(db, orgId, kind, search.email))];
    case 'text': {
      const ids = await idsById(db, orgId, kind, search.text);
      if (ids.length > 0) return [isOneOf(ids)];
      const words = sql<SqlBool>`search_vector @@ search_query(${search.text})`;
      return kind === 'check' ? [words, sql<SqlBool>`check_number = ${search.text}`] : [words];
    }
  }
}

function isOneOf(ids: readonly string[]): RawBuilder<SqlBool> {
  return sql`id = any(${ids}::text[])`;
}

const MAX_PER_EMAIL = 1000;

/** A separate query, because PostgreSQL would scan the whole list if the condition were combined with its order. */
function idsByEmail(db: Kysely<Tables>, orgId: OrgId, kind: GiftKind, email: string): Promise<string[]> {
  return readIds(
    db,
    sql`select id from ${SOURCES[kind].table} where org_id = ${orgId} and lower(email) = ${email} limit ${MAX_PER_EMAIL}`,
  );
}

/** Gifts whose receipt has this number. */
function idsByReceipt(db: Kysely<Tables>, orgId: OrgId, kind: GiftKind, number: string): Promise<string[]> {
  const receipts = sql`receipts where receipts.org_id = ${orgId} and printed_number = ${Number(number)}`;
  return readIds(
    db,
    kind === 'card'
      ? sql`select checkout_id as id from ${receipts} and checkout_id is not null`
      : sql`select pledge_id as id from ledger_entries where id in (select ledger_entry_id from ${receipts})
          and pledge_id is not null`,
  );
}

/** Length of the shortest id, ours or the provider's. */
const SHORTEST_ID = 8;
const MAX_PER_ID = 50;

/** Gifts with this id. A checkout is also found by the id of its session, payment, or subscription at the provider. */
async function idsById(db: Kysely<Tables>, orgId: OrgId, kind: GiftKind, text: string): Promise<string[]> {
  if (text.length < SHORTEST_ID || /\s/.test(text)) return [];
  const isId =
    kind === 'check'
      ? sql`id = ${text}`
      : sql`(id = ${text} or provider_session_id = ${text} or provider_payment_id = ${text}
          or provider_subscription_id = ${text})`;
  return readIds(
    db,
    sql`select id from ${SOURCES[kind].table} where org_id = ${orgId} and ${isId} limit ${MAX_PER_ID}`,
  );
}

async function readIds(db: Kysely<Tables>, query: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${query}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Finds a cursor's place.
 * @throws Failure unknown-cursor if no gift of this organization has that id
 */
export async function keyOfGift(db: Kysely<Tables>, orgId: OrgId, cursor: string): Promise<GiftKey> {
  const { rows } = await sql<GiftKey>`
    select 'card' as kind, id, created_at as at, total_cents as cents from checkouts
      where id = ${cursor} and org_id = ${orgId}
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

/** Reads the places of the gifts after another one. Each branch reads at most `max` rows, in the order of its index. */
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
  const inOrder = (columns: readonly RawBuilder<unknown>[]) =>
    sql`order by ${sql.join(columns.map((column) => sql`${column} ${direction}`))}`;
  const gifts = buildUnion(branches, range, ({ at, cents }) =>
    inOrder(sort === 'amount' ? [cents, at, sql`id`] : [at, sql`id`]),
  );
  const columns = sort === 'amount' ? ['cents', 'at', 'id'] : ['at', 'id'];
  return sql<GiftKey>`select * from (${gifts}) gifts
    ${inOrder(columns.map((column) => sql.ref(column)))} limit ${max}`;
}

/** At most `max` rows of each branch. A gift that matches several branches is one row. */
function buildUnion(
  branches: readonly GiftBranch[],
  { sort, order, max, after }: KeyRange,
  inOrder: (source: Source) => RawBuilder<unknown> = () => sql``,
) {
  const parts = branches.map(({ kind, condition }) => {
    const source = SOURCES[kind];
    const isAfter = after ? comesAfter(source, { sort, order }, after) : ANY;
    return sql`(select ${sql.lit(kind)} as kind, id, ${source.at} as at, ${source.cents} as cents from ${source.table}
      where ${condition} and ${isAfter} ${inOrder(source)} limit ${max})`;
  });
  return sql.join(parts, sql` union `);
}

/** Row comparison, which an index serves at any depth. */
function comesAfter(
  { at, cents }: Pick<Source, 'at' | 'cents'>,
  { sort, order }: GiftOrder,
  after: GiftKey,
): RawBuilder<SqlBool> {
  const operator = order === 'asc' ? sql`>` : sql`<`;
  return sort === 'amount'
    ? sql`(${cents}, ${at}, id) ${operator} (${after.cents}::int8, ${after.at}::timestamptz, ${after.id})`
    : sql`(${at}, id) ${operator} (${after.at}::timestamptz, ${after.id})`;
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

/** The numbers of the receipts of gifts, by the gift's id. */
export async function listReceiptNumbers(
  db: Kysely<Tables>,
  orgId: OrgId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const { rows } = await sql<{ id: string; numbers: number[] }>`
    select coalesce(e.checkout_id, e.pledge_id) as id, json_agg(r.printed_number order by r.printed_number) as numbers
    from ledger_entries e join receipts r on r.ledger_entry_id = e.id
    where e.org_id = ${orgId} and (e.checkout_id = any(${ids}::text[]) or e.pledge_id = any(${ids}::text[]))
    group by 1`.execute(db);
  return new Map(rows.map(({ id, numbers }) => [id, numbers]));
}

export type SumsRow = {
  readonly gross_cents: Cents;
  readonly returned_cents: Cents;
  readonly fee_cents: Cents;
  /** Amount in open disputes. */
  readonly disputed_cents: Cents;
};

const NO_SUMS: SumsRow = { gross_cents: 0, returned_cents: 0, fee_cents: 0, disputed_cents: 0 };

/** Sums over all matching gifts. Excludes test money once payments are live (decisions §3). */
export async function sumGifts(db: Kysely<Tables>, orgId: OrgId, branches: readonly GiftBranch[]): Promise<SumsRow> {
  if (branches.length === 0) return NO_SUMS;
  const matches = buildUnion(branches, { sort: 'date', order: 'desc', max: MAX_COUNTED_GIFTS });
  const { rows } = await sql<SumsRow>`
    with matches as materialized (${matches}),
    paid as (
      select coalesce(sum(p.amount_cents), 0)::int8 as gross, coalesce(sum(p.returned_cents), 0)::int8 as returned
      from payments p where p.org_id = ${orgId} and p.checkout_id in (select id from matches where kind = 'card')
        and ${isInPaymentMode('p.livemode')}),
    checks as (
      select coalesce(sum(e.amount_cents) filter (where e.kind = 'check'), 0)::int8 as gross,
        coalesce(-sum(e.amount_cents) filter (where e.kind = 'reversal'), 0)::int8 as returned
      from ledger_entries e where e.org_id = ${orgId} and e.pledge_id in (select id from matches where kind = 'check')
        and ${isInPaymentMode('e.livemode')}),
    lines as (
      select coalesce(sum(l.cents) filter (where l.account = 'fees' and e.kind = 'fee'), 0)::int8 as fees,
        coalesce(sum(l.cents) filter (where l.account = 'disputed'), 0)::int8 as disputed
      from ledger_entries e join ledger_lines l on l.entry_id = e.id and l.account in ('fees', 'disputed')
      where e.org_id = ${orgId} and e.checkout_id in (select id from matches where kind = 'card')
        and ${isInPaymentMode('e.livemode')})
    select paid.gross + checks.gross as gross_cents, paid.returned + checks.returned as returned_cents,
      lines.fees as fee_cents, lines.disputed as disputed_cents
    from paid, checks, lines`.execute(db);
  return rows[0] ?? NO_SUMS;
}
