import { type Selectable, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { Failure } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';

/** Order of a list: newest first ('desc') or oldest first ('asc'). Rows with the same time are ordered by id. */
export type ListOrder = 'asc' | 'desc';

/** Request for at most `max` rows of a list: its first rows, or the rows after the row with id `cursorRef`. */
export type PageRequest = {
  readonly max: number;
  readonly cursorRef?: string | undefined;
  /** True if the page includes the cursor's row (§7, start-at). */
  readonly startAt?: boolean | undefined;
  readonly order: ListOrder;
};

/** Request for a page after or before the cursor. */
export type DirectedPage = PageRequest & { readonly isNext?: boolean | undefined };

export type Neighbors<Row> = { readonly previous: Row | undefined; readonly next: Row | undefined };

/** Tables that can be listed: their rows have an id, and a time with at most millisecond precision. */
type ListTable<DB> = {
  [T in keyof DB & string]: Selectable<DB[T]> extends { id: string; created_at: Date } ? T : never;
}[keyof DB & string];

/** A table with an org_id is read for one organization at a time. */
type Scope<DB, T extends keyof DB> = 'org_id' extends keyof DB[T] ? [orgId: OrgId] : [];

/**
 * Builds the query for one page. Comparing (created_at, id) is equally fast at any depth, and doesn't skip or repeat rows
 * when other rows are added. The page is empty if the cursor is unknown or belongs to another organization.
 * @param query selects from `table` without an alias, unordered
 */
export function buildPageQuery<DB, TB extends keyof DB, Row, T extends ListTable<DB> & TB>(
  query: SelectQueryBuilder<DB, TB, Row>,
  table: T,
  page: PageRequest,
  ...scope: Scope<DB, T>
): SelectQueryBuilder<DB, TB, Row> {
  const key = buildListKey(table, scope);
  const list = query.where(key.isInScope).orderBy(key.time, page.order).orderBy(key.id, page.order).limit(page.max);
  return page.cursorRef === undefined ? list : list.where(key.isAfterCursor(page.cursorRef, page.order, page.startAt));
}

/**
 * Reads the page after the cursor or, if `isNext` is false, the page before it, always in the order of the list.
 * @throws Failure unknown-cursor if no row of this organization has that id
 */
export async function readPage<DB, TB extends keyof DB, Row, T extends ListTable<DB> & TB>(
  query: SelectQueryBuilder<DB, TB, Row>,
  table: T,
  { isNext = true, ...page }: DirectedPage,
  ...scope: Scope<DB, T>
): Promise<Row[]> {
  const { cursorRef: cursor, order } = page;
  const isBackward = !isNext && cursor !== undefined;
  const rows = await buildPageQuery(
    query,
    table,
    isBackward ? { ...page, order: reverseOrder(order) } : page,
    ...scope,
  ).execute();
  if (rows.length === 0 && cursor !== undefined && !(await rowExists(query, table, cursor, ...scope))) {
    throw new Failure('unknown-cursor', { cursor, field: 'cursorRef' });
  }
  return isBackward ? rows.reverse() : rows;
}

/** Ignores the query's filters, because they may exclude the cursor's row. */
async function rowExists<DB, TB extends keyof DB, Row, T extends ListTable<DB> & TB>(
  query: SelectQueryBuilder<DB, TB, Row>,
  table: T,
  id: string,
  ...scope: Scope<DB, T>
): Promise<boolean> {
  const key = buildListKey(table, scope);
  const row = query.clearSelect().clearWhere().where(key.isInScope).where(sql<SqlBool>`${key.id} = ${id}`);
  return (await row.select(key.id.as('id')).executeTakeFirst()) !== undefined;
}

/** Reads the rows before and after the row with this id, in the order of the list, in one query. */
export async function findNeighbors<DB, TB extends keyof DB, Row, T extends ListTable<DB> & TB>(
  query: SelectQueryBuilder<DB, TB, Row>,
  table: T,
  { id, order }: { readonly id: string; readonly order: ListOrder },
  ...scope: Scope<DB, T>
): Promise<Neighbors<Row>> {
  const key = buildListKey(table, scope);
  const selectNearestId = (direction: ListOrder) => {
    const nearestRow = buildPageQuery(
      query.clearSelect(),
      table,
      { max: 1, cursorRef: id, order: direction },
      ...scope,
    );
    return sql`(${nearestRow.select(key.id.as('id'))})`;
  };
  const result = await query
    .where(sql<SqlBool>`${key.id} in (${selectNearestId(order)}, ${selectNearestId(reverseOrder(order))})`)
    .select(key.isAfterCursor(id, order).as('comes_after'))
    .execute();
  // The builder's inferred type is too deep for a generic row.
  const rows = result as unknown as readonly (Row & { comes_after: boolean })[];
  const findNeighbor = (after: boolean) => removeComesAfter(rows.find((row) => row.comes_after === after));
  return { previous: findNeighbor(false), next: findNeighbor(true) };
}

function removeComesAfter<Row>(row: (Row & { comes_after: boolean }) | undefined): Row | undefined {
  if (row === undefined) return undefined;
  const { comes_after: _comesAfter, ...rest } = row;
  return rest as Row;
}

function reverseOrder(order: ListOrder): ListOrder {
  return order === 'asc' ? 'desc' : 'asc';
}

/** The columns to order by, and their comparison with the cursor's row. */
function buildListKey(table: string, [orgId]: readonly string[]) {
  const id = sql<string>`${sql.ref(`${table}.id`)}`;
  const time = sql<Date>`${sql.ref(`${table}.created_at`)}`;
  const isInScope = orgId === undefined ? sql<SqlBool>`true` : sql<SqlBool>`${sql.ref(`${table}.org_id`)} = ${orgId}`;
  const isAfterCursor = (
    cursor: string,
    order: ListOrder,
    isInclusive = false,
  ) => sql<SqlBool>`(${time}, ${id}) ${sql.raw((order === 'asc' ? '>' : '<') + (isInclusive ? '=' : ''))}
    (select ${time}, ${id} from ${sql.table(table)} where ${id} = ${cursor} and ${isInScope})`;
  return { id, time, isInScope, isAfterCursor };
}
