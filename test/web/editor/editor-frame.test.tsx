// @spec 2.editor
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { pagePath } from '#contract/pages.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { createNavigator } from '#web/navigation/navigator.ts';
import { createMemoryHistory } from '#web/navigation/site-history.ts';
import { EditorPage } from '#web/routes/editor/editor-frame.tsx';
import { SIGNED_OUT } from '#web/session/session.ts';

afterEach(cleanup);

test('a button with the current page’s name expands the links, and a link collapses them', () => {
  const { session } = createPageContext();
  const roles = { valley: 'editor' as const };
  const editor = { ...SIGNED_OUT, authenticated: true, uid: 'u1', emailVerified: true, roles };
  const navigator = createNavigator<object>({
    history: createMemoryHistory(pagePath('overview-page', { orgid: 'valley' })),
    load: async () => ({}),
    initialScreen: {},
  });
  const page = (
    <EditorPage org={{ id: 'valley', name: 'Valley', timeZone: 'America/New_York' } as Org} title="Overview">
      <p>Tiles</p>
    </EditorPage>
  );
  render(wrapInSignedInPage(page, { navigator, session: { ...session, now: () => editor } }));
  const nav = within(screen.getByRole('navigation', { name: 'Editor pages' }));
  const isExpanded = () => nav.getByRole('button', { name: 'Overview' }).getAttribute('aria-expanded');
  expect(isExpanded()).toBe('false');
  fireEvent.click(nav.getByRole('button', { name: 'Overview' }));
  expect(isExpanded()).toBe('true');
  fireEvent.click(nav.getByRole('link', { name: 'Donors' }));
  expect(isExpanded()).toBe('false');
});
