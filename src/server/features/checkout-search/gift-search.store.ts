import { type Kysely, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { CHECKOUT_GROUPS, type CheckoutGroup, PAYMENT_STATUSES, type PaymentStatus } from '#domain/checkout.ts';
import {
  type CheckoutSearch,
  type GiftRowKind,
  MAX_COUNTED_GIFTS,
  type SearchStatus,
} from '#domain/checkout-search.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';
import type { Cents } from '#domain/money.ts';
import type { ListOrder } from '#server/db/keyset.ts';
import { isInPaymentMode } from '#server/db/payment-mode.ts';
import type { Tables } from '#server/db/tables.ts';

export type GiftFilter = {
  readonly search: CheckoutSearch;
  readonly kinds: readonly GiftRowKind[];
  readonly status?: SearchStatus | undefined;
  readonly group?: CheckoutGroup | undefined;
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
};

export type GiftOrder = { readonly sort: 'date' | 'amount'; readonly order: ListOrder };

/** A row's position in the list, in any sort order. A renewal's id is its ledger entry's id. */
export type GiftKey = { readonly kind: GiftRowKind; readonly id: string; readonly at: Date; readonly cents: Cents };

type Source = {
  readonly table: RawBuilder<unknown>;
  readonly id: RawBuilder<string>;
  readonly at: RawBuilder<Date>;
  readonly cents: RawBuilder<Cents>;
};

const SOURCES: Readonly<Record<GiftRowKind, Source>> = {
  card: { table: sql`checkouts`, id: sql`id`, at: sql`created_at`, cents: sql`total_cents` },
  renewal: { table: sql`payments`, id: sql`entry_id`, at: sql`charged_at`, cents: sql`amount_cents` },
  check: { table: sql`pledges`, id: sql`id`, at: sql`listed_at`, cents: sql`listed_cents` },
};

/** Rows of one kind that match a filter. Each branch can use an index; a single query with `or` couldn't. */
export type GiftBranch = { readonly kind: GiftRowKind; readonly condition: RawBuilder<SqlBool> };

export async function buildGiftBranches(db: Kysely<Tables>, orgId: OrgId, filter: GiftFilter): Promise<GiftBranch[]> {
  const branches = await Promise.all(
    filter.kinds.map(async (kind) => {
      const statuses = STATUS_CONDITIONS[kind](filter);
      if (statuses.length === 0) return [];
      const matches = await searchConditions(db, orgId, kind, filter.search);
      return statuses.flatMap((status) =>
        matches.map((match) => ({
          kind,
          condition: sql<SqlBool>`org_id = ${orgId} and ${status} and ${dateCondition(kind, filter)} and ${match}`,
        })),
      );
    }),
  );
  return branches.flat();
}

const ALWAYS_TRUE = sql<SqlBool>`true`;

function dateCondition(kind: GiftRowKind, { from, until }: GiftFilter): RawBuilder<SqlBool> {
  const { at } = SOURCES[kind];
  const isAfter = from ? sql<SqlBool>`${at} >= ${from}` : ALWAYS_TRUE;
  return until ? sql<SqlBool>`${isAfter} and ${at} < ${until}` : isAfter;
}

/** Alternative conditions: a row must meet at least one of them. */
type BuildStatusConditions = (filter: GiftFilter) => readonly RawBuilder<SqlBool>[];

/** A checkout's row has the status of its first payment. */
const checkoutConditions: BuildStatusConditions = ({ status, group }) => {
  const isShown = sql<SqlBool>`deleted_at is null`;
  if (group) return [sql`${isShown} and payment_status in (${sql.join(CHECKOUT_GROUPS[group].map(literal))})`];
  if (status === undefined) return [isShown];
  const paymentStatus = PAYMENT_STATUSES.find((candidate) => candidate === status);
  if (!paymentStatus) return [];
  const name = literal(paymentStatus);
  return [
    sql`${isShown} and payment_status = ${name} and first_payment_status is null`,
    sql`${isShown} and first_payment_status = ${name}`,
  ];
};

/** A literal lets PostgreSQL use a partial index. */
function literal(status: PaymentStatus) {
  return sql.lit(status);
}

const RENEWAL_STATUSES: { readonly [Status in SearchStatus]?: readonly Selectable<Tables['payments']>['status'][] } = {
  paid: ['succeeded'],
  refunded: ['refunded'],
  disputed: ['disputed', 'lost'],
};

const renewalConditions: BuildStatusConditions = ({ status, group }) => {
  if (group === 'attempts') return [];
  if (group || status === undefined) return [sql`listed`];
  return (RENEWAL_STATUSES[status] ?? []).map((paymentStatus) => sql`listed and status = ${paymentStatus}`);
};

const CHECK_CONDITIONS: { readonly [Status in SearchStatus]?: RawBuilder<SqlBool> } = {
  paid: sql`status = 'received'`,
  pledged: sql`status = 'pledged' and not suspicious`,
  suspicious: sql`status = 'pledged' and suspicious`,
  withdrawn: sql`status = 'withdrawn' and not bounced`,
  bounced: sql`status = 'withdrawn' and bounced`,
};

const checkConditions: BuildStatusConditions = ({ status, group }) => {
  if (group === 'received') return [sql`(status = 'received' or bounced or (status = 'pledged' and not suspicious))`];
  if (group === 'attempts') return [sql`(status = 'withdrawn' and not bounced or status = 'pledged' and suspicious)`];
  const condition = status === undefined ? ALWAYS_TRUE : CHECK_CONDITIONS[status];
  return condition ? [condition] : [];
};

const STATUS_CONDITIONS: Readonly<Record<GiftRowKind, BuildStatusConditions>> = {
  card: checkoutConditions,
  renewal: renewalConditions,
  check: checkConditions,
};

async function searchConditions(
  db: Kysely<Tables>,
  orgId: OrgId,
  kind: GiftRowKind,
  search: CheckoutSearch,
): Promise<RawBuilder<SqlBool>[]> {
  const { id, cents } = SOURCES[kind];
  switch (search.kind) {
    case 'everything':
      return [ALWAYS_TRUE];
    case 'amount':
      return [sql`${cents} = ${search.cents}`];
    case 'number':
      return [
        isOneOf(id, await findIdsByReceipt(db, orgId, kind, search.number)),
        ...(kind === 'check' ? [sql<SqlBool>`check_number = ${search.number}`] : []),
        ...(search.cents === undefined ? [] : [sql<SqlBool>`${cents} = ${search.cents}`]),
      ];
    case 'email':
      return [isOneOf(kind === 'renewal' ? CHECKOUT_ID : id, await findIdsByEmail(db, orgId, kind, search.email))];
    case 'text': {
      const ids = await findIdsByAnyId(db, orgId, kind, search.text);
      if (ids.length > 0) return [isOneOf(id, ids)];
      const words = await buildWordsCondition(db, orgId, kind, search.text);
      return kind === 'check' ? [words, sql<SqlBool>`check_number = ${search.text}`] : [words];
    }
  }
}

/** Up to this many word matches are read before they are sorted. */
const MAX_RARE_MATCHES = 200;

/**
 * Matches rows that contain these words. PostgreSQL overestimates how many rows contain a rare word and would scan the list
 * in its order to find them. The materialized query makes it use the word index.
 */
async function buildWordsCondition(
  db: Kysely<Tables>,
  orgId: OrgId,
  kind: GiftRowKind,
  text: string,
): Promise<RawBuilder<SqlBool>> {
  const { table, id } = SOURCES[kind];
  const hasWords = sql<SqlBool>`search_vector @@ search_query(${text})`;
  const isListed = kind === 'renewal' ? sql<SqlBool>`listed` : ALWAYS_TRUE;
  const ids = await readIds(
    db,
    sql`with matches as materialized (
        select ${id} as id from ${table} where org_id = ${orgId} and ${isListed} and ${hasWords})
      select id from matches limit ${MAX_RARE_MATCHES + 1}`,
  );
  return ids.length > MAX_RARE_MATCHES ? hasWords : isOneOf(id, ids);
}

const CHECKOUT_ID = sql<string>`checkout_id`;

function isOneOf(column: RawBuilder<string>, ids: readonly string[]): RawBuilder<SqlBool> {
  return sql`${column} = any(${ids}::text[])`;
}

const MAX_PER_EMAIL = 1000;

/**
 * Finds checkouts or checks by email address. Uses a separate query, because PostgreSQL would scan the whole list if the
 * condition were combined with the list's order.
 */
function findIdsByEmail(db: Kysely<Tables>, orgId: OrgId, kind: GiftRowKind, email: string): Promise<string[]> {
  const { table } = SOURCES[kind === 'renewal' ? 'card' : kind];
  return readIds(
    db,
    sql`select id from ${table} where org_id = ${orgId} and lower(email) = ${email} limit ${MAX_PER_EMAIL}`,
  );
}

/** Finds rows whose receipt has this number. */
function findIdsByReceipt(db: Kysely<Tables>, orgId: OrgId, kind: GiftRowKind, number: string): Promise<string[]> {
  const { id, entryKind } = RECEIPT_ENTRIES[kind];
  return readIds(
    db,
    sql`select ${id} as id from receipts r join ledger_entries e on e.id = r.ledger_entry_id
      where r.org_id = ${orgId} and r.printed_number = ${Number(number)} and e.kind = ${entryKind}`,
  );
}

const RECEIPT_ENTRIES: Readonly<Record<GiftRowKind, { readonly id: RawBuilder<string>; readonly entryKind: string }>> =
  {
    card: { id: sql`e.checkout_id`, entryKind: 'payment' },
    renewal: { id: sql`e.id`, entryKind: 'renewal' },
    check: { id: sql`e.pledge_id`, entryKind: 'check' },
  };

/** No id, ours or Stripe's, is shorter. */
const MIN_ID_LENGTH = 8;
const MAX_PER_ID = 1000;

/**
 * Finds rows by id. Also finds a payment by its Stripe ids, and all payments of a recurring gift by the id of its checkout
 * or subscription.
 */
async function findIdsByAnyId(db: Kysely<Tables>, orgId: OrgId, kind: GiftRowKind, text: string): Promise<string[]> {
  if (text.length < MIN_ID_LENGTH || /\s/.test(text)) return [];
  const { table } = SOURCES[kind];
  if (kind === 'check') {
    return readIds(db, sql`select id from ${table} where org_id = ${orgId} and id = ${text}`);
  }
  const gifts = sql`select id from checkouts where org_id = ${orgId}
    and (id = ${text} or provider_session_id = ${text} or provider_subscription_id = ${text})`;
  const isPayment = sql`(entry_id = ${text} or charge_id = ${text} or invoice_id = ${text} or intent_id = ${text})`;
  return readIds(
    db,
    kind === 'card'
      ? sql`${gifts} union select id from checkouts where org_id = ${orgId} and provider_payment_id = ${text}
          union select checkout_id from payments where org_id = ${orgId} and not renewal and ${isPayment}
          limit ${MAX_PER_ID}`
      : sql`select entry_id as id from payments where org_id = ${orgId} and renewal and ${isPayment}
          union select entry_id from payments where renewal and checkout_id in (${gifts}) limit ${MAX_PER_ID}`,
  );
}

async function readIds(db: Kysely<Tables>, query: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${query}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Finds a cursor's position.
 * @throws Failure unknown-cursor if no gift of this organization has that id
 */
export async function findGiftKey(db: Kysely<Tables>, orgId: OrgId, cursor: string): Promise<GiftKey> {
  const { rows } = await sql<GiftKey>`
    select 'card' as kind, id, created_at as at, total_cents as cents from checkouts
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
  const gifts = buildUnion(branches, range, ({ id, at, cents }) =>
    buildOrderBy(sort === 'amount' ? [cents, at, id] : [at, id]),
  );
  const columns = sort === 'amount' ? ['cents', 'at', 'id'] : ['at', 'id'];
  return sql<GiftKey>`select * from (${gifts}) gifts
    ${buildOrderBy(columns.map((column) => sql.ref(column)))} limit ${max}`;
}

/** Combines at most `max` rows of each branch. A gift that matches several branches is one row. */
function buildUnion(
  branches: readonly GiftBranch[],
  { sort, order, max, after }: KeyRange,
  buildOrderBy: (source: Source) => RawBuilder<unknown> = () => sql``,
) {
  const parts = branches.map(({ kind, condition }) => {
    const source = SOURCES[kind];
    const isAfter = after ? comesAfter(source, { sort, order }, after) : ALWAYS_TRUE;
    return sql`(select ${sql.lit(kind)} as kind, ${source.id} as id, ${source.at} as at, ${source.cents} as cents
      from ${source.table} where ${condition} and ${isAfter} ${buildOrderBy(source)} limit ${max})`;
  });
  return sql.join(parts, sql` union `);
}

/** Compares rows so that an index finds every page equally fast. */
function comesAfter(
  { id, at, cents }: Omit<Source, 'table'>,
  { sort, order }: GiftOrder,
  after: GiftKey,
): RawBuilder<SqlBool> {
  const operator = order === 'asc' ? sql`>` : sql`<`;
  return sort === 'amount'
    ? sql`(${cents}, ${at}, ${id}) ${operator} (${after.cents}::int8, ${after.at}::timestamptz, ${after.id})`
    : sql`(${at}, ${id}) ${operator} (${after.at}::timestamptz, ${after.id})`;
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
      where e.org_id = ${orgId} and e.kind = ${entryKind} and ${isOneOf(id, ids)}`;
  });
  const { rows } = await sql<{ id: string; numbers: number[] }>`
    select e.id, json_agg(r.printed_number order by r.printed_number) as numbers
    from (${sql.join(entries, sql` union all `)}) e join receipts r on r.ledger_entry_id = e.entry_id
    group by 1`.execute(db);
  return new Map(rows.map(({ id, numbers }) => [id, numbers]));
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
      select p.entry_id, p.checkout_id, p.amount_cents, p.returned_cents
      from matches m join payments p on p.checkout_id = m.id and not p.renewal
        where m.kind = 'card' and p.org_id = ${orgId} and ${isInPaymentMode('p.livemode')}
      union all select p.entry_id, p.checkout_id, p.amount_cents, p.returned_cents
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
      from ledger_entries e join ledger_lines l on l.entry_id = e.id and l.account in ('fees', 'disputed')
      where e.org_id = ${orgId} and e.checkout_id in (select checkout_id from charges)
        and e.payment_entry_id in (select entry_id from charges) and ${isInPaymentMode('e.livemode')})
    select paid.gross + checks.gross as gross_cents, paid.returned + checks.returned as returned_cents,
      lines.fees as fee_cents, lines.disputed as disputed_cents
    from paid, checks, lines`.execute(db);
  return rows[0] ?? NO_SUMS;
}
