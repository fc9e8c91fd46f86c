// @spec 2.editor
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { createApiClient } from '#web/api/client.ts';
import { queryClient } from '#web/api/queries.ts';
import { BOOKS_PAGES, bankMonthQuery } from '#web/routes/editor/books/route.ts';
import type { LoadInput } from '#web/site/page.ts';

afterEach(() => {
  queryClient.clear();
  vi.useRealTimers();
});

// Loading a page doesn't wait for its code, which may still be loading when the tests end.
afterAll(() => vi.dynamicImportSettled());

test('opening a payout from the cache neither makes its month look newer nor replaces a newer month', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const start = Date.now();
  let version = 0;
  const fetch = async () => {
    version += 1;
    return Response.json({ month: '2026-01', version });
  };
  const api = createApiClient({ fetch });
  const page = BOOKS_PAGES.find(({ name }) => name === 'payouts-page');
  const open = (search: LoadInput['search']) =>
    page?.load({ context: { api }, params: { orgid: 'valley' }, search } as unknown as LoadInput);
  const readMonth = () =>
    queryClient.getQueryState<object>(bankMonthQuery(api, 'valley', { month: '2026-01' }).queryKey);
  await open({ line: 'p1' });
  vi.setSystemTime(start + 10_000);
  await open({ line: 'p1' });
  expect(readMonth()).toMatchObject({ data: { version: 1 }, dataUpdatedAt: start });
  await open({ month: '2026-01' });
  vi.setSystemTime(start + 20_000);
  await open({ line: 'p1' });
  expect(readMonth()).toMatchObject({ data: { version: 2 }, dataUpdatedAt: start + 10_000 });
});
