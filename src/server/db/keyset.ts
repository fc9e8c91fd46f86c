import { type Selectable, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { Failure } from '#domain/failures.ts';

/** Newest first ('desc') or oldest first ('asc'); rows of the same time by their id. */
export type ListOrder = 'asc' | 'desc';

/** At most `max` rows of a list: its first ones, or those after the row with id `cursorRef`. */
export type Page = {
  readonly max: number;
  readonly cursorRef?: string | undefined;
  /** Whether the row of the cursor is the first of them (§7, start-at). */
  readonly startAt?: boolean | undefined;
  readonly order: ListOrder;
};

/** A page that may also be the one before the cursor. */
export type DirectedPage = Page & { readonly isNext?: boolean | undefined };

export type Neighbours<Row> = { readonly previous: Row | undefined; readonly next: Row | undefined };

/** The tables that make a list: rows with an id, and a time of at most milliseconds. */
type ListTable<DB> = {
  [T in keyof DB & string]: Selectable<DB[T]> extends { id: string; created_at: Date } ? T : never;
}[keyof DB & string];

/** A table of an organisation is read for one organisation only, so the id must be given; others take none. */
type Scope<DB, T extends keyof DB> = 'org_id' extends keyof DB[T] ? [orgId: string] : [];

/**
 * The query of one page. It compares rows by (created_at, id), which takes the same time at any depth, and neither
 * skips nor repeats one when rows are added meanwhile. After an unknown cursor, or another organisation's, comes nothing.
 * `query` selects from `table` under its own name, with its own filters, unordered.
 */
export function pageOf<DB, TB extends keyof DB, Row, T extends ListTable<DB> & TB>(
  query: SelectQueryBuilder<DB, TB, Row>,
  table: T,
  page: Page,
  ...scope: Scope<DB, T>
): SelectQueryBuilder<DB, TB, Row> {
  const key = keyOf(table, scope);
  const list = query.where(key.ours).orderBy(key.time, page.order).orderBy(key.id, page.order).limit(page.max);
  return page.cursorRef === undefined ? list : list.where(key.comesAfter(page.cursorRef, page.order, page.startAt));
}

/**
 * Reads the page after the cursor or, when `isNext` is false, the one before it: always in the order of the list.
 * @throws Failure unknown-cursor, naming it, when it is the id of no row of this organisation: an empty answer would
 * tell its reader that the list ends here
 */
export async function readPage<DB, TB extends keyof DB, Row, T extends ListTable<DB> & TB>(
  query: SelectQueryBuilder<DB, TB, Row>,
  table: T,
  { isNext = true, ...page }: DirectedPage,
  ...scope: Scope<DB, T>
): Promise<Row[]> {
  const { cursorRef: cursor, order } = page;
  const back = !isNext && cursor !== undefined;
  const rows = await pageOf(query, table, back ? { ...page, order: opposite(order) } : page, ...scope).execute();
  if (rows.length === 0 && cursor !== undefined && !(await isRow(query, table, cursor, ...scope))) {
    throw new Failure('unknown-cursor', { cursor, field: 'cursorRef' });
  }
  return back ? rows.reverse() : rows;
}

/** Whether an id is a row's, be it one that the query's own filters leave out: a list goes on after a hidden row. */
async function isRow<DB, TB extends keyof DB, Row, T extends ListTable<DB> & TB>(
  query: SelectQueryBuilder<DB, TB, Row>,
  table: T,
  id: string,
  ...scope: Scope<DB, T>
): Promise<boolean> {
  const key = keyOf(table, scope);
  const row = query.clearSelect().clearWhere().where(key.ours).where(sql<SqlBool>`${key.id} = ${id}`);
  return (await row.select(key.id.as('id')).executeTakeFirst()) !== undefined;
}

/** The rows before and after the one with this id, in the order of the list, in one query. */
export async function neighboursOf<DB, TB extends keyof DB, Row, T extends ListTable<DB> & TB>(
  query: SelectQueryBuilder<DB, TB, Row>,
  table: T,
  { id, order }: { readonly id: string; readonly order: ListOrder },
  ...scope: Scope<DB, T>
): Promise<Neighbours<Row>> {
  const key = keyOf(table, scope);
  const nearest = (direction: ListOrder) => {
    const one = pageOf(query.clearSelect(), table, { max: 1, cursorRef: id, order: direction }, ...scope);
    return sql`(${one.select(key.id.as('id'))})`;
  };
  const found = await query
    .where(sql<SqlBool>`${key.id} in (${nearest(order)}, ${nearest(opposite(order))})`)
    .select(key.comesAfter(id, order).as('comes_after'))
    .execute();
  // The builder's own type of the rows is too deep for a generic row: it is this.
  const rows = found as unknown as readonly (Row & { comes_after: boolean })[];
  const on = (after: boolean) => withoutComesAfter(rows.find((row) => row.comes_after === after));
  return { previous: on(false), next: on(true) };
}

function withoutComesAfter<Row>(row: (Row & { comes_after: boolean }) | undefined): Row | undefined {
  if (row === undefined) return undefined;
  const { comes_after: _side, ...rest } = row;
  return rest as Row;
}

function opposite(order: ListOrder): ListOrder {
  return order === 'asc' ? 'desc' : 'asc';
}

/** The columns that a list is ordered by, and their comparison with those of the row that a cursor names. */
function keyOf(table: string, [orgId]: readonly string[]) {
  const id = sql<string>`${sql.ref(`${table}.id`)}`;
  const time = sql<Date>`${sql.ref(`${table}.created_at`)}`;
  const ours = orgId === undefined ? sql<SqlBool>`true` : sql<SqlBool>`${sql.ref(`${table}.org_id`)} = ${orgId}`;
  const comesAfter = (
    cursor: string,
    order: ListOrder,
    orSame = false,
  ) => sql<SqlBool>`(${time}, ${id}) ${sql.raw((order === 'asc' ? '>' : '<') + (orSame ? '=' : ''))}
    (select ${time}, ${id} from ${sql.table(table)} where ${id} = ${cursor} and ${ours})`;
  return { id, time, ours, comesAfter };
}
