// @spec 2.editor 2.route-names 2.forbidden 5.editor-pages 6.signed-in 6.editors decisions.4
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ROLE_TEXTS, ROLES } from '#domain/permissions.ts';
import { roleAllows } from '#test/support/role-table.ts';
import { ApiProblem, OfflineError } from '#web/api/api-error.ts';
import { createApiClient } from '#web/api/client.ts';
import { withGuard } from '#web/app/guard.tsx';
import { createNavigator, Redirect } from '#web/navigation/navigator.ts';
import { createMemoryHistory } from '#web/navigation/site-history.ts';
import { NavigatorProvider } from '#web/navigation/use-navigator.ts';
import { AppContextProvider } from '#web/session/app-context.ts';
import { type Session, SIGNED_OUT } from '#web/session/session.ts';
import { createSessionStore } from '#web/session/session-store.ts';
import { type LoadInput, type PageGuard, type PageRoute, ReplacementPage } from '#web/site/page.ts';

const VISITOR: Session = { ...SIGNED_OUT, initialized: true };
const USER: Session = {
  ...VISITOR,
  authenticated: true,
  status: 'user',
  uid: 'u1',
  email: 'ada@example.org',
  emailVerified: true,
  isAnonymous: false,
};
const EDITOR: Session = { ...USER, roles: { ithaca: 'editor' } };
const ADMIN: Session = { ...USER, admin: true };
const toUnverified = (session: Session): Session => ({ ...session, emailVerified: false });

const ADDRESS = '/orgs/ithaca/editor/org?tab=2';

/** Loads a guarded page. @returns 'the page', its redirect, or the markup of its replacement */
async function loadOutcome(
  session: Session,
  guard: PageGuard,
  overrides: Partial<LoadInput> = {},
  load = async () => ({}),
) {
  const context = {
    api: createApiClient(),
    session: { ...createSessionStore(), now: () => session, ready: async () => session },
  };
  const page: PageRoute = { name: 'org-page', guard, load, element: async () => () => createElement('p') };
  const input = { context, site: {}, params: { orgid: 'ithaca' }, search: {}, address: ADDRESS, ...overrides };
  const outcome = await withGuard(page).load(input as LoadInput);
  if (outcome instanceof Redirect) return `to ${outcome.to}`;
  return outcome instanceof ReplacementPage ? renderReplacement(outcome, context) : 'the page';
}

/** Renders the page that replaces the guarded page. */
function renderReplacement({ element }: ReplacementPage, context: LoadInput['context']): string {
  const navigator = createNavigator<object>({
    history: createMemoryHistory(ADDRESS),
    load: async () => ({}),
    initialScreen: {},
  });
  const app = createElement(
    AppContextProvider,
    { value: context },
    createElement(NavigatorProvider, { value: navigator }, element()),
  );
  return renderToString(app);
}

const LOGIN = 'to /login?return_to=%2Forgs%2Fithaca%2Feditor%2Forg%3Ftab%3D2';
const FORBIDDEN = expect.stringContaining('You don&#x27;t have permission to view this page.');
const VERIFY = expect.stringContaining('Verify your email');

test.each([
  ['a visitor', 'org.edit', VISITOR, LOGIN],
  ['an editor', 'org.edit', EDITOR, 'the page'],
  ['an editor of another organization', 'org.edit', { ...USER, roles: { elmira: 'editor' } }, FORBIDDEN],
  ['someone else', 'org.edit', USER, FORBIDDEN],
  ['an admin who is not an editor', 'org.edit', ADMIN, FORBIDDEN],
  ['an editor with an unverified email', 'org.edit', toUnverified(EDITOR), VERIFY],
  ['someone whose role is pending email verification', 'org.edit', toUnverified(USER), VERIFY],
  ['an editor', 'editors.manage', EDITOR, 'the page'],
  ['an admin', 'editors.manage', ADMIN, 'the page'],
  ['someone else', 'editors.manage', USER, FORBIDDEN],
  ['a visitor', 'admin.visit', VISITOR, LOGIN],
  ['an admin', 'admin.visit', ADMIN, 'the page'],
  ['an admin with an unverified email', 'admin.visit', toUnverified(ADMIN), VERIFY],
  ['an editor', 'admin.visit', EDITOR, FORBIDDEN],
  ['a visitor', 'session.read', VISITOR, LOGIN],
  ['someone with an unverified email', 'session.read', toUnverified(USER), 'the page'],
  ['a user', 'user.read-giving', USER, 'the page'],
  ['someone with an unverified email', 'user.read-giving', toUnverified(USER), VERIFY],
] as const)('%s gets the right outcome on a page guarded by %s', async (_title, guard, session, expected) => {
  expect(await loadOutcome(session, guard)).toEqual(expected);
});

