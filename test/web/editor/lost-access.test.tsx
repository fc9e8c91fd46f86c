import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { type ReactElement, Suspense } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import { createLoadedList, createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { createApiClient } from '#web/api/client.ts';
import { recurringSumsQuery } from '#web/routes/editor/donors/route.ts';
import { GrantsPage } from '#web/routes/editor/grants/grants-page.tsx';
import { type GrantsView, grantSumsQuery, grantsQuery, homeQuery } from '#web/routes/editor/grants/route.ts';
import { OverviewPage } from '#web/routes/editor/overview/overview-page.tsx';
import { firstStepsQuery, overviewQuery } from '#web/routes/editor/overview/route.ts';
import { NO_TASKS } from '#web/routes/editor/overview/tasks.tsx';
import { availableFundsQuery, reviewQuery } from '#web/routes/editor/queries.ts';
import { userQuery } from '#web/routes/me/route.ts';
import { UserHomePage } from '#web/routes/me/user-home-page.tsx';
import { SIGNED_OUT } from '#web/session/session.ts';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const ORG = { id: 'valley', name: 'Valley', timeZone: 'UTC', stats: { funds: 1, grants: 1 } } as Org;
const MONEY = { gifts: 1234, fees: 0, disputed: 0, paid: 0, promised: 0, available: 1234, processorBalance: 0 };
const SITE = {} as Site;
const GRANTS_VIEW: GrantsView = { homeId: 'h1', stage: undefined, openGrantId: undefined };

const USER = { id: 'u1', email: 'ada@example.org', displayName: 'Ada', emailVerified: true, providerData: [] };

/** Builds a page with loaded data for a person with a role. Tasks can be left out; gifts are never loaded. */
function buildPage(role: 'stories' | 'money' | 'editor', page: ReactElement, { hasTasks = true } = {}): ReactElement {
  const context = createPageContext();
  const { client } = context;
  // No request gets a response.
  const api = createApiClient({ fetch: () => new Promise(() => {}) });
  const person = {
    ...SIGNED_OUT,
    initialized: true,
    authenticated: true,
    uid: 'u1',
    emailVerified: true,
    roles: { valley: role },
  };
  client.setQueryData<object>(firstStepsQuery(api, ORG.id).queryKey, []);
  client.setQueryData<object>(availableFundsQuery(api, ORG.id).queryKey, MONEY);
  const active = { gifts: 2, monthly: 35 };
  client.setQueryData<object>(recurringSumsQuery(api, ORG.id).queryKey, { active });
  client.setQueryData<object>(homeQuery(api, ORG.id, 'h1').queryKey, { name: 'Casa Verde' });
  client.setQueryData<object>(grantsQuery(api, ORG.id, GRANTS_VIEW).queryKey, createLoadedList([]));
  client.setQueryData<object>(grantSumsQuery(api, ORG.id, 'h1').queryKey, []);
  client.setQueryData<object>(userQuery(api, 'u1').queryKey, USER);
  if (hasTasks) {
    const month = { amount: 0, lastYear: 0 };
    const overview = { step: 'month', columns: [], recentGifts: [], disputes: [], month, year: 0, waiting: NO_TASKS };
    client.setQueryData<object>(overviewQuery(api, ORG.id, 'year').queryKey, overview);
    client.setQueryData<object>(reviewQuery(api, ORG.id).queryKey, { waiting: 0 });
  }
  const session = { ...context.session, now: () => person };
  return wrapInSignedInPage(<Suspense>{page}</Suspense>, { ...context, api, session });
}

function renderText(...page: Parameters<typeof buildPage>): string {
  const { container, unmount } = render(buildPage(...page));
  const text = container.textContent;
  unmount();
  return text;
}

test('the overview hides amounts that the person may no longer see', () => {
  const page = <OverviewPage org={ORG} site={SITE} period="year" />;
  expect(renderText('money', page)).toContain('Available for grants');
  expect(renderText('stories', page)).not.toContain('Available for grants');
});

test('the grants page hides the name of a home that the person may no longer see', () => {
  const page = <GrantsPage org={ORG} site={SITE} view={GRANTS_VIEW} />;
  expect(renderText('stories', page)).toContain('Casa Verde');
  expect(renderText('money', page)).not.toContain('Casa Verde');
});

test('a grant can be added on a page that has been open for an hour', async () => {
  vi.useFakeTimers();
  render(buildPage('editor', <GrantsPage org={ORG} site={SITE} view={GRANTS_VIEW} />));
  await act(() => vi.advanceTimersByTimeAsync(3_600_000));
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Add a grant' })));
  expect(screen.getByRole('dialog', { name: 'Add a grant' })).toBeTruthy();
});

test.each(['stories', 'money'] as const)(
  'the overview for %s doesn’t claim that all tasks are done before they’re loaded',
  (role) => {
    const page = <OverviewPage org={ORG} site={SITE} period="year" />;
    expect(renderText(role, page)).toContain('You’re all caught up.');
    expect(renderText(role, page, { hasTasks: false })).not.toContain('You’re all caught up.');
  },
);

test('My giving doesn’t ask for a verified email while the gifts load', () => {
  const page = <UserHomePage org={ORG} site={SITE} userId="u1" />;
  expect(renderText('money', page)).not.toContain('Verify your email to see all the gifts');
});
