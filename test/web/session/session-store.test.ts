// @spec 3.session 4.session 4.no-session 4.logout 8.authorization 8.claims 8.sign-in 9.token-refresh 9.token-age
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CallName } from '#contract/calls.ts';
import type { IdentityToken } from '#contract/schemas/session.ts';
import type { InactivePermissions, OrgRoles } from '#domain/permissions.ts';
import { ApiProblem, OfflineError } from '#web/api/api-error.ts';
import { type ApiClient, createApiClient } from '#web/api/client.ts';
import { SIGNED_OUT } from '#web/session/session.ts';
import { REFRESH_MILLISECONDS } from '#web/session/session-keeper.ts';
import {
  createSessionStore,
  createSessionTab,
  type SessionEvent,
  type SessionStore,
  type SessionTab,
  type TabMessage,
} from '#web/session/session-store.ts';

const { requestLogin } = vi.hoisted(() => ({ requestLogin: vi.fn<() => Promise<IdentityToken | undefined>>() }));
vi.mock('#web/session/login-dialog.tsx', () => ({ requestLogin }));

const EMPTY_SESSION = { ...SIGNED_OUT, initialized: true };

type Person = {
  uid: string;
  email: string;
  admin?: boolean;
  emailVerified?: boolean;
  roles?: OrgRoles;
  inactivePermissions?: InactivePermissions;
};
const ADA: Person = { uid: 'u1', email: 'ada@example.org', roles: { ithaca: 'editor' } };
const BEN: Person = { uid: 'u2', email: 'ben@example.org', admin: true };

const base64url = (text: string) => Buffer.from(text).toString('base64url');
let issuedCount = 0;
/** Creates a unique token like the server's. */
function createToken({ uid, email }: Person): string {
  issuedCount += 1;
  return [
    base64url('{"alg":"ES256"}'),
    base64url(JSON.stringify({ sub: uid, email, jti: issuedCount })),
    'signature',
  ].join('.');
}

/**
 * Creates an API that serves a signed-in user or a visitor and records its calls.
 * @param bearer returns the token that calls currently send
 */
function createTestApi(user?: Person, bearer = () => '') {
  const calls: CallName[] = [];
  const state = { user, failures: new Map<CallName, Error>(), tokens: [] as string[], refreshBearer: '' };
  const responses: Partial<Record<CallName, () => unknown>> = {
    readToken: () => state.user && { token: issueToken(state.user), expiresAt: '2001-01-01T00:00:00Z' },
    authorize: () => state.user && buildAuthorization(state.user),
    readUser: () => state.user && buildUser(state.user),
    refreshClaims: () => {
      state.refreshBearer = bearer();
      return state.user && buildAuthorization(state.user);
    },
    signOut: () => {
      state.user = undefined;
      return {};
    },
  };
  const issueToken = (person: Person) => {
    const token = createToken(person);
    state.tokens.push(token);
    return token;
  };
  const api: ApiClient = {
    ...createApiClient(),
    call: async (name: CallName) => {
      calls.push(name);
      const failure = state.failures.get(name);
      if (failure) throw failure;
      return (responses[name]?.() ?? null) as never;
    },
  };
  return { api, calls, state, issueToken };
}

const buildAuthorization = ({ uid, email, admin = false, emailVerified = true, roles = {}, ...person }: Person) => ({
  inactivePermissions: person.inactivePermissions,
  id: uid,
  email,
  emailVerified,
  displayName: `Person ${uid}`,
  admin,
  roles,
});
const buildUser = ({ uid, email, admin = false, emailVerified = true }: Person) => ({
  id: uid,
  email,
  displayName: `Person ${uid}`,
  photoURL: `/media/${uid}.webp`,
  admin,
  emailVerified,
  isAnonymous: false,
  providerData: [{ providerId: 'password' }],
  createdTimestamp: '2001-01-01T00:00:00Z',
});

