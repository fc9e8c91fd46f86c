import { isMonth } from '#domain/statement.ts';
import type { ApiClient } from '#web/api/client.ts';
import { callQuery, listQuery, loadList, loadQuery } from '#web/api/queries.ts';
import { orgPage, type PageRoute } from '#web/site/page.ts';

export type StatementData = {
  /** Undefined for the current month. */
  readonly month: string | undefined;
};

export const BOOKS_PAGES: readonly PageRoute[] = [
  {
    guard: 'books.read',
    ...orgPage(
      'payouts-page',
      async () => (await import('./payouts-page.tsx')).PayoutsPage,
      async ({ api, params: { orgid } }) => {
        await loadList(payoutsQuery(api, orgid));
        return {};
      },
    ),
  },
  {
    guard: 'books.read',
    ...orgPage(
      'statement-page',
      async () => (await import('./statement-page.tsx')).StatementPage,
      async ({ api, params: { orgid }, search }): Promise<StatementData> => {
        const month = search.month !== undefined && isMonth(search.month) ? search.month : undefined;
        await loadQuery(statementQuery(api, orgid, month));
        return { month };
      },
    ),
  },
];

export function payoutsQuery(api: ApiClient, orgid: string) {
  return listQuery(api, 'readPayouts', { params: { orgid } });
}

const MOVEMENTS_PER_PAGE = 50;

export function movementsQuery(api: ApiClient, orgid: string, payoutid: string) {
  return listQuery(api, 'readPayoutMovements', { params: { orgid, payoutid }, query: { max: MOVEMENTS_PER_PAGE } });
}

export function statementQuery(api: ApiClient, orgid: string, month: string | undefined) {
  return callQuery(api, 'readMonth', { params: { orgid }, query: month === undefined ? {} : { month } });
}