test.each(ROLES)('%s can open only the editor pages its role allows', async (role) => {
  const session = { ...USER, roles: { ithaca: role } };
  for (const guard of [
    'area.visit',
    'org.edit',
    'cells.edit',
    'stories.edit',
    'checkouts.read',
    'books.read',
  ] as const) {
    const outcome = await loadOutcome(session, guard);
    if (roleAllows(role, guard)) expect(outcome, guard).toBe('the page');
    else
      expect(outcome, guard).toMatch(
        new RegExp(`permission to view this page.*${ROLE_TEXTS[role].label}.*/orgs/ithaca/`),
      );
  }
  // The role doesn't count in another organization.
  const otherOutcome = await loadOutcome(session, 'area.visit', { params: { orgid: 'elmira' } });
  expect(otherOutcome).toEqual(FORBIDDEN);
  expect(otherOutcome).not.toContain('Your role here');
});

test('the login pages redirect logged-in users, but never to another site', async () => {
  const buildLocation = (return_to?: string) => ({ search: return_to === undefined ? {} : { return_to } });
  expect(await loadOutcome(VISITOR, 'signed-out', buildLocation('/orgs/ithaca'))).toBe('the page');
  expect(await loadOutcome(USER, 'signed-out', buildLocation('/orgs/ithaca/donate?x=1'))).toBe(
    'to /orgs/ithaca/donate?x=1',
  );
  expect(await loadOutcome(toUnverified(USER), 'signed-out', buildLocation())).toBe('to /user-home');
  for (const hostile of [
    '//example.net',
    'https://example.net',
    '/\\example.net',
    'javascript:alert(1)',
    '/%2F/example.net',
  ]) {
    expect(await loadOutcome(USER, 'signed-out', buildLocation(hostile)), hostile).toBe('to /user-home');
  }
});

const rejectWith = (status: number, code: ApiProblem['code']) => async () => {
  throw new ApiProblem({ status, code, detail: code, requestId: 'r1' });
};

test('a permission error while loading data has the same outcome as a failed guard', async () => {
  expect(await loadOutcome(USER, 'session.read', {}, rejectWith(403, 'forbidden'))).toEqual(FORBIDDEN);
  expect(await loadOutcome(USER, 'session.read', {}, rejectWith(403, 'only-admins'))).toEqual(FORBIDDEN);
  expect(await loadOutcome(toUnverified(USER), 'session.read', {}, rejectWith(403, 'email-unverified'))).toEqual(
    VERIFY,
  );
  expect(await loadOutcome(toUnverified(USER), 'session.read', {}, rejectWith(403, 'forbidden'))).toEqual(VERIFY);
  expect(await loadOutcome(USER, 'session.read', {}, rejectWith(401, 'token-invalid'))).toBe(LOGIN);
  expect(await loadOutcome(USER, 'session.read', {}, rejectWith(401, 'login-required'))).toBe(LOGIN);
});

test('a page whose session ends while it loads asks to log in', async () => {
  let currentSession: Session = USER;
  const context = {
    api: createApiClient(),
    session: { ...createSessionStore(), now: () => currentSession, ready: async () => currentSession },
  };
  const load = async () => {
    currentSession = VISITOR;
    throw new Error('The queries of the session were canceled.');
  };
  const overrides = { context } as Partial<LoadInput>;
  expect(await loadOutcome(USER, 'session.read', overrides, load)).toBe(LOGIN);
});

test('a page whose permissions could not be loaded fails instead of asking to verify the email', async () => {
  const session: Session = { ...toUnverified(USER), status: 'new' };
  await expect(loadOutcome(session, 'org.edit')).rejects.toMatchObject({ code: 'authorization-failed' });
  await expect(loadOutcome(session, 'session.read')).rejects.toMatchObject({ code: 'authorization-failed' });
  expect(await loadOutcome(session, 'signed-out')).toBe('to /user-home');
});

test('other errors are rethrown', async () => {
  await expect(loadOutcome(USER, 'session.read', {}, rejectWith(404, 'org-not-found'))).rejects.toMatchObject({
    status: 404,
  });
  const offline = async () => Promise.reject(new OfflineError());
  await expect(loadOutcome(USER, 'session.read', {}, offline)).rejects.toBeInstanceOf(OfflineError);
});

test.each([
  ['#web/routes/me/set-up-second-step.tsx', USER, rejectWith(403, 'second-factor-needed')],
  ['#web/routes/sign-in/verify-email-page.tsx', toUnverified(USER), rejectWith(403, 'email-unverified')],
] as const)('a failure to load the code of %s is an offline error', async (path, session, load) => {
  onTestFinished(() => vi.doUnmock(path));
  vi.doMock(path, () => {
    throw new TypeError('Failed to fetch dynamically imported module');
  });
  const api = createApiClient({ fetch: async () => Response.json([]) });
  const context = { api, session: { ...createSessionStore(), now: () => session, ready: async () => session } };
  const overrides = { context } as Partial<LoadInput>;
  await expect(loadOutcome(session, 'session.read', overrides, load)).rejects.toBeInstanceOf(OfflineError);
});

test('nothing is loaded for users without permission', async () => {
  let loadCount = 0;
  const load = async () => {
    loadCount += 1;
    return {};
  };
  await loadOutcome(VISITOR, 'org.edit', {}, load);
  await loadOutcome(USER, 'org.edit', {}, load);
  await loadOutcome(toUnverified(EDITOR), 'org.edit', {}, load);
  expect(loadCount).toBe(0);
  await loadOutcome(EDITOR, 'org.edit', {}, load);
  expect(loadCount).toBe(1);
});
