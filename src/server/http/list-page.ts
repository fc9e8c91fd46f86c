/**
 * A page of a list, and the cursor of the next page if there is one. `position` is the number of rows before the page,
 * for lists that count rows.
 */
export class ListPage<Items> {
  readonly items: Items;
  readonly nextCursor: string | undefined;
  readonly position: number | undefined;

  constructor(items: Items, nextCursor: string | undefined, position?: number) {
    this.items = items;
    this.nextCursor = nextCursor;
    this.position = position;
  }
}

/**
 * Creates a page.
 * @param rows at most `max + 1` rows. The extra row shows that there is a next page, without counting all rows.
 */
export function createListPage<Row extends { readonly id: string }, Item>(
  rows: readonly Row[],
  max: number,
  present: (row: Row) => Item,
): ListPage<Item[]> {
  const pageRows = rows.slice(0, max);
  return new ListPage(pageRows.map(present), rows.length > max ? pageRows.at(-1)?.id : undefined);
}