/** Creates a fake tab. `isSignedIn` simulates the sign-in hint cookie. */
function createTab(isSignedIn: () => boolean) {
  const messages: TabMessage[] = [];
  let receive: ((message?: TabMessage) => void) | undefined;
  let hasHint = true;
  const fakeTab: SessionTab = {
    mayHaveSession: () => hasHint && isSignedIn(),
    clearHint: () => {
      hasHint = false;
    },
    broadcast: (message) => void messages.push(message),
    listen: (onMessage) => {
      receive = onMessage;
    },
  };
  return { tab: fakeTab, messages, receive: (message?: TabMessage) => receive?.(message) };
}

/** Starts a session store in a browser where the given user, if any, is logged in. */
function openStore(user?: Person, hasUnsavedInput = () => false) {
  const session = createSessionStore();
  const { api, calls, state, issueToken } = createTestApi(user, () => session.token() ?? '');
  const { tab, messages, receive } = createTab(() => state.user !== undefined);
  const events: (SessionEvent | 'access-changed')[] = [];
  session.subscribe((event) => events.push(event));
  session.start(api, tab, { onAccessChange: () => events.push('access-changed'), hasUnsavedInput });
  return { session, calls, state, issueToken, messages, receive, events };
}

/** Returns the token for retrying a rejected read or change, or undefined if the request stays rejected. */
function renewToken(session: SessionStore, token: string, isRead = true): Promise<string | undefined> {
  const error = new ApiProblem({ status: 401, code: 'token-invalid', detail: 'Too old', requestId: '' });
  return session
    .retry({ error, token, isRead }, async (freshToken) => freshToken)
    .catch((retryError: unknown) => (retryError === error ? undefined : Promise.reject(retryError)));
}

/** Lets all pending promises settle. */
const settle = () => vi.advanceTimersByTimeAsync(0);

const errorLog = vi.spyOn(console, 'error');
afterAll(() => errorLog.mockRestore());

beforeEach(() => {
  // The device's clock is years behind the server's, which must not matter.
  vi.useFakeTimers({ now: Date.UTC(1999, 0, 1) });
  errorLog.mockReset().mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
});

test('the initial session is logged out and makes no requests', () => {
  const session = createSessionStore();
  expect(session.now()).toEqual(SIGNED_OUT);
  expect([session.now().initialized, session.now().isAnonymous, session.token()]).toEqual([false, true, undefined]);
});

test.each([
  ['__Host-signed_in=1', true],
  ['theme=dark; signed_in=1', true],
  ['__Host-signed_in=', false],
  ['not_signed_in=1', false],
])('a tab with the cookie %s may have a session: %s', (cookie, hasHintCookie) => {
  vi.stubGlobal('BroadcastChannel', class {});
  vi.stubGlobal('document', { cookie });
  expect(createSessionTab(false).mayHaveSession()).toBe(hasHintCookie);
  vi.unstubAllGlobals();
});

test('a visitor’s session starts without a request', async () => {
  const { session, calls, events } = openStore();
  expect(session.now()).toEqual(EMPTY_SESSION);
  expect(await session.ready()).toBe(session.now());
  await settle();
  expect([calls, events]).toEqual([[], ['changed', 'initialized']]);
});

test('a returning user gets a fresh token, then the profile and permissions', async () => {
  const { session, calls, state, events } = openStore(ADA);
  await session.ready();
  expect(session.now()).toEqual({
    authenticated: true,
    initialized: true,
    status: 'user',
    idToken: state.tokens[0],
    uid: 'u1',
    email: 'ada@example.org',
    displayName: 'Person u1',
    photoURL: '/media/u1.webp',
    admin: false,
    emailVerified: true,
    isAnonymous: false,
    providerData: [{ providerId: 'password' }],
    hasNotifications: false,
    roles: { ithaca: 'editor' },
  });
  expect(session.token()).toBe(state.tokens[0]);
  expect(calls).toEqual(['readToken', 'authorize', 'readUser']);
  expect(events).toEqual(['changed', 'initialized']);
});

