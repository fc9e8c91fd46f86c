import type { QueryKey } from '@tanstack/react-query';
import { pagePath } from '#contract/pages.ts';
import type { BankMonth } from '#contract/schemas/bank.ts';
import { isMonth, isStatementPeriod } from '#domain/statement.ts';
import type { ApiClient } from '#web/api/client.ts';
import { callQuery, listQuery, loadQuery, loadUnlessFresh, queryClient } from '#web/api/queries.ts';
import type { Search } from '#web/navigation/address.ts';
import { withSearch } from '#web/navigation/with-search.ts';
import { guardedOrgPage } from '#web/site/guarded-page.ts';
import { orgPage, type PageRoute } from '#web/site/page.ts';

export type PayoutsData = {
  readonly month: string;
  /** Payout or deposit shown in the dialog. */
  readonly lineId: string | undefined;
};

export type StatementData = {
  /** A month or year; undefined for the current month. */
  readonly period: string | undefined;
};

export const BOOKS_PAGES: readonly PageRoute[] = [
  {
    guard: 'books.read',
    ...orgPage(
      'payouts-page',
      async () => (await import('./payouts-page.tsx')).PayoutsPage,
      async ({ api, params: { orgid: orgId }, search }): Promise<PayoutsData> => {
        const { month } = await loadBankMonth(api, orgId, search);
        return { month, lineId: parseLineId(search) };
      },
    ),
  },
  guardedOrgPage('statement-page', {
    can: 'books.read',
    component: async () => (await import('./statement-page.tsx')).StatementPage,
    props: ({ search }): StatementData => ({ period: parsePeriod(search) }),
    load: ({ api, params }, { period }) => loadQuery(statementQuery(api, params.orgid, period)),
  }),
];

const LINE_PATTERN = /^[\w-]{1,100}$/;

/** Id of a payout or deposit. */
function parseLineId({ line }: Search): string | undefined {
  return line !== undefined && LINE_PATTERN.test(line) ? line : undefined;
}

function parseMonth({ month }: Search): string | undefined {
  return month !== undefined && isMonth(month) ? month : undefined;
}

function parsePeriod({ period }: Search): string | undefined {
  return period !== undefined && isStatementPeriod(period) ? period : undefined;
}

/**
 * Loads the month in the URL or, without one, the month that the server picks, and caches it under its own key, unless
 * newer data is cached there.
 */
async function loadBankMonth(api: ApiClient, orgId: string, search: Search): Promise<BankMonth> {
  const line = parseLineId(search);
  const load = line === undefined ? loadQuery : loadUnlessFresh;
  const query = bankMonthQuery(api, orgId, { month: parseMonth(search), line });
  const bank = await load(query);
  const { queryKey } = bankMonthQuery(api, orgId, { month: bank.month });
  const updatedAt = findUpdateTime(query.queryKey);
  if (findUpdateTime(queryKey) < updatedAt) queryClient.setQueryData(queryKey, bank, { updatedAt });
  return bank;
}

/** When a query's data was loaded, in milliseconds; 0 if it isn't cached. */
function findUpdateTime(queryKey: QueryKey): number {
  return queryClient.getQueryState(queryKey)?.dataUpdatedAt ?? 0;
}

type MonthOrLine = {
  readonly month?: string | undefined;
  /** Id of a payout or deposit. */
  readonly line?: string | undefined;
};

/** Reads the given month or, without one, the month that contains the line. */
export function bankMonthQuery(api: ApiClient, orgId: string, { month, line }: MonthOrLine) {
  const query = month === undefined ? { line } : { month };
  return callQuery(api, 'readBankMonth', { params: { orgid: orgId }, query });
}

/** URL of a month's payouts and deposits, or of one payout or deposit. */
export function payoutsUrl(orgId: string, { month, line }: MonthOrLine): string {
  return withSearch(pagePath('payouts-page', { orgid: orgId }), { month, line });
}

/** URL of the statement of a month or year. */
export function statementUrl(orgId: string, period: string): string {
  return withSearch(pagePath('statement-page', { orgid: orgId }), { period });
}

const MOVEMENTS_PER_PAGE = 50;

export function movementsQuery(api: ApiClient, orgId: string, payoutId: string) {
  return listQuery(api, 'readPayoutMovements', {
    params: { orgid: orgId, payoutid: payoutId },
    query: { max: MOVEMENTS_PER_PAGE },
  });
}

export function statementQuery(api: ApiClient, orgId: string, period: string | undefined) {
  return callQuery(api, 'readStatement', { params: { orgid: orgId }, query: period === undefined ? {} : { period } });
}
