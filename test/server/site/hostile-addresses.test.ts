// @spec decisions.7
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryText } from '#test/support/arbitrary-text.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { openRawClient } from '#test/support/raw-request.ts';
import { pickRunCount } from '#test/support/run-count.ts';
import { createWebFolder, DOCUMENT } from '#test/support/web-folder.ts';

const db = await createTestDatabase();
const orgId = await addOrg(db, { id: 'ours', slug: 'ithaca' });
const app = await buildTestApp(await createTestDeps(db, { settings: { defaultOrg: orgId } }), await createWebFolder());
const get = await openRawClient(app);

/** Addresses that neither a browser nor a proxy would send, so the test uses a raw socket. */
// @asvs 1.2.1 13.4.1
test.each([
  '/%00',
  '/%',
  '/%zz',
  '/%ff',
  '/%E0%A4%A',
  '/%c0%ae%c0%ae/',
  '///',
  '//evil.example/',
  '/\\evil.example',
  '/\\',
  '/..',
  '/../..',
  '/orgs/..',
  '/orgs/ours/..',
  '/orgs/%2e%2e/%2e%2e/etc/passwd',
  '/..%2f..%2fetc%2fpasswd',
  '/.env',
  '/.git/config',
  '/.vite/manifest.json',
  '/index.html',
  '/index.html.br',
  '/favicon.ico',
  '/security.txt',
  '/orgs/',
  '/orgs//',
  '/orgs//offsetters',
  '/orgs/Z%C3%BCrich',
  '/orgs/%F0%9F%8C%8D',
  '/orgs/a%2Fb',
  '/orgs/ours%00',
  "/orgs/1'or'1'='1",
  '/orgs/__proto__',
  '/orgs/constructor/offsetters',
  '/__proto__',
  '/toString',
  '/;a',
  '/*',
  '/#a',
  `/${'a'.repeat(8000)}`,
  `/orgs/${'a'.repeat(8000)}`,
  `/${'a/'.repeat(3000)}`,
  `/orgs/${'%2e'.repeat(2000)}`,
  '/orgs/a%0d%0aSet-Cookie:x',
  '/orgs/ours/edit',
  '/orgs/ours/unknown',
  '/orgs/ours;/about',
  '/orgs/ours.',
  '/orgs/ours/%6Ffsetters%2F',
  '/ORGS/ours',
  'http://evil.example/',
])('%s is not found as a page', async (address) => {
  const { status, headers, body } = await get(address);
  expect([status, headers.location]).toEqual([404, undefined]);
  expect(body).toBe(DOCUMENT);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
});

test.each([
  '/api/%',
  '/api/orgs/%',
  '/api/orgs/..',
  `/api/orgs/${'a'.repeat(8000)}`,
  '/media/%ff/1.webp',
  '/assets/../index.html',
])('%s is not found as a call', async (address) => {
  const { status, headers, body } = await get(address);
  expect([status, headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8']);
  expect(JSON.parse(body).requestId).toMatch(/^[\w-]{36}$/);
  expect(headers['x-content-type-options']).toBe('nosniff');
});

// @asvs 1.1.1
test('an address is decoded once: an encoded address matches, and a doubly encoded one doesn’t', async () => {
  expect((await get('/%6Frgs/%6Furs')).status).toBe(200);
  expect((await get('/%256Frgs/%256Furs')).status).toBe(404);
  expect((await get('/api/orgs/%256Furs')).status).toBe(404);
  expect((await get('/ith%61ca')).headers.location).toBe('/orgs/ours');
});

test('a malformed HTTP request line is rejected', async () => {
  expect((await get('/orgs/Zürich')).status).toBe(400);
});

const pathPart = fc.oneof(
  fc.constantFrom('/', '//', '%', '%00', '%2f', '%2e%2e', '..', '.', '\\', '?', '#', '&', ';', ':', '@', '%0d%0a'),
  fc.constantFrom(
    'orgs',
    'ours',
    'ithaca',
    'api',
    'login',
    'assets',
    'media',
    'img',
    'dev',
    'healthz',
    'readyz',
    'http:',
    'evil.example',
  ),
  fc.stringMatching(/^[!-~]{0,5}$/),
);

// @asvs 3.7.2
test('no address causes a server error, a redirect off the site, or a response without security headers', async () => {
  const address = fc.array(pathPart, { maxLength: 8 }).map((parts) => `/${parts.join('')}`);
  await fc.assert(
    fc.asyncProperty(address, async (path) => {
      const { status, headers } = await get(path);
      expect([200, 302, 400, 401, 404, 422]).toContain(status);
      if (status === 302) expect(headers.location).toMatch(/^\/orgs\/ours(?:\?|$)/);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      });
    }),
    { numRuns: pickRunCount(100, 300) },
  );
});

const readPaths = [
  'orgs',
  'orgs/ours/offsetters',
  'orgs/ours/awardees',
  'orgs/ours/cells',
  'orgs/ours/checkouts/c1',
  'autocomplete',
];
const paramName = fc.constantFrom(
  'max',
  'cursorRef',
  'order',
  'slug',
  'page',
  'name',
  'receipt',
  'search',
  '__proto__',
  'x',
);
const paramValue = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e9',
    '9'.repeat(40),
    'NaN',
    'asc',
    'desc',
    'home',
    'ours',
    '\u0000',
    '\ud83c\udf0d',
    "'--",
    '%',
  ),
  arbitraryText({ maxLength: 20 }),
);

// @asvs 1.2.4
test('no query string causes a server error in a read', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...readPaths),
      fc.array(fc.tuple(paramName, paramValue), { maxLength: 4 }),
      async (path, query) => {
        const response = await app.inject(`/api/${path}?${new URLSearchParams(query)}`);
        expect([200, 400, 404, 422]).toContain(response.statusCode);
      },
    ),
    { numRuns: pickRunCount(100, 400) },
  );
});
