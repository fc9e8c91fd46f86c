import { type Kysely, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { CHECKOUT_GROUPS, type CheckoutGroup, PAYMENT_STATUSES, type PaymentStatus } from '#domain/checkout.ts';
import {
  type CheckoutSearch,
  type GiftRowKind,
  MAX_COUNTED_GIFTS,
  type SearchStatus,
} from '#domain/checkout-search.ts';
import type { OrgId } from '#domain/ids.ts';
import type { Cents } from '#domain/money.ts';
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

/** The table and columns of one kind of row. */
export type GiftSource = {
  readonly table: RawBuilder<unknown>;
  readonly id: RawBuilder<string>;
  readonly date: RawBuilder<Date>;
  readonly cents: RawBuilder<Cents>;
};

export const GIFT_SOURCES: Readonly<Record<GiftRowKind, GiftSource>> = {
  card: { table: sql`checkouts`, id: sql`id`, date: sql`created_at`, cents: sql`total_cents` },
  renewal: { table: sql`payments`, id: sql`entry_id`, date: sql`charged_at`, cents: sql`amount_cents` },
  check: { table: sql`pledges`, id: sql`id`, date: sql`listed_at`, cents: sql`listed_cents` },
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
  const { date } = GIFT_SOURCES[kind];
  const isAfter = from ? sql<SqlBool>`${date} >= ${from}` : ALWAYS_TRUE;
  return until ? sql<SqlBool>`${isAfter} and ${date} < ${until}` : isAfter;
}

/** Alternative conditions: a row must meet at least one of them. */
type BuildStatusConditions = (filter: GiftFilter) => readonly RawBuilder<SqlBool>[];

/** A checkout's row has the status of its first payment. */
const checkoutConditions: BuildStatusConditions = ({ status, group }) => {
  const isNotDeleted = sql<SqlBool>`deleted_at is null`;
  if (group) return [sql`${isNotDeleted} and payment_status in (${sql.join(CHECKOUT_GROUPS[group].map(literal))})`];
  if (status === undefined) return [isNotDeleted];
  const paymentStatus = PAYMENT_STATUSES.find((candidate) => candidate === status);
  if (!paymentStatus) return [];
  const name = literal(paymentStatus);
  return [
    sql`${isNotDeleted} and payment_status = ${name} and first_payment_status is null`,
    sql`${isNotDeleted} and first_payment_status = ${name}`,
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
  const { id, cents } = GIFT_SOURCES[kind];
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

/** Number of matches above which a search reads the list in order instead of using the word index. */
const MAX_RARE_MATCHES = 200;

/**
 * Matches rows that contain these words. PostgreSQL overestimates how many rows contain a rare word and would scan the
 * whole list in order to find them. The materialized query makes PostgreSQL use the word index.
 */
async function buildWordsCondition(
  db: Kysely<Tables>,
  orgId: OrgId,
  kind: GiftRowKind,
  text: string,
): Promise<RawBuilder<SqlBool>> {
  const { table, id } = GIFT_SOURCES[kind];
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

/** Enough to find out whether more rows match than are counted. */
const MAX_PER_EMAIL = MAX_COUNTED_GIFTS + 1;

/**
 * Finds checkouts or checks by email address. Uses a separate query, because PostgreSQL would scan the whole list if the
 * condition were combined with the list's order.
 */
function findIdsByEmail(db: Kysely<Tables>, orgId: OrgId, kind: GiftRowKind, email: string): Promise<string[]> {
  const { table } = GIFT_SOURCES[kind === 'renewal' ? 'card' : kind];
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

/** Ledger entries that have a row's receipts, by kind of row. */
export const RECEIPT_ENTRIES: Readonly<
  Record<GiftRowKind, { readonly id: RawBuilder<string>; readonly entryKind: string }>
> = {
  card: { id: sql`e.checkout_id`, entryKind: 'payment' },
  renewal: { id: sql`e.id`, entryKind: 'renewal' },
  check: { id: sql`e.pledge_id`, entryKind: 'check' },
};

/** The program's and Stripe's ids are at least this long. */
const MIN_ID_LENGTH = 8;
const MAX_PER_ID = 1000;

/**
 * Finds rows by id. Also finds a payment by its Stripe ids, and all payments of a recurring gift by the id of its checkout
 * or subscription.
 */
async function findIdsByAnyId(db: Kysely<Tables>, orgId: OrgId, kind: GiftRowKind, text: string): Promise<string[]> {
  if (text.length < MIN_ID_LENGTH || /\s/.test(text)) return [];
  const { table } = GIFT_SOURCES[kind];
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