test('an unverified email counts as a notification, and admin is true only for admins', async () => {
  const { session } = openStore({ ...BEN, emailVerified: false });
  expect(await session.ready()).toMatchObject({ admin: true, emailVerified: false, hasNotifications: true });
  const adaStore = openStore(ADA);
  expect(await adaStore.session.ready()).toMatchObject({ admin: false, hasNotifications: false });
});

test('a session lists the permissions that stay inactive until the user adds a second factor', async () => {
  const inactivePermissions = { admin: true, orgs: [] };
  const { session } = openStore({ ...BEN, inactivePermissions });
  expect(await session.ready()).toMatchObject({ inactivePermissions });
});

test.each(['authorize', 'readUser'] as const)(
  'if %s fails while the profile loads, the session has the status "new" and the error is logged',
  async (call) => {
    const { api, state } = createTestApi(BEN);
    state.failures.set(call, new OfflineError());
    const session = createSessionStore();
    session.start(api, createTab(() => true).tab);
    expect(await session.ready()).toMatchObject({
      authenticated: true,
      initialized: true,
      status: 'new',
      uid: 'u2',
      email: 'ben@example.org',
      admin: false,
      idToken: state.tokens[0],
    });
    expect(errorLog.mock.calls).toEqual([['authorization error']]);
  },
);

test('a profile that fails after a logout is not logged', async () => {
  const { api } = createTestApi(ADA);
  const session = createSessionStore();
  const call: ApiClient['call'] = async (name, input) => {
    if (name !== 'authorize') return api.call(name, input);
    await session.signOut();
    throw new OfflineError();
  };
  session.start({ ...api, call }, createTab(() => true).tab);
  await session.ready();
  expect(session.now().authenticated).toBe(false);
  expect(errorLog.mock.calls).toEqual([]);
});

test('every 50 minutes the claims are refreshed, then the token and profile', async () => {
  const { session, calls, state } = openStore(ADA);
  await session.ready();
  calls.length = 0;
  state.user = { ...ADA, admin: true };
  await vi.advanceTimersByTimeAsync(REFRESH_MILLISECONDS - 1);
  expect([REFRESH_MILLISECONDS, calls]).toEqual([3_000_000, []]);
  await vi.advanceTimersByTimeAsync(1);
  expect(calls).toEqual(['readToken', 'refreshClaims', 'readToken', 'authorize', 'readUser']);
  expect(state.refreshBearer).toBe(state.tokens[1]);
  expect(session.now()).toMatchObject({ admin: true, idToken: state.tokens[2] });
  await vi.advanceTimersByTimeAsync(REFRESH_MILLISECONDS);
  expect(session.token()).toBe(state.tokens[4]);
});

test('a failed claims refresh is logged and changes nothing', async () => {
  const { session, state } = openStore(ADA);
  await session.ready();
  state.failures.set('refreshClaims', new OfflineError());
  await session.refreshClaims();
  expect(errorLog.mock.calls).toEqual([['ERROR SETTING CUSTOM CLAIMS']]);
  expect(session.now()).toMatchObject({ authenticated: true, status: 'user', idToken: state.tokens[1] });
});

test('the session stays unchanged while the server is unreachable', async () => {
  const { session, state } = openStore(ADA);
  const initialSession = await session.ready();
  for (const call of ['readToken', 'refreshClaims'] as const) state.failures.set(call, new OfflineError());
  await vi.advanceTimersByTimeAsync(REFRESH_MILLISECONDS);
  expect(session.now()).toBe(initialSession);
  await expect(renewToken(session, session.token() ?? '')).rejects.toBeInstanceOf(OfflineError);
  expect(session.now()).toBe(initialSession);
});

test('an ended session becomes empty, and its timer stops', async () => {
  const { session, calls, state } = openStore(ADA);
  await session.ready();
  state.user = undefined;
  expect(await renewToken(session, session.token() ?? '')).toBeUndefined();
  expect([session.now(), session.token()]).toEqual([EMPTY_SESSION, undefined]);
  calls.length = 0;
  await vi.advanceTimersByTimeAsync(2 * REFRESH_MILLISECONDS);
  expect(calls).toEqual([]);
});

