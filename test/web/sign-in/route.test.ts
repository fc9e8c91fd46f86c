import { afterAll, expect, test, vi } from 'vitest';
import type { Org } from '#contract/schemas/orgs.ts';
import { createApiClient } from '#web/api/client.ts';
import { loginUrl } from '#web/navigation/address.ts';
import { Redirect } from '#web/navigation/navigator.ts';
import { SIGN_IN_PAGES } from '#web/routes/sign-in/route.ts';
import { type Session, SIGNED_OUT } from '#web/session/session.ts';
import { createSessionStore } from '#web/session/session-store.ts';
import type { LoadInput } from '#web/site/page.ts';
import { loadFrameOrg } from '#web/site/site-page.ts';

// Loading a page doesn't wait for its code, which may still be loading when the tests end.
afterAll(() => vi.dynamicImportSettled());

const VISITOR: Session = { ...SIGNED_OUT, initialized: true };
const ADA: Session = { ...VISITOR, authenticated: true, uid: 'u1', emailVerified: false };

function buildInput(search: LoadInput['search'], session = VISITOR, fetch?: typeof globalThis.fetch): LoadInput {
  const context = {
    api: createApiClient(fetch ? { fetch } : {}),
    session: { ...createSessionStore(), ready: async () => session },
  };
  return { context, site: { defaultOrg: 'sample' }, params: {}, search, address: '/login' } as unknown as LoadInput;
}

const load = (name: string, search: LoadInput['search'], session?: Session) =>
  SIGN_IN_PAGES.find((page) => page.name === name)?.load(buildInput(search, session));

test('logging in returns to the previous path, skipping the sign-in pages', () => {
  expect(loginUrl('/orgs/ithaca')).toBe('/login?return_to=%2Forgs%2Fithaca');
  expect(loginUrl('/orgs/ithaca?a=b')).toBe('/login?return_to=%2Forgs%2Fithaca%3Fa%3Db');
  expect(loginUrl('/signup?return_to=%2Forgs%2Fithaca')).toBe('/login?return_to=%2Forgs%2Fithaca');
});

test.each(['login-page', 'signup-page', 'sent-link-page', 'email-signin-page', 'verify-email-page'])(
  '%s keeps a path on this site and drops any other address',
  async (name) => {
    expect(await load(name, { return_to: '/orgs/ithaca?a=b' })).toMatchObject({ returnTo: '/orgs/ithaca?a=b' });
    for (const hostile of ['//example.net', 'https://example.net/', '/\\example.net', 'javascript:alert(1)']) {
      expect(await load(name, { return_to: hostile }), hostile).toMatchObject({ returnTo: undefined });
    }
  },
);

test('the sent-link page shows an email address and no other text from the URL', async () => {
  expect(await load('sent-link-page', { email: 'ada@example.org' })).toMatchObject({ email: 'ada@example.org' });
  for (const email of ['', 'Your account is closed. Call 555-0100', 'a@b']) {
    expect(await load('sent-link-page', { email }), email).toMatchObject({ email: undefined });
  }
});

test('a user with a verified email skips the verification page', async () => {
  const verifiedAda = { ...ADA, emailVerified: true };
  expect(await load('verify-email-page', { return_to: '/users' }, verifiedAda)).toEqual(new Redirect('/users'));
  expect(await load('verify-email-page', { code: 'c1' }, verifiedAda)).toEqual(new Redirect('/user-home'));
  expect(await load('verify-email-page', { code: 'c1' }, ADA)).toEqual({
    code: 'c1',
    returnTo: undefined,
    isNew: false,
  });
  // The link for a new address still confirms that address.
  expect(await load('verify-email-page', { code: 'c1', new: '1' }, verifiedAda)).toMatchObject({ code: 'c1' });
  expect(await load('verify-email-page', { code: 'c1' })).toEqual({ code: 'c1', returnTo: undefined, isNew: false });
});

test('a sign-in page uses the frame of the organization to return to, or of the last or default one', async () => {
  const requests: string[] = [];
  const fetch = async (input: string | URL | Request) => {
    const address = input instanceof Request ? input.url : input.toString();
    requests.push(address);
    return Response.json({ id: address.split('/').at(-1) });
  };
  const lastOrg = { id: 'elmira' } as Org;
  const loadFrameOrgId = async (search: LoadInput['search'], lastSeen?: Org) =>
    (await loadFrameOrg({ ...buildInput(search, VISITOR, fetch), lastOrg: lastSeen }))?.id;
  expect(await loadFrameOrgId({ return_to: '/orgs/ithaca/donate' }, lastOrg)).toBe('ithaca');
  expect(await loadFrameOrgId({ return_to: '/users' }, lastOrg)).toBe('elmira');
  expect(await loadFrameOrgId({ return_to: 'https://example.net/orgs/ithaca' })).toBe('sample');
  expect(requests).toEqual(['/api/orgs/ithaca', '/api/orgs/sample']);
});

test('a sign-in page works even if the organization can’t be read', async () => {
  const fetch = async () => Response.json({ code: 'org-not-found', detail: 'No', status: 404 }, { status: 404 });
  expect(await loadFrameOrg(buildInput({}, VISITOR, fetch))).toBeUndefined();
});
