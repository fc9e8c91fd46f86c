// @spec 2.editor
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { KeyFigures } from '#web/routes/editor/overview/overview-page.tsx';
import { NO_TASKS, TaskSection } from '#web/routes/editor/overview/tasks.tsx';
import { OrgTimeZone } from '#web/routes/editor/use-dates.ts';
import { SIGNED_OUT } from '#web/session/session.ts';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('the overview’s sums of this month and year link to the statements that show them', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-02-10T12:00:00Z') });
  const overview = { month: { amount: 2711.9, lastYear: 0 }, year: 9000 };
  const funds = { available: 10, promised: 0 };
  const figures = <KeyFigures orgId="valley" overview={overview} funds={funds} recurring={{ gifts: 0, monthly: 0 }} />;
  render(wrapInSignedInPage(<OrgTimeZone value="UTC">{figures}</OrgTimeZone>, createPageContext()));
  const getAddress = (name: RegExp) => screen.getByRole('link', { name }).getAttribute('href');
  expect(getAddress(/^February so far ?\$2,711\.90/)).toBe('/orgs/valley/editor/statement?period=2026-02');
  expect(getAddress(/^2026 so far ?\$9,000\.00/)).toBe('/orgs/valley/editor/statement?period=2026');
});

test('two disputes with the same donor and amount are two tasks', () => {
  const logError = vi.spyOn(console, 'error');
  const context = createPageContext();
  const editor = {
    ...SIGNED_OUT,
    authenticated: true,
    uid: 'u1',
    emailVerified: true,
    roles: { valley: 'editor' as const },
  };
  const dispute = { name: 'Oscar Disputo', amount: 25, dueTimestamp: null };
  const disputes = ['c1', 'c2'].map((giftid) => ({ ...dispute, giftid }));
  const tasks = <TaskSection orgId="valley" pendingCounts={{ ...NO_TASKS, disputed: 2 }} disputes={disputes} />;
  render(
    wrapInSignedInPage(<OrgTimeZone value="UTC">{tasks}</OrgTimeZone>, {
      session: { ...context.session, now: () => editor },
    }),
  );
  const links = screen.getAllByRole('link', { name: /^Oscar Disputo disputes \$25\.00/ });
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/orgs/valley/editor/checkouts?gift=c1',
    '/orgs/valley/editor/checkouts?gift=c2',
  ]);
  // React reports duplicate keys.
  expect(logError).not.toHaveBeenCalled();
});