test('concurrent changes after the session ends prompt for one login and retry with its token', async () => {
  const { session, state } = openStore(ADA);
  const { idToken } = await session.ready();
  state.user = undefined;
  requestLogin.mockImplementationOnce(async () => {
    expect(session.token()).toBeUndefined();
    state.user = ADA;
    return { token: createToken(ADA), expiresAt: '2001-01-01T00:00:00Z' };
  });
  const tokens = await Promise.all([renewToken(session, idToken, false), renewToken(session, idToken, false)]);
  expect(requestLogin).toHaveBeenCalledTimes(1);
  expect(tokens).toEqual([session.token(), session.token()]);
  expect(session.now()).toMatchObject({ uid: 'u1', status: 'user' });
});

test('if the login dialog fails, the session is kept and the next change prompts again', async () => {
  const { session, state } = openStore(ADA);
  const { idToken } = await session.ready();
  state.user = undefined;
  requestLogin.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await expect(renewToken(session, idToken, false)).rejects.toThrow('Failed to fetch');
  expect(session.token()).toBe(idToken);
  requestLogin.mockResolvedValueOnce(undefined);
  expect(await renewToken(session, idToken, false)).toBeUndefined();
  expect(requestLogin).toHaveBeenCalledTimes(2);
});

test('renewals don’t end the session while the person is asked to log in again', async () => {
  const { session, state, calls } = openStore(ADA);
  const initialSession = await session.ready();
  state.user = undefined;
  const login = Promise.withResolvers<IdentityToken | undefined>();
  requestLogin.mockReturnValueOnce(login.promise);
  const retriedToken = renewToken(session, initialSession.idToken, false);
  await vi.advanceTimersByTimeAsync(REFRESH_MILLISECONDS);
  expect(calls).not.toContain('refreshClaims');
  await session.refreshClaims();
  expect(session.now()).toBe(initialSession);
  state.user = ADA;
  login.resolve({ token: createToken(ADA), expiresAt: '2001-01-01T00:00:00Z' });
  expect(await retriedToken).toBe(session.token());
  expect(session.now()).toMatchObject({ uid: 'u1', status: 'user' });
});

test('a renewal doesn’t end the session while the page has unsaved input', async () => {
  let isUnsaved = true;
  const { session, state } = openStore(ADA, () => isUnsaved);
  const initialSession = await session.ready();
  state.user = undefined;
  await vi.advanceTimersByTimeAsync(REFRESH_MILLISECONDS);
  expect(session.now()).toBe(initialSession);
  isUnsaved = false;
  await vi.advanceTimersByTimeAsync(REFRESH_MILLISECONDS);
  expect(session.now()).toEqual(EMPTY_SESSION);
});

test('a visitor’s session starts even if the page has unsaved input', async () => {
  const { session } = openStore(undefined, () => true);
  expect(await session.ready()).toEqual(EMPTY_SESSION);
});

test('if the person cancels the login, the session stays until the next read', async () => {
  const { session, state } = openStore(ADA);
  const initialSession = await session.ready();
  const { idToken } = initialSession;
  state.user = undefined;
  requestLogin.mockResolvedValueOnce(undefined);
  expect(await renewToken(session, idToken, false)).toBeUndefined();
  expect([session.now(), session.token()]).toEqual([initialSession, idToken]);
  expect(await renewToken(session, idToken)).toBeUndefined();
  expect([session.now(), session.token()]).toEqual([EMPTY_SESSION, undefined]);
});

test('concurrent renewals are combined into one, including a late one', async () => {
  const { session, calls, state } = openStore(ADA);
  const { idToken } = await session.ready();
  calls.length = 0;
  const [first, second] = await Promise.all([renewToken(session, idToken), renewToken(session, idToken)]);
  expect([first, second, await renewToken(session, idToken)]).toEqual(Array(3).fill(state.tokens[1]));
  expect(calls).toEqual(['readToken']);
  expect(session.now().idToken).toBe(state.tokens[1]);
});

