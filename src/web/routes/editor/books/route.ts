import type { MonthlyStatement, Payout } from '#contract/schemas/books.ts';
import { isMonth } from '#domain/statement.ts';
import type { ApiClient } from '#web/api/client.ts';
import type { ListPage } from '#web/api/use-list.ts';
import { orgPage, type Page } from '#web/site/page.ts';

export type PayoutsData = { readonly payouts: ListPage<Payout> };
export type StatementData = { readonly statement: MonthlyStatement };

export const BOOKS_PAGES: readonly Page[] = [
  {
    guard: 'books.read',
    ...orgPage(
      'payouts-page',
      async () => (await import('./payouts-page.tsx')).PayoutsPage,
      async ({ api, params: { orgid } }) => ({ payouts: await loadPayouts(api, orgid) }),
    ),
  },
  {
    guard: 'books.read',
    ...orgPage(
      'statement-page',
      async () => (await import('./statement-page.tsx')).StatementPage,
      async ({ api, params: { orgid }, search: { month = '' } }) => {
        const query = isMonth(month) ? { month } : {};
        return { statement: await api.call('readMonth', { params: { orgid }, query }) };
      },
    ),
  },
];

export function loadPayouts(api: ApiClient, orgid: string, cursorRef?: string): Promise<ListPage<Payout>> {
  const query = cursorRef === undefined ? {} : { cursorRef };
  return api.list('readPayouts', { params: { orgid }, query });
}
