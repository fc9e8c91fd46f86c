import {
  InfiniteQueryObserver,
  QueryObserver,
  useSuspenseInfiniteQuery,
  useSuspenseQuery,
} from '@tanstack/react-query';
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { NEXT_CURSOR_HEADER } from '#contract/visitor-calls.ts';
import { createLoadedList, createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { type ApiClient, createApiClient } from '#web/api/client.ts';
import {
  callQuery,
  createQueryClient,
  dropQueries,
  listQuery,
  loadList,
  loadQuery,
  queryClient,
  refreshQueries,
} from '#web/api/queries.ts';
import { useApi } from '#web/session/app-context.ts';

afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.useRealTimers();
});

const ORG = { params: { orgid: 'valley' } };
const settingsQuery = (api: ApiClient) => callQuery(api, 'readOrgSettings', ORG);
const receiptsQuery = (api: ApiClient) => listQuery(api, 'readUndelivered', ORG, { keepsRows: true });

function useSettingsPage(): ApiClient {
  const api = useApi();
  useSuspenseQuery(settingsQuery(api));
  useSuspenseInfiniteQuery(receiptsQuery(api));
  return api;
}

/** Opens a page that shows settings and a list of receipts, on a server that sends every response with this status. */
function openPage(status = 200) {
  const requests: string[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    requests.push(`${init?.method} ${input instanceof Request ? input.url : input}`);
    return Response.json([], { status });
  };
  const context = createPageContext();
  const rawApi = createApiClient({ fetch });
  const { client } = context;
  client.setQueryData<object>(settingsQuery(rawApi).queryKey, {});
  client.setQueryData<object>(receiptsQuery(rawApi).queryKey, createLoadedList([]));
  client.setQueryData(['readOperationStatus'], {});
  const { result } = renderHook(useSettingsPage, {
    wrapper: ({ children }) => wrapInSignedInPage(children, { ...context, api: rawApi }),
  });
  return {
    api: result.current,
    client,
    requests,
    isStale: () => client.getQueryState(['readOperationStatus'])?.isInvalidated,
  };
}

test('a change marks all loaded data as out of date and reloads the page’s data', async () => {
  const { api, requests, isStale } = openPage();
  await act(async () => api.call('editOrg', { ...ORG, body: { name: 'Valley' } }));
  expect(requests).toEqual(['PATCH /api/orgs/valley', 'GET /api/orgs/valley/settings']);
  expect(isStale()).toBe(true);
});

test('reading data with POST doesn’t reload the page’s data', async () => {
  const { api, requests, isStale } = openPage();
  await act(async () => api.call('sumCheckouts', { ...ORG, body: {} }));
  expect(requests).toHaveLength(1);
  expect(isStale()).toBe(false);
});

test('changing the password doesn’t reload data with the old token', async () => {
  const { api, requests } = openPage();
  await act(async () => api.call('changePassword', { body: { password: 'a lamp in every window' } }));
  expect(requests).toHaveLength(1);
});

test.each(['confirmIdentity', 'readToken', 'signOut'] as const)(
  '%s doesn’t reload data, because the session handles that',
  async (name) => {
    const { api, requests } = openPage();
    await act(async () => api.call(name, { body: {} } as never));
    expect(requests).toHaveLength(1);
  },
);

test('an unmounted page stops reloading', async () => {
  const { api, requests } = openPage();
  cleanup();
  await api.call('editOrg', { ...ORG, body: { name: 'Valley' } });
  expect(requests).toHaveLength(1);
});

test('a rejected change doesn’t reload data', async () => {
  const { api, requests } = openPage(422);
  await expect(api.call('editOrg', { ...ORG, body: {} })).rejects.toThrow();
  expect(requests).toHaveLength(1);
});

test.each([
  ['reloaded data is current', 200, true],
  ['deleted data can’t be reloaded', 404, true],
  ['data is outdated during an outage', 503, false],
] as const)('%s (%i)', async (_case, status, isCurrent) => {
  const { client } = openPage(status);
  expect(await act(() => refreshQueries(client))).toBe(isCurrent);
});

