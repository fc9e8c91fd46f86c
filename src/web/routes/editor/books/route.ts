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
      async ({ api, params: { orgid: orgId } }) => {
        await loadList(payoutsQuery(api, orgId));
        return {};
      },
    ),
  },
  {
    guard: 'books.read',
    ...orgPage(
      'statement-page',
      async () => (await import('./statement-page.tsx')).StatementPage,
      async ({ api, params: { orgid: orgId }, search }): Promise<StatementData> => {
        const month = search.month !== undefined && isMonth(search.month) ? search.month : undefined;
        await loadQuery(statementQuery(api, orgId, month));
        return { month };
      },
    ),
  },
];

export function payoutsQuery(api: ApiClient, orgId: string) {
  return listQuery(api, 'readPayouts', { params: { orgid: orgId } });
}

const MOVEMENTS_PER_PAGE = 50;

export function movementsQuery(api: ApiClient, orgId: string, payoutId: string) {
  return listQuery(api, 'readPayoutMovements', {
    params: { orgid: orgId, payoutid: payoutId },
    query: { max: MOVEMENTS_PER_PAGE },
  });
}

export function statementQuery(api: ApiClient, orgId: string, month: string | undefined) {
  return callQuery(api, 'readMonth', { params: { orgid: orgId }, query: month === undefined ? {} : { month } });
}
