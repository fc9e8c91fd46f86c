// @spec 2.editor
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { Statement } from '#contract/schemas/books.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import { createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { statementQuery } from '#web/routes/editor/books/route.ts';
import { StatementPage } from '#web/routes/editor/books/statement-page.tsx';

afterEach(cleanup);

const PAGE = { org: { id: 'valley', name: 'Valley', timeZone: 'UTC' } as Org, site: {} as Site };
const EMPTY = { opening: 0, gifts: 0, fees: 0, refunds: 0, disputes: 0, payouts: 0, grants: 0, closing: 0 };
const STATEMENT: Statement = {
  period: '2026',
  firstMonth: '2025-11',
  lastMonth: '2026-02',
  provider: EMPTY,
  bank: EMPTY,
  disputed: EMPTY,
  all: EMPTY,
  undeposited: 0,
  given: 2711.9,
  donors: 42,
  grantsPaid: 3,
  closedOn: null,
  lateEntries: [],
};

function renderStatement(statement: Statement) {
  const context = createPageContext();
  const { queryKey } = statementQuery(context.api, 'valley', statement.period);
  context.client.setQueryData(queryKey, statement);
  const page = <StatementPage {...PAGE} period={statement.period} />;
  return render(wrapInSignedInPage(page, context));
}

test('a year has a statement like a month, with its donors and grants, and without QuickBooks files', () => {
  const { container } = renderStatement(STATEMENT);
  expect(screen.getByRole('heading', { name: 'Statement for 2026' })).toBeTruthy();
  const options = within(screen.getByLabelText('Month or year')).getAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual([
    '2026 so far',
    'February 2026',
    'January 2026',
    'All of 2025',
    'December 2025',
    'November 2025',
  ]);
  expect(screen.getByText('This year isn’t over yet.')).toBeTruthy();
  expect(container.querySelector('dl')?.textContent).toBe('Gifts minus returns$2,711.90Donors42Grants paid3');
  expect(screen.queryByRole('button', { name: /QuickBooks/ })).toBeNull();
  // The fund's name is for print only.
  expect(screen.getByText('Valley')).toBeTruthy();
});

test('a month can be downloaded for QuickBooks', () => {
  renderStatement({ ...STATEMENT, period: '2026-01' });
  expect(screen.getByRole('heading', { name: 'Statement for January 2026' })).toBeTruthy();
  expect(screen.getAllByRole('button', { name: /QuickBooks/ })).toHaveLength(2);
});

test('the balance at the bank shows checks that are not yet deposited', () => {
  renderStatement({ ...STATEMENT, bank: { ...EMPTY, closing: 5444.95 }, undeposited: 80 });
  const row = screen.getByRole('row', { name: /^Of which checks not yet deposited/ });
  expect(row.textContent).toBe('Of which checks not yet deposited–$80.00––');
});
