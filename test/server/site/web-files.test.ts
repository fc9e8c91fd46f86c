// @spec decisions.1
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { buildApp } from '#server/app.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { createUnreachableDatabase } from '#test/support/unreachable-database.ts';
import { createWebFolder, DOCUMENT, DRAWING, SCRIPT } from '#test/support/web-folder.ts';

const db = await createTestDatabase();
const orgId = await addOrg(db);
const deps = await createTestDeps(db, { settings: { defaultOrg: orgId } });
const app = await buildTestApp(deps, await createWebFolder());

const HASHED_FILE = '/assets/index-Ab12Cd34.js';
const IMMUTABLE = 'public, max-age=31536000, immutable';

test('hashed files are cached forever, others for an hour, and the document is always revalidated', async () => {
  const readCacheControl = async (url: string) => (await app.inject(url)).headers['cache-control'];
  expect(await readCacheControl(HASHED_FILE)).toBe(IMMUTABLE);
  expect(await readCacheControl('/assets/figtree-Ab12Cd34.woff2')).toBe(IMMUTABLE);
  expect(await readCacheControl('/img/icon.svg')).toBe('public, max-age=3600');
  expect(await readCacheControl(`/orgs/${orgId}`)).toBe('no-cache');
});

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('a browser that accepts %s gets the file compressed by the build', async (encoding, decompress) => {
  const response = await app.inject({ url: HASHED_FILE, headers: { 'accept-encoding': encoding } });
  expect(response.statusCode).toBe(200);
  expect(response.headers).toMatchObject({
    'content-encoding': encoding,
    'content-type': expect.stringMatching(/^(?:text|application)\/javascript/),
    'cache-control': IMMUTABLE,
    vary: 'accept-encoding',
  });
  expect(decompress(response.rawPayload).toString()).toBe(SCRIPT);
  expect(response.rawPayload.length).toBeLessThan(SCRIPT.length);
});

test('brotli is preferred over gzip', async () => {
  const response = await app.inject({ url: HASHED_FILE, headers: { 'accept-encoding': 'gzip, deflate, br' } });
  expect(response.headers['content-encoding']).toBe('br');
});

test('a browser that accepts no compression gets the uncompressed file', async () => {
  const response = await app.inject('/img/icon.svg');
  expect(response.headers['content-encoding']).toBeUndefined();
  expect(response.headers['content-type']).toBe('image/svg+xml; charset=utf-8');
  expect(response.body).toBe(DRAWING);
});

test('an unchanged file isn’t sent again', async () => {
  const { etag } = (await app.inject(HASHED_FILE)).headers;
  const response = await app.inject({ url: HASHED_FILE, headers: { 'if-none-match': String(etag) } });
  expect([response.statusCode, response.body, response.headers['cache-control']]).toEqual([304, '', IMMUTABLE]);
});

test.each(['/img/icon.svg', HASHED_FILE])('an out-of-bounds range request for %s gets a 4xx response', async (url) => {
  const { statusCode } = await app.inject({ url, headers: { range: 'bytes=99999999-' } });
  expect(statusCode).toBeGreaterThanOrEqual(400);
  expect(statusCode).toBeLessThan(500);
});

// @asvs 13.4.3
test.each([
  '/assets/index-Ab12Cd34.js.br',
  '/assets/index-Ab12Cd34.js.gz',
  '/assets/gone.js',
  `/assets/${'a'.repeat(300)}.js`,
  '/assets/index.html',
  '/assets/..%2findex.html',
  '/assets',
  '/assets/',
  '/img/',
])('%s is not a file', async (url) => {
  const response = await app.inject(url);
  expect([response.statusCode, response.headers['content-type']]).toEqual([
    404,
    'application/problem+json; charset=utf-8',
  ]);
  expect(response.headers['cache-control']).toBe('no-store');
});

const RESPONSES = [
  ['the document', `/orgs/${orgId}`, 200],
  ['a redirect', '/', 302],
  ['a missing page', '/nobody', 404],
  ['a script', HASHED_FILE, 200],
  ['a drawing', '/img/icon.svg', 200],
  ['a missing file', '/assets/gone.js', 404],
  ['a call', '/api/site', 200],
  ['a list', '/api/orgs', 200],
  ['a rejected call', '/api/orgs?max=0', 400],
  ['an unknown call', '/api/unknown', 404],
  ['a missing picture', '/media/aaaaaaaaaaaaaaaaaaaaaa/320.webp', 404],
  ['the API documentation', '/api/docs', 200],
  ['the health check', '/healthz', 200],
  ['robots.txt', '/robots.txt', 200],
  ['the site map', '/sitemap.xml', 200],
  ['an organization’s QR code', `/media/qrcodes/${orgId}.svg`, 200],
] as const;

// @asvs 3.2.1 3.4.3 3.4.4 3.4.5 3.4.6 3.7.1 14.2.3
test.each(RESPONSES)('%s has the browser security headers', async (_what, url, status) => {
  const { statusCode, headers } = await app.inject(url);
  expect(statusCode).toBe(status);
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin');
  const policy = String(headers['content-security-policy']).split(';');
  expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'"]));
  expect(policy).toEqual(expect.arrayContaining(["frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"]));
  expect(policy).toContain("object-src 'none'");
  expect(policy.join()).not.toMatch(/unsafe|\*|https?:/);
});

// @asvs 4.1.1
test.each(RESPONSES)('%s states its content type, and text its charset', async (_what, url) => {
  const { headers, body } = await app.inject(url);
  if (body === '') return;
  expect(headers['content-type']).toMatch(/^\w+\/[\w+-]+; charset=utf-8$/);
});