/** Creates a query for figures and records its requests. */
function createCountedQuery() {
  const requests: string[] = [];
  const queryFn = async () => {
    requests.push('figures');
    return requests.length;
  };
  return { query: { queryKey: ['readOperationStatus'], queryFn }, requests };
}

test('a page reads its data once, even if its code takes 20 seconds to load', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { query, requests } = createCountedQuery();
  const context = createPageContext();
  await context.client.fetchQuery(query);
  vi.setSystemTime(Date.now() + 20_000);
  renderHook(() => useSuspenseQuery(query), { wrapper: ({ children }) => wrapInSignedInPage(children, context) });
  await act(async () => {});
  expect(requests).toHaveLength(1);
});

/** Creates an API whose requests get no response until the test sends one. */
function createPendingApi() {
  const requests: { readonly response: PromiseWithResolvers<Response>; readonly signal: AbortSignal }[] = [];
  const fetch = (_input: string | URL | Request, init?: RequestInit) => {
    const response = Promise.withResolvers<Response>();
    const signal = init?.signal ?? new AbortController().signal;
    signal.addEventListener('abort', () => response.reject(signal.reason));
    requests.push({ response, signal });
    return response.promise;
  };
  return { api: createApiClient({ fetch }), requests };
}

test('dropping the queries aborts their requests', async () => {
  const { api, requests } = createPendingApi();
  const client = createQueryClient();
  const loads = [client.fetchQuery(settingsQuery(api)), client.fetchInfiniteQuery(receiptsQuery(api))];
  await vi.waitFor(() => expect(requests).toHaveLength(2));
  dropQueries(client);
  await Promise.allSettled(loads);
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, true]);
});

test('a page that opens gets new data even if the page that closes used the same query', async () => {
  const { api, requests } = createPendingApi();
  const settings = settingsQuery(api);
  const receipts = receiptsQuery(api);
  queryClient.setQueryData<object>(settings.queryKey, {});
  queryClient.setQueryData<object>(receipts.queryKey, createLoadedList([]));
  const closePage = [
    new QueryObserver(queryClient, settings).subscribe(() => {}),
    new InfiniteQueryObserver(queryClient, receipts).subscribe(() => {}),
  ];
  const loads = Promise.all([loadQuery(settings), loadList(receipts)]);
  await vi.waitFor(() => expect(requests).toHaveLength(2));
  for (const close of closePage) close();
  for (const [index, { response }] of requests.entries()) response.resolve(Response.json([{ id: `new-${index}` }]));
  await loads;
  expect(queryClient.getQueryData(settings.queryKey)).toEqual([{ id: 'new-0' }]);
  expect(queryClient.getQueryData(receipts.queryKey)?.pages[0]?.items).toEqual([{ id: 'new-1' }]);
});

test('reopening a page reloads its data', async () => {
  const { query, requests } = createCountedQuery();
  await loadQuery(query);
  await loadQuery(query);
  expect(requests).toHaveLength(2);
});

test('opening a list loads its first page, and opening it again loads the pages that were loaded before', async () => {
  const cursors: (string | null)[] = [];
  const fetch = async (input: string | URL | Request) => {
    const address = input instanceof Request ? input.url : input;
    cursors.push(new URL(address, 'https://fund.example').searchParams.get('cursorRef'));
    const id = `r${cursors.length}`;
    return Response.json([{ id }], { headers: { [NEXT_CURSOR_HEADER]: id } });
  };
  const query = receiptsQuery(createApiClient({ fetch }));
  await loadList(query);
  expect(cursors).toEqual([null]);
  await queryClient.fetchInfiniteQuery({ ...query, staleTime: 0, pages: 2 });
  cursors.length = 0;
  await loadList(query);
  expect(cursors).toEqual([null, 'r1']);
});

test('after another person logs in, a response for the previous person is dropped', async () => {
  const client = createQueryClient();
  const response = Promise.withResolvers<string>();
  const fetchPromise = client.fetchQuery({ queryKey: ['readSessions'], queryFn: () => response.promise });
  dropQueries(client);
  response.resolve('sessions of the previous person');
  await expect(fetchPromise).rejects.toThrow();
  expect(client.getQueryData(['readSessions'])).toBeUndefined();
});
