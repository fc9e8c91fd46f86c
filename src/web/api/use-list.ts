import { useQueryClient, useSuspenseInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ListItem, LoadedPage } from './client.ts';
import { failureMessage } from './failure-message.ts';
import type { ListQuery } from './queries.ts';

export type ListOrder = 'asc' | 'desc';

/** Effect of a changed item on the list: add or replace it, replace it only if listed, or remove it. */
export type ListChange = 'add' | 'if-listed' | 'remove';

/**
 * A list that can be extended with "Load more".
 * @param order by creation time
 */
export function useList<Item extends ListItem>(query: ListQuery<Item>, order: ListOrder = 'desc') {
  const client = useQueryClient();
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError } =
    useSuspenseInfiniteQuery(query);
  return {
    items: useMemo(() => flattenPages(data.pages), [data]),
    hasMore: hasNextPage,
    busy: isFetchingNextPage,
    problem: isFetchNextPageError ? failureMessage(error) : undefined,
    loadMore: () => fetchNextPage({ cancelRefetch: false }),
    /** Updates the cached list after an item has changed, without refetching it. */
    put: (item: Item, change: ListChange = 'if-listed') =>
      client.setQueryData(
        query.queryKey,
        (cached) => cached && { ...cached, pages: updatePages(cached.pages, item, change, order) },
      ),
  };
}

/** The items of all pages. An item that moved to the next page while that page loaded is listed only once. */
export function flattenPages<Item extends ListItem>(pages: readonly LoadedPage<Item>[]): readonly Item[] {
  return [...new Map(pages.flatMap(({ items }) => items).map((item) => [item.id, item])).values()];
}

/** Applies a changed item to the pages. An item past the last loaded page appears with "Load more". */
export function updatePages<Item extends ListItem>(
  pages: readonly LoadedPage<Item>[],
  item: Item,
  change: ListChange,
  order: ListOrder,
): LoadedPage<Item>[] {
  const editPages = (edit: (items: readonly Item[]) => readonly Item[]) =>
    pages.map((page) => ({ ...page, items: edit(page.items) }));
  if (change === 'remove') return editPages((items) => items.filter(({ id }) => id !== item.id));
  if (pages.some(({ items }) => items.some(({ id }) => id === item.id))) {
    return editPages((items) => items.map((listedItem) => (listedItem.id === item.id ? item : listedItem)));
  }
  if (change === 'if-listed') return [...pages];
  const nextItem = pages.flatMap(({ items }) => items).find((listedItem) => comesBefore(item, listedItem, order));
  if (nextItem) {
    return editPages((items) => {
      const index = items.indexOf(nextItem);
      return index === -1 ? items : items.toSpliced(index, 0, item);
    });
  }
  const lastPage = pages.at(-1);
  if (!lastPage || lastPage.nextCursor !== undefined) return [...pages];
  return [...pages.slice(0, -1), { ...lastPage, items: [...lastPage.items, item] }];
}

/** Orders by creation time, then by id, as the server does. */
function comesBefore(a: ListItem, b: ListItem, order: ListOrder): boolean {
  const [aTime, bTime] = [a.createdTimestamp ?? '', b.createdTimestamp ?? ''];
  const isOlder = aTime === bTime ? a.id < b.id : aTime < bTime;
  return order === 'asc' ? isOlder : !isOlder;
}