test.each(RESPONSES)('HEAD for %s matches GET without the body', async (_what, url) => {
  const fullResponse = await app.inject(url);
  const head = await app.inject({ method: 'HEAD', url });
  expect([head.statusCode, head.body]).toEqual([fullResponse.statusCode, '']);
  const sameHeaders = ['content-type', 'cache-control', 'location', 'etag', 'content-security-policy'] as const;
  for (const name of sameHeaders) expect(head.headers[name], name).toBe(fullResponse.headers[name]);
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)(
  'a %s to a page lists the allowed methods',
  async (method) => {
    for (const url of ['/', `/orgs/${orgId}`, `/orgs/${orgId}/?a=b`, HASHED_FILE, '/healthz', '/nobody', '/api/docs']) {
      const response = await app.inject({ method, url });
      expect([response.statusCode, response.headers.allow], url).toEqual([405, 'GET, HEAD']);
      expect(response.json(), url).toMatchObject({ status: 405, code: 'method-not-allowed' });
      expect(response.json<{ detail: string }>().detail, url).toContain(method);
    }
  },
);

test('an unsupported method gets 405 with the allowed methods', async () => {
  const readAllowedMethods = async (method: 'DELETE' | 'PATCH', url: string) => {
    const response = await app.inject({ method, url });
    return [response.statusCode, response.headers.allow];
  };
  expect(await readAllowedMethods('DELETE', '/api/site')).toEqual([405, 'GET, HEAD']);
  expect(await readAllowedMethods('DELETE', `/api/orgs/${orgId}/checkouts`)).toEqual([405, 'POST']);
  expect(await readAllowedMethods('PATCH', `/api/orgs/${orgId}/checkouts/c1/`)).toEqual([
    405,
    'DELETE, GET, HEAD, PUT',
  ]);
  expect(await readAllowedMethods('PATCH', '/media/aaaaaaaaaaaaaaaaaaaaaa/320.webp')).toEqual([405, 'GET, HEAD']);
});

test.each(['/api/unknown', '/api/orgs/x/y/z', '/img/gone.svg', '/a/b/c', '/media'])(
  '%s accepts no method at all',
  async (url) => {
    for (const method of ['POST', 'OPTIONS'] as const) {
      const response = await app.inject({ method, url });
      expect([response.statusCode, response.headers.allow]).toEqual([404, undefined]);
      expect(response.json()).toMatchObject({ code: 'call-not-found' });
    }
  },
);

// @asvs 3.4.1 12.2.1
test('HSTS is sent only in production, with every response, for one year', async () => {
  const productionApp = await buildTestApp(
    { ...deps, settings: { ...deps.settings, production: true } },
    await createWebFolder(),
  );
  for (const [, url] of RESPONSES) {
    expect((await app.inject(url)).headers).not.toHaveProperty('strict-transport-security');
    const stsHeader = (await productionApp.inject(url)).headers['strict-transport-security'];
    expect(stsHeader, url).toBe('max-age=31536000');
  }
});

test('production has no development mailbox', async () => {
  const mailbox = { list: async () => [], read: async () => undefined };
  const developmentApp = await buildTestApp({ ...deps, mailbox });
  const productionApp = await buildTestApp({ ...deps, mailbox, settings: { ...deps.settings, production: true } });
  for (const url of ['/dev/mailbox', '/dev/mailbox.json']) {
    expect((await developmentApp.inject(url)).statusCode).toBe(200);
    expect((await productionApp.inject(url)).statusCode).toBe(404);
  }
});

test('without a built client, calls work and pages don’t', async () => {
  for (const folder of [undefined, '/nowhere/at/all']) {
    const appWithoutPages = await buildTestApp(deps, folder);
    expect((await appWithoutPages.inject('/api/site')).statusCode).toBe(200);
    expect((await appWithoutPages.inject(`/orgs/${orgId}`)).json()).toMatchObject({
      status: 404,
      code: 'call-not-found',
    });
  }
});

test('the program is ready while its database responds and healthy while it serves pages', async () => {
  const readHealth = async (server: FastifyInstance) => {
    const responses = await Promise.all(['/healthz', '/readyz'].map((url) => server.inject(url)));
    return responses.map((response) => [response.statusCode, response.json().reason]);
  };
  expect(await readHealth(app)).toEqual([
    [200, undefined],
    [200, undefined],
  ]);
  const appWithoutDatabase = await buildApp({ ...deps, db: createUnreachableDatabase() });
  const appWithoutPages = await buildApp(deps, { webFolder: '/nowhere/at/all' });
  onTestFinished(async () => {
    await Promise.all([appWithoutDatabase.close(), appWithoutPages.close()]);
  });
  expect(await readHealth(appWithoutDatabase)).toEqual([
    [200, undefined],
    [503, 'the database does not respond'],
  ]);
  expect(await readHealth(appWithoutPages)).toEqual([
    [503, 'no pages are built'],
    [503, 'no pages are built'],
  ]);
});

test.each([
  ['a public page', `/orgs/${orgId}/about`, 200],
  ['an editor’s page', `/orgs/${orgId}/editor/editors`, 200],
  ['a page without an organization', '/user-home', 200],
  ['an unknown page', '/nothing/at/all', 404],
])('without a renderer, %s gets the common document', async (_kind, url, status) => {
  const response = await app.inject(url);
  expect([response.statusCode, response.body]).toEqual([status, DOCUMENT]);
});