test('no call uses the token of another user who just signed in', async () => {
  const { session, state } = openStore(ADA);
  const { idToken } = await session.ready();
  state.user = BEN;
  expect(await renewToken(session, idToken)).toBeUndefined();
  await settle();
  expect(session.now()).toMatchObject({ uid: 'u2', status: 'user', admin: true });
  expect(await renewToken(session, idToken)).toBeUndefined();
});

test('a token rejected during profile loading ends the session without a deadlock', async () => {
  const { api, state } = createTestApi(ADA);
  const session = createSessionStore();
  const call: ApiClient['call'] = async (name, input) => {
    if (name === 'authorize') {
      state.user = undefined;
      await renewToken(session, session.token() ?? '');
      throw new ApiProblem({ status: 401, code: 'token-invalid', detail: 'Ended', requestId: '' });
    }
    return api.call(name, input);
  };
  session.start({ ...api, call }, createTab(() => true).tab);
  expect(await session.ready()).toEqual(EMPTY_SESSION);
});

test('another user signing in during profile loading causes no deadlock', async () => {
  const { api, state } = createTestApi(ADA);
  const session = createSessionStore();
  const call: ApiClient['call'] = async (name, input) => {
    if (name === 'authorize') {
      state.user = BEN;
      await renewToken(session, session.token() ?? '');
    }
    return api.call(name, input);
  };
  session.start({ ...api, call }, createTab(() => true).tab);
  await session.ready();
  await settle();
  expect(session.now()).toMatchObject({ uid: 'u2', status: 'user', idToken: session.token() });
});

test('opening a session fails before the store starts and succeeds afterward', async () => {
  const { api, issueToken } = createTestApi(ADA);
  const session = createSessionStore();
  const issuedToken = { token: issueToken(ADA), expiresAt: '2001-01-01T00:00:00Z' };
  await expect(session.open(issuedToken)).rejects.toBeInstanceOf(OfflineError);
  session.start(api, createTab(() => false).tab);
  expect(await session.open(issuedToken)).toMatchObject({ uid: 'u1' });
});

test('signing in opens a session with the returned token and notifies other tabs', async () => {
  const { session, calls, state, issueToken, messages, events } = openStore();
  state.user = ADA;
  const token = issueToken(ADA);
  await session.open({ token, expiresAt: '2001-01-01T00:00:00Z' });
  expect(session.now()).toMatchObject({ authenticated: true, uid: 'u1', idToken: token });
  expect(calls).toEqual(['authorize', 'readUser']);
  expect(messages).toEqual([{ uid: 'u1', hasChanged: true }]);
  expect(events).toEqual(['changed', 'initialized', 'changed', 'access-changed']);
});

test('the page is notified only if the user or their permissions change', async () => {
  const { session, state, events } = openStore(ADA);
  await session.ready();
  // Nothing was shown before the session was known.
  expect(events).not.toContain('access-changed');
  const countAccessChanges = async (change: Partial<Person>) => {
    state.user = { ...ADA, ...change };
    events.length = 0;
    await session.refreshClaims();
    return events.filter((event) => event === 'access-changed').length;
  };
  expect(await countAccessChanges({})).toBe(0);
  expect(await countAccessChanges({ roles: { ithaca: 'editor', elmira: 'editor' } })).toBe(1);
  expect(await countAccessChanges({ emailVerified: false })).toBe(1);
  expect(await countAccessChanges({ admin: true })).toBe(1);
  events.length = 0;
  await renewToken(session, session.token() ?? '');
  expect(events).toEqual(['changed']);
  await session.signOut();
  expect(events).toEqual(['changed', 'changed', 'access-changed']);
});

// @asvs 14.3.1
test('logging out clears everything, notifies other tabs, and stops the timer', async () => {
  const { session, calls, messages } = openStore(ADA);
  await session.ready();
  await session.signOut();
  expect([session.now(), session.token()]).toEqual([EMPTY_SESSION, undefined]);
  expect(messages.at(-1)).toEqual({ uid: '', hasChanged: true });
  calls.length = 0;
  await vi.advanceTimersByTimeAsync(2 * REFRESH_MILLISECONDS);
  expect(calls).toEqual([]);
});

