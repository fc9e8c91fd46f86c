import { useState } from 'react';
import { useAttempt } from './use-attempt.ts';

export type ListPage<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | undefined };

export type LoadedList<Item> = { readonly items: readonly Item[]; readonly hasMore: boolean };

type ListEntry = { readonly id: string; readonly createdTimestamp?: string };
export type ListOrder = 'asc' | 'desc';

/** Effect of a changed item on the list: add or replace it, replace it only if listed, or remove it. */
export type Membership = 'add' | 'if-listed' | 'remove';

type ListOptions<Item, Query> = {
  readonly first: ListPage<Item>;
  /** The query that loaded the first page. */
  readonly query: Query;
  /** The order by creation time. Newest first by default. */
  readonly order?: ListOrder;
  readonly load: (query: Query, cursorRef?: string) => Promise<ListPage<Item>>;
};

/** A list that can be searched, extended with "Load more", and kept up to date. It sends one request at a time. */
export function useList<Item extends ListEntry, Query>({
  first,
  query: initial,
  order = 'desc',
  load,
}: ListOptions<Item, Query>) {
  const [list, setList] = useState<LoadedList<Item>>(() => startList(first));
  const [query, setQuery] = useState(initial);
  const { busy, problem, run } = useAttempt();
  const search = (next: Query) =>
    run(async () => {
      setList(startList(await load(next)));
      setQuery(next);
    });
  const loadMore = () =>
    run(async () => {
      // The last item on screen is a safe cursor, even if the server's cursor has been deleted.
      const page = await load(query, list.items.at(-1)?.id);
      setList((previous) => withPage(previous, page));
    });
  return {
    ...list,
    query,
    busy,
    problem,
    search,
    loadMore,
    put: (item: Item, membership: Membership = 'if-listed') =>
      setList((previous) => withItem(previous, item, membership, order)),
    remove: (id: string) => setList((previous) => withoutItem(previous, id)),
  };
}

export type List<Item extends ListEntry, Query = undefined> = ReturnType<typeof useList<Item, Query>>;

export function startList<Item>({ items, nextCursor }: ListPage<Item>): LoadedList<Item> {
  return { items, hasMore: nextCursor !== undefined };
}

export function withPage<Item extends ListEntry>(
  list: LoadedList<Item>,
  { items, nextCursor }: ListPage<Item>,
): LoadedList<Item> {
  const loadedIds = new Set(list.items.map(({ id }) => id));
  return { items: [...list.items, ...items.filter(({ id }) => !loadedIds.has(id))], hasMore: nextCursor !== undefined };
}

export function withoutItem<Item extends ListEntry>(list: LoadedList<Item>, id: string): LoadedList<Item> {
  return { ...list, items: list.items.filter((item) => item.id !== id) };
}

/** The list after an item changed. Inserts a new item in order; past the loaded items, "Load more" fetches it. */
export function withItem<Item extends ListEntry>(
  list: LoadedList<Item>,
  item: Item,
  membership: Membership,
  order: ListOrder,
): LoadedList<Item> {
  if (membership === 'remove') return withoutItem(list, item.id);
  if (list.items.some(({ id }) => id === item.id)) {
    return { ...list, items: list.items.map((each) => (each.id === item.id ? item : each)) };
  }
  if (membership === 'if-listed') return list;
  const index = list.items.findIndex((each) => comesBefore(item, each, order));
  if (index === -1) return list.hasMore ? list : { ...list, items: [...list.items, item] };
  return { ...list, items: list.items.toSpliced(index, 0, item) };
}

/** Sorts by creation time, then by id, like the server. */
function comesBefore(a: ListEntry, b: ListEntry, order: ListOrder): boolean {
  const [timeA, timeB] = [a.createdTimestamp ?? '', b.createdTimestamp ?? ''];
  const isOlder = timeA === timeB ? a.id < b.id : timeA < timeB;
  return order === 'asc' ? isOlder : !isOlder;
}
