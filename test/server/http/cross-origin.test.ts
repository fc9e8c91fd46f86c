// @spec decisions.6
import { expect, test } from 'vitest';
import { CALLS, callPath } from '#contract/calls.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { createUnreachableDatabase, findAnyOrg } from '#test/support/unreachable-database.ts';

const PAGES_ORIGIN = 'https://pages.example';
const app = await buildTestApp(
  await createTestDeps(createUnreachableDatabase(), {
    findOrg: findAnyOrg,
    settings: { pageOrigins: [PAGES_ORIGIN, 'http://localhost:5173'] },
  }),
);
const singleHostApp = await buildTestApp(await createTestDeps(createUnreachableDatabase(), { findOrg: findAnyOrg }));

const SITE_PATH = callPath('readSite', {});
const pickCorsHeaders = (headers: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));

const buildPreflight = (origin: string, method = 'PUT') => ({
  method: 'OPTIONS' as const,
  url: callPath('readOrg', { orgid: 'sample' }),
  headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'authorization' },
});

// @asvs 3.4.2
test('a configured host may read responses, with cookies and exposed headers', async () => {
  const { statusCode, headers } = await app.inject({ url: SITE_PATH, headers: { origin: PAGES_ORIGIN } });
  expect(statusCode).toBe(200);
  expect(pickCorsHeaders(headers)).toEqual({
    'access-control-allow-origin': PAGES_ORIGIN,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'x-next-cursor, x-position, x-lines, x-request-id, retry-after',
  });
  expect(headers.vary).toBe('Origin');
});

test('cross-origin pages can read errors', async () => {
  const { statusCode, headers } = await app.inject({ url: '/api/nothing', headers: { origin: PAGES_ORIGIN } });
  expect([statusCode, headers['access-control-allow-origin']]).toEqual([404, PAGES_ORIGIN]);
});

test('a configured host may use the methods and headers of every call', async () => {
  const { statusCode, headers, body } = await app.inject(buildPreflight(PAGES_ORIGIN));
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
  expect(pickCorsHeaders((await app.inject({ url: SITE_PATH, headers: { origin } })).headers)).toEqual({});
  const response = await app.inject(buildPreflight(origin));
  expect([response.statusCode, pickCorsHeaders(response.headers)]).toEqual([405, {}]);
});

test('without configured hosts, no site gets access', async () => {
  expect(
    pickCorsHeaders((await singleHostApp.inject({ url: SITE_PATH, headers: { origin: PAGES_ORIGIN } })).headers),
  ).toEqual({});
  expect(pickCorsHeaders((await singleHostApp.inject(buildPreflight(PAGES_ORIGIN))).headers)).toEqual({});
});

test('only calls are open to other hosts', async () => {
  expect(
    pickCorsHeaders((await app.inject({ url: '/media/none/640.jpg', headers: { origin: PAGES_ORIGIN } })).headers),
  ).toEqual({});
});

test('pages with an API on another host may access only that other host', async () => {
  const api = 'https://api.example';
  const pagesApp = await buildTestApp(
    await createTestDeps(createUnreachableDatabase(), { settings: { apiOrigins: [api] } }),
  );
  const readPolicy = async (targetApp: typeof app) =>
    String((await targetApp.inject('/api/docs')).headers['content-security-policy']).split(';');
  const splitPolicy = await readPolicy(pagesApp);
  expect(splitPolicy).toContain(`connect-src 'self' ${api}`);
  expect(splitPolicy).toContain(`img-src 'self' data: blob: ${api}`);
  const policy = await readPolicy(singleHostApp);
  expect(policy).toContain("connect-src 'self'");
  expect(policy).toContain("img-src 'self' data: blob:");
});

test('pictures can be embedded on other hosts only if such hosts are configured', async () => {
  const readResourcePolicy = async (targetApp: typeof app) =>
    (await targetApp.inject('/api/docs')).headers['cross-origin-resource-policy'];
  expect([await readResourcePolicy(app), await readResourcePolicy(singleHostApp)]).toEqual([
    'cross-origin',
    'same-origin',
  ]);
});

test('responses vary by Origin and Accept where they depend on them', async () => {
  const { headers } = await app.inject({ url: '/api/docs', headers: { origin: PAGES_ORIGIN } });
  expect(headers.vary).toBe('Origin, Accept');
});
