import {
  type DataTag,
  type InfiniteData,
  infiniteQueryOptions,
  QueryClient,
  type QueryKey,
  queryOptions,
  type UnusedSkipTokenOptions,
} from '@tanstack/react-query';
import type { CallName } from '#contract/calls.ts';
import type { ResponseBody } from '#contract/schemas.ts';
import type { ApiClient, CallInput } from './client.ts';

/** Cache of the data on signed-in pages. Public pages don't load this module. */
export const queryClient = createQueryClient();

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Offline, calls fail immediately, and the page shows why.
      // A page that has just been loaded doesn't read its data again when it mounts.
      queries: { networkMode: 'always', retry: false, refetchOnWindowFocus: false, staleTime: 1000 },
      mutations: { networkMode: 'always' },
    },
  });
}

/** Marks all data as out of date and reloads what the page shows, except lists that keep changed rows in view. */
export function refreshQueries(client: QueryClient): void {
  void client.invalidateQueries({ refetchType: 'none' });
  void client.refetchQueries({ type: 'active', predicate: ({ meta }) => meta?.keepsRows !== true });
}

/** Removes data that no page shows or loads, and marks the rest as out of date. */
export function dropQueries(client: QueryClient): void {
  client.removeQueries({ type: 'inactive', predicate: ({ state }) => state.fetchStatus === 'idle' });
  void client.invalidateQueries({ refetchType: 'none' });
}

type CallQuery<Name extends CallName> = UnusedSkipTokenOptions<
  ResponseBody<Name>,
  Error,
  ResponseBody<Name>,
  QueryKey
> & {
  readonly queryKey: DataTag<QueryKey, ResponseBody<Name>, Error>;
};

/** Query for an API call, keyed by the call and its input. */
export function callQuery<Name extends CallName>(api: ApiClient, name: Name, input: CallInput<Name>): CallQuery<Name> {
  return queryOptions<ResponseBody<Name>, Error, ResponseBody<Name>, QueryKey>({
    queryKey: [name, input],
    queryFn: () => api.call(name, input),
  });
}

export type ListItem = { readonly id: string; readonly createdTimestamp?: string };

export type ListPage<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | undefined };

/**
 * Query for a paged list.
 * @param queryKey the call's name, then its input
 * @param load loads the page after a cursor, or the first page
 * @param keepsRows true if a changed row stays in view even if it no longer matches the filter, so it can be undone
 */
export function listQuery<Item extends ListItem>(
  queryKey: readonly [CallName, ...unknown[]],
  load: (cursorRef: string | undefined) => Promise<ListPage<Item>>,
  { keepsRows = false } = {},
) {
  return infiniteQueryOptions<
    ListPage<Item>,
    Error,
    InfiniteData<ListPage<Item>, string | undefined>,
    QueryKey,
    string | undefined
  >({
    queryKey,
    queryFn: ({ pageParam }) => load(pageParam),
    initialPageParam: undefined,
    meta: { keepsRows },
    getNextPageParam: (_lastPage, pages) => nextCursor(pages),
  });
}

export type ListQuery<Item extends ListItem> = ReturnType<typeof listQuery<Item>>;

function nextCursor<Item extends ListItem>(pages: readonly ListPage<Item>[]): string | undefined {
  const cursor = pages.at(-1)?.nextCursor;
  if (cursor === undefined) return undefined;
  // The last listed item is a safe cursor even if the item at the server's cursor has been deleted.
  return pages.flatMap(({ items }) => items).at(-1)?.id ?? cursor;
}
