/** A page of a list, and the cursor of the next page if there is one. */
export class ListPage<Items> {
  readonly items: Items;
  readonly nextCursor: string | undefined;

  constructor(items: Items, nextCursor: string | undefined) {
    this.items = items;
    this.nextCursor = nextCursor;
  }
}

/** @param rows up to one more than `max`: the extra row shows that there is a next page, without counting them all */
export function listPage<Row extends { readonly id: string }, Item>(
  rows: readonly Row[],
  max: number,
  present: (row: Row) => Item,
): ListPage<Item[]> {
  const shown = rows.slice(0, max);
  return new ListPage(shown.map(present), rows.length > max ? shown.at(-1)?.id : undefined);
}
