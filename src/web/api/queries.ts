import {
  type DataTag,
  type FetchQueryOptions,
  type InfiniteData,
  infiniteQueryOptions,
  QueryClient,
  type QueryFilters,
  type QueryKey,
  QueryObserver,
  queryOptions,
  type UnusedSkipTokenOptions,
  type UseSuspenseQueryOptions,
  useSuspenseQueries,
} from '@tanstack/react-query';
import type { CallName } from '#contract/calls.ts';
import type { ResponseBody } from '#contract/schemas.ts';
import { ApiProblem, OfflineError } from './api-error.ts';
import type { ApiClient, CallInput, ItemOf, ListItem, ListName, LoadedPage } from './client.ts';

/** How long loaded data stays fresh, so a page doesn't refetch on mount. */
const STALE_TIME_MS = 30_000;

/** Cache of the data on signed-in pages. Public pages don't load this module. */
export const queryClient = createQueryClient();

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Offline, calls fail immediately, and the page shows why.
      queries: { networkMode: 'always', retry: false, refetchOnWindowFocus: false, staleTime: STALE_TIME_MS },
      mutations: { networkMode: 'always' },
    },
  });
}

/**
 * Marks all data as out of date and reloads the data on the page, except lists that keep changed rows in view.
 * @returns false if the page still shows old data because the network or the server failed
 */
export async function refreshQueries(client: QueryClient): Promise<boolean> {
  const shownQueries: QueryFilters = { type: 'active', predicate: ({ meta }) => meta?.keepsRows !== true };
  void client.invalidateQueries({ refetchType: 'none' });
  await client.refetchQueries(shownQueries);
  // A query without data shows its own error.
  return client
    .getQueryCache()
    .findAll(shownQueries)
    .every(({ state }) => state.data === undefined || !isTemporary(state.error));
}

/** @returns whether the same request may succeed later, unlike one for deleted data */
function isTemporary(error: Error | null): boolean {
  if (error instanceof ApiProblem) return error.status >= 500 || error.status === 429;
  return error instanceof OfflineError;
}

/** Cancels the running queries, removes data that no page uses, and marks the rest as out of date. */
export function dropQueries(client: QueryClient): void {
  void client.cancelQueries();
  client.removeQueries({ type: 'inactive' });
  void client.invalidateQueries({ refetchType: 'none' });
}

type Query<Data> = UnusedSkipTokenOptions<Data, Error, Data, QueryKey> & {
  readonly queryKey: DataTag<QueryKey, Data, Error>;
};

/** The cache key of a call. A key with only part of the input matches all of the call's queries with that part. */
export function callKey<Name extends CallName>(name: Name, input: Partial<CallInput<Name>> = {}): QueryKey {
  return [name, input];
}

/** Query for an API call. */
export function callQuery<Name extends CallName>(
  api: ApiClient,
  name: Name,
  input: CallInput<Name>,
): Query<ResponseBody<Name>> {
  return queryOptions<ResponseBody<Name>, Error, ResponseBody<Name>, QueryKey>({
    queryKey: callKey(name, input),
    queryFn: ({ signal }) => api.call(name, { ...input, signal }),
  });
}

/**
 * Observes a query while it loads. Otherwise, its request would be aborted when the page that is closing stops using the
 * same query.
 */
function keepLoading<Data>({ queryKey }: { readonly queryKey: QueryKey }, load: () => Promise<Data>): Promise<Data> {
  const stop = new QueryObserver(queryClient, { queryKey, enabled: false }).subscribe(() => {});
  return load().finally(stop);
}

/** Loads a page's data, even if it is cached. */
export function loadQuery<Data, Key extends QueryKey>(query: FetchQueryOptions<Data, Error, Data, Key>): Promise<Data> {
  return keepLoading(query, () => queryClient.fetchQuery({ ...query, staleTime: 0 }));
}

/** Loads a page's data, unless the cached data is fresh. */
export function loadUnlessFresh<Data, Key extends QueryKey>(
  query: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> {
  return keepLoading(query, () => queryClient.fetchQuery(query));
}

/**
 * Loads a list, even if it is cached: its first page, or all pages that were loaded before, so that the back button
 * returns to the same place.
 */
export async function loadList<Item extends ListItem>(query: ListQuery<Item>): Promise<void> {
  await keepLoading(query, () => queryClient.fetchInfiniteQuery({ ...query, staleTime: 0 }));
}

/** Loads a list as `loadList` does, unless the cached list is fresh. */
export async function loadListUnlessFresh<Item extends ListItem>(query: ListQuery<Item>): Promise<void> {
  await keepLoading(query, () => queryClient.fetchInfiniteQuery(query));
}

/** @param query undefined if the user isn't allowed to read the data, even if it is cached */
export function useAllowedQuery<Data>(query: Query<Data> | undefined): Data | undefined {
  const queries: readonly UseSuspenseQueryOptions[] = query ? [query as unknown as UseSuspenseQueryOptions] : [];
  const [result] = useSuspenseQueries({ queries });
  // The types of a list of queries can't be inferred from a type parameter. This list has at most one query, so the
  // data is that query's.
  return result?.data as Data | undefined;
}

/**
 * Query for a list, which is loaded one page at a time.
 * @param keepsRows true if a changed row stays in view even if it no longer matches the filter, so it can be undone
 */
export function listQuery<Name extends ListName>(
  api: ApiClient,
  name: Name,
  input: CallInput<Name>,
  { keepsRows = false } = {},
): ListQuery<ItemOf<Name>> {
  const load = (cursorRef: string | undefined, signal: AbortSignal) => {
    if (cursorRef === undefined) return api.list(name, { ...input, signal });
    const { query }: { readonly query?: object | undefined } = input;
    // Every list takes a cursor, which the type of a generic call's input can't express.
    return api.list(name, { ...input, query: { ...query, cursorRef }, signal } as CallInput<Name>);
  };
  return pagedQuery(callKey(name, input), load, keepsRows);
}

function pagedQuery<Item extends ListItem>(
  queryKey: QueryKey,
  load: (cursorRef: string | undefined, signal: AbortSignal) => Promise<LoadedPage<Item>>,
  keepsRows: boolean,
) {
  return infiniteQueryOptions<
    LoadedPage<Item>,
    Error,
    InfiniteData<LoadedPage<Item>, string | undefined>,
    QueryKey,
    string | undefined
  >({
    queryKey,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: undefined,
    meta: { keepsRows },
    getNextPageParam: (_lastPage, pages) => nextCursor(pages),
  });
}

export type ListQuery<Item extends ListItem> = ReturnType<typeof pagedQuery<Item>>;

export function nextCursor<Item extends ListItem>(pages: readonly LoadedPage<Item>[]): string | undefined {
  const cursor = pages.at(-1)?.nextCursor;
  if (cursor === undefined) return undefined;
  // The last listed item is a safe cursor even if the item at the server's cursor has been deleted.
  return pages.flatMap(({ items }) => items).at(-1)?.id ?? cursor;
}