// @asvs 14.3.1
test('a failed log-out request still ends the session, silently', async () => {
  const { session, state, calls, receive } = openStore(ADA);
  await session.ready();
  state.failures.set('signOut', new OfflineError());
  await session.signOut();
  expect(session.now()).toEqual(EMPTY_SESSION);
  expect(errorLog).not.toHaveBeenCalled();
  calls.length = 0;
  receive();
  await settle();
  expect([calls, session.now()]).toEqual([[], EMPTY_SESSION]);
});

test('the session follows a login or logout in another tab', async () => {
  const { session, state, receive, messages } = openStore();
  state.user = ADA;
  receive({ uid: 'u1', hasChanged: true });
  await settle();
  expect(session.now()).toMatchObject({ uid: 'u1', authenticated: true });
  state.user = undefined;
  receive({ uid: '', hasChanged: false });
  await settle();
  expect(session.now()).toEqual(EMPTY_SESSION);
  // A tab doesn't rebroadcast the messages it receives.
  const messageCount = messages.length;
  receive({ uid: '', hasChanged: false });
  await settle();
  expect(messages).toHaveLength(messageCount);
});

test('an update for the same user is applied only if something changed', async () => {
  const { session, calls, state, receive, messages } = openStore(ADA);
  await session.ready();
  calls.length = 0;
  messages.length = 0;
  receive({ uid: 'u1', hasChanged: false });
  await settle();
  expect(calls).toEqual([]);
  state.user = { ...ADA, roles: { ithaca: 'editor', elmira: 'editor' } };
  receive({ uid: 'u1', hasChanged: true });
  await settle();
  expect(session.now().roles).toEqual({ ithaca: 'editor', elmira: 'editor' });
  expect(messages).toEqual([]);
});

test('a restored tab shows the current session', async () => {
  const { session, state, calls, receive } = openStore();
  receive();
  await settle();
  expect(calls).toEqual([]);
  state.user = BEN;
  receive();
  await settle();
  expect(session.now().uid).toBe('u2');
  state.user = undefined;
  receive();
  await settle();
  expect(session.now()).toEqual(EMPTY_SESSION);
});

test('a failed session check can be retried', async () => {
  const { api, state } = createTestApi(ADA);
  state.failures.set('readToken', new OfflineError());
  const session = createSessionStore();
  session.start(api, createTab(() => true).tab);
  await expect(session.ready()).rejects.toBeInstanceOf(OfflineError);
  expect(session.now().initialized).toBe(false);
  state.failures.clear();
  expect(await session.ready()).toMatchObject({ uid: 'u1', initialized: true });
});

test('a profile that failed to load is loaded again for the next page', async () => {
  const { session, state } = openStore(ADA);
  state.failures.set('authorize', new OfflineError());
  expect(await session.ready()).toMatchObject({ uid: 'u1', status: 'new' });
  state.failures.clear();
  expect(await session.ready()).toMatchObject({ uid: 'u1', status: 'user', roles: ADA.roles });
});

test('a sign-in overrides a session check in progress', async () => {
  const { api, state, issueToken } = createTestApi(BEN);
  const session = createSessionStore();
  session.start(api, createTab(() => true).tab);
  const token = issueToken(ADA);
  state.user = ADA;
  await Promise.all([session.open({ token, expiresAt: '2001-01-01T00:00:00Z' }), session.ready()]);
  await settle();
  expect(session.now()).toMatchObject({ uid: 'u1', idToken: token });
});

test('an invalid token opens a session with no claims and the status "new"', async () => {
  const { api } = createTestApi();
  const session = createSessionStore();
  session.start(api, createTab(() => false).tab);
  expect(await session.open({ token: 'nonsense', expiresAt: '' })).toMatchObject({ uid: '', email: '', status: 'new' });
});
