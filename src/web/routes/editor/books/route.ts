import { isMonth } from '#domain/statement.ts';
import type { ApiClient } from '#web/api/client.ts';
import { callQuery, listQuery, loadList, loadQuery } from '#web/api/queries.ts';
import { guardedOrgPage } from '#web/site/guarded-page.ts';
import type { PageRoute } from '#web/site/page.ts';

export type StatementData = {
  /** Undefined for the current month. */
  readonly month: string | undefined;
};

export const BOOKS_PAGES: readonly PageRoute[] = [
  guardedOrgPage('payouts-page', {
    can: 'books.read',
    component: async () => (await import('./payouts-page.tsx')).PayoutsPage,
    load: ({ api, params }) => loadList(payoutsQuery(api, params.orgid)),
  }),
  guardedOrgPage('statement-page', {
    can: 'books.read',
    component: async () => (await import('./statement-page.tsx')).StatementPage,
    props: ({ search: { month } }): StatementData => ({
      month: month !== undefined && isMonth(month) ? month : undefined,
    }),
    load: ({ api, params }, { month }) => loadQuery(statementQuery(api, params.orgid, month)),
  }),
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
