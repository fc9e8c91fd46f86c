// @spec decisions.6
import { expect, test } from 'vitest';
import { CALLS, callPath } from '#contract/calls.ts';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { findAnyOrg, unusedDatabase } from '#test/support/unused-database.ts';

const PAGES = 'https://pages.example';
const app = await buildTestApp(
  await testDeps(unusedDatabase(), { findOrg: findAnyOrg, pageOrigins: [PAGES, 'http://localhost:5173'] }),
);
const appOfOneHost = await buildTestApp(await testDeps(unusedDatabase(), { findOrg: findAnyOrg }));

const SITE = callPath('readSite', {});
const cors = (headers: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));

const preflight = (origin: string, method = 'PUT') => ({
  method: 'OPTIONS' as const,
  url: callPath('readOrg', { orgid: 'sample' }),
  headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'authorization' },
});

// @asvs 3.4.2
test('a configured host may read responses, with cookies and exposed headers', async () => {
  const { statusCode, headers } = await app.inject({ url: SITE, headers: { origin: PAGES } });
  expect(statusCode).toBe(200);
  expect(cors(headers)).toEqual({
    'access-control-allow-origin': PAGES,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'x-next-cursor, x-position, x-lines, x-request-id, retry-after',
  });
  expect(headers.vary).toBe('Origin');
});

test('cross-origin pages can read errors', async () => {
  const { statusCode, headers } = await app.inject({ url: '/api/nothing', headers: { origin: PAGES } });
  expect([statusCode, headers['access-control-allow-origin']]).toEqual([404, PAGES]);
});

test('a configured host may send every kind of call and its headers', async () => {
  const { statusCode, headers, body } = await app.inject(preflight(PAGES));
  expect([statusCode, body]).toEqual([204, '']);
  const methods = String(headers['access-control-allow-methods']).split(', ');
  expect(new Set(methods)).toEqual(new Set(Object.values(CALLS).map(({ method }) => method)));
  expect(headers['access-control-allow-headers']).toBe('authorization, content-type, x-requested-with');
});

// @asvs 3.4.2
test.each([
  'https://evil.example',
  'https://pages.example.evil.example',
  'http://pages.example',
  'https://pages.example:444',
  'https://PAGES.example',
  'null',
  '*',
  '',
])('no other site gets access: %j', async (origin) => {
  expect(cors((await app.inject({ url: SITE, headers: { origin } })).headers)).toEqual({});
  const response = await app.inject(preflight(origin));
  expect([response.statusCode, cors(response.headers)]).toEqual([405, {}]);
});

test('without configured hosts, no site gets access', async () => {
  expect(cors((await appOfOneHost.inject({ url: SITE, headers: { origin: PAGES } })).headers)).toEqual({});
  expect(cors((await appOfOneHost.inject(preflight(PAGES))).headers)).toEqual({});
});

test('only calls are open to other hosts', async () => {
  expect(cors((await app.inject({ url: '/media/none/640.jpg', headers: { origin: PAGES } })).headers)).toEqual({});
});

test('pages with an API on another host may use only that host', async () => {
  const api = 'https://api.example';
  const pages = await buildTestApp(await testDeps(unusedDatabase(), { apiOrigins: [api] }));
  const policyOf = async (host: typeof app) =>
    String((await host.inject('/api/docs')).headers['content-security-policy']).split(';');
  const split = await policyOf(pages);
  expect(split).toContain(`connect-src 'self' ${api}`);
  expect(split).toContain(`img-src 'self' data: blob: ${api}`);
  const policy = await policyOf(appOfOneHost);
  expect(policy).toContain("connect-src 'self'");
  expect(policy).toContain("img-src 'self' data: blob:");
});

test('pictures can be embedded on other hosts only if such hosts are configured', async () => {
  const policy = async (host: typeof app) => (await host.inject('/api/docs')).headers['cross-origin-resource-policy'];
  expect([await policy(app), await policy(appOfOneHost)]).toEqual(['cross-origin', 'same-origin']);
});

test('responses vary by Origin and Accept where they depend on them', async () => {
  const { headers } = await app.inject({ url: '/api/docs', headers: { origin: PAGES } });
  expect(headers.vary).toBe('Origin, Accept');
});
