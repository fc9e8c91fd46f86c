import { createHash } from 'node:crypto';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { type AuthorizationQuery, startOpenIdProvider } from '#test/support/openid-provider.ts';

// The Google login tests are only meaningful if this stand-in is as strict as Google.

const provider = await startOpenIdProvider();
afterAll(() => provider.close());
beforeEach(() => {
  provider.fault = undefined;
});

const { clientId, clientSecret } = provider.client;
const VERIFIER = 'a-verifier-of-at-least-forty-three-characters-in-length';
const REDIRECT_URI = 'https://fund.example/api/auth/callback/google';
const AUTHORIZATION_QUERY: AuthorizationQuery = {
  client_id: clientId,
  redirect_uri: REDIRECT_URI,
  response_type: 'code',
  scope: 'openid email',
  state: 'state-1',
  nonce: 'nonce-1',
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 'S256',
};

const pageUrl = (changes: AuthorizationQuery = {}) =>
  `${provider.url}/authorize?${new URLSearchParams({ ...AUTHORIZATION_QUERY, ...changes })}`;

async function requestCode(changes: AuthorizationQuery = {}): Promise<string> {
  return new URL(await provider.confirmLogin(pageUrl(changes))).searchParams.get('code') ?? '';
}

async function exchangeCode(code: string, changes: AuthorizationQuery = {}) {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: VERIFIER,
    client_id: clientId,
    client_secret: clientSecret,
    ...changes,
  });
  const response = await fetch(`${provider.url}/token`, { method: 'POST', body });
  return { status: response.status, ...((await response.json()) as { id_token?: string; error?: string }) };
}

const keys = createRemoteJWKSet(new URL(`${provider.url}/keys`));
const verifyToken = (token = '') => jwtVerify(token, keys, { issuer: provider.url, audience: clientId });

test('the discovery document lists its endpoints', async () => {
  const discovery = (await (await fetch(provider.client.discoveryUrl)).json()) as Record<string, unknown>;
  expect(discovery).toMatchObject({ issuer: provider.url, jwks_uri: `${provider.url}/keys` });
});

test('the login page has one button that returns a code and the state', async () => {
  const text = await (await fetch(pageUrl())).text();
  expect(text.match(/<button>/g)).toHaveLength(1);
  expect(text).toContain('Continue as grace@example.org');
  expect(await provider.confirmLogin(pageUrl())).toMatch(
    /^https:\/\/fund\.example\/api\/auth\/callback\/google\?state=state-1&code=[\w-]{32}$/,
  );
});

test('the provider logs in the person in the hint', async () => {
  const heidi = { sub: '100002', email: 'heidi@example.org', emailVerified: false, name: 'Heidi Hint' };
  provider.people = [...provider.people, heidi];
  const { id_token } = await exchangeCode(await requestCode({ login_hint: 'heidi@example.org' }));
  expect((await verifyToken(id_token)).payload).toMatchObject({ sub: '100002', email_verified: false });
  expect(provider.queries.at(-1)?.login_hint).toBe('heidi@example.org');
});

test('a code is exchanged for a token with the client and the nonce', async () => {
  const { status, id_token } = await exchangeCode(await requestCode());
  expect(status).toBe(200);
  expect((await verifyToken(id_token)).payload).toMatchObject({ nonce: 'nonce-1', email: 'grace@example.org' });
});

test('a code works once', async () => {
  const code = await requestCode();
  expect(await exchangeCode(code)).toMatchObject({ status: 200 });
  expect(await exchangeCode(code)).toMatchObject({ status: 400, error: 'invalid_grant' });
});

test.each([
  { code_verifier: 'another-verifier-of-at-least-forty-three-characters' },
  { code_verifier: '' },
  { redirect_uri: 'https://evil.example/api/auth/callback/google' },
  { grant_type: 'refresh_token' },
  { client_secret: 'guessed' },
  { client_id: 'another' },
])('a code is rejected with %j', async (changes) => {
  expect((await exchangeCode(await requestCode(), changes)).status).toBeGreaterThanOrEqual(400);
});

test.each([
  { client_id: 'another' },
  { redirect_uri: 'https://fund.example/elsewhere' },
  { response_type: 'token' },
  { scope: 'email' },
  { state: '' },
  { nonce: '' },
  { code_challenge: '' },
  { code_challenge_method: 'plain' },
])('an authorization request is rejected with %j', async (changes) => {
  expect((await fetch(pageUrl(changes))).status).toBe(400);
});

test.each(['wrong-key', 'unsigned', 'wrong-audience', 'wrong-issuer', 'expired'] as const)(
  'a token that is %s fails verification',
  async (fault) => {
    provider.fault = fault;
    const { status, id_token } = await exchangeCode(await requestCode());
    expect(status).toBe(200);
    await expect(verifyToken(id_token)).rejects.toThrow();
  },
);

test('the provider can send a wrong nonce, no nonce, no token, or an error', async () => {
  provider.fault = 'wrong-nonce';
  expect((await verifyToken((await exchangeCode(await requestCode())).id_token)).payload.nonce).not.toBe('nonce-1');
  provider.fault = 'no-nonce';
  expect((await verifyToken((await exchangeCode(await requestCode())).id_token)).payload).not.toHaveProperty('nonce');
  provider.fault = 'no-id-token';
  expect(await exchangeCode(await requestCode())).not.toHaveProperty('id_token');
  provider.fault = 'unavailable';
  expect(await exchangeCode(await requestCode())).toMatchObject({ status: 503 });
  provider.fault = 'denied';
  expect(await provider.confirmLogin(pageUrl())).toContain('?state=state-1&error=access_denied');
});
