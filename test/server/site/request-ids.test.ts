import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { pagePath } from '#contract/pages.ts';
import { buildApp } from '#server/app.ts';
import { newId } from '#server/db/new-id.ts';
import { findOrg } from '#server/entities/find-org.ts';
import { createLogger } from '#server/log.ts';
import { createTestDeps } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { deferCleanup } from '#test/support/defer-cleanup.ts';
import { createWebFolder, MANIFEST } from '#test/support/web-folder.ts';
import { renderPage } from '#web/entry-server.tsx';

const db = await createTestDatabase();
const webFolder = await createWebFolder(MANIFEST);

type LogLine = { readonly reqId?: string; readonly msg: string; readonly level: number };
type Site = { readonly app: FastifyInstance; readonly port: number; readonly lines: LogLine[] };

/** Starts the app behind a local proxy, which may be trusted, and collects everything it logs. */
async function startSite(trustedProxies: readonly string[] = []): Promise<Site> {
  const lines: LogLine[] = [];
  const logger = createLogger('trace', { write: (line: string) => void lines.push(JSON.parse(line)) });
  const deps = await createTestDeps(db, {
    // Logs with a different logger than the request's.
    findOrg: async (id) => {
      logger.info({ id }, 'looked up an organization');
      if (id === 'broken') throw new Error('made to fail');
      return findOrg(db, id);
    },
  });
  const app = await buildApp(deps, { logger, webFolder, render: renderPage, trustedProxies });
  deferCleanup(() => app.close());
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { app, lines, port: (app.server.address() as AddressInfo).port };
}

const { app, port, lines } = await startSite();

type RequestOptions = { readonly method?: string; readonly headers?: http.OutgoingHttpHeaders; readonly body?: string };

async function sendRequest(
  path: string,
  { method = 'GET', headers = {}, body }: RequestOptions = {},
  targetPort = port,
) {
  const request = http.request({ host: '127.0.0.1', port: targetPort, path, headers, method, agent: false }).end(body);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const id = response.headers['x-request-id'];
  // An event stream stays open.
  if (response.headers['content-type']?.startsWith('text/event-stream')) response.destroy();
  return { status: response.statusCode, id, body: response.destroyed ? '' : await text(response) };
}

const addHomePage = async () => {
  const id = newId();
  const notification = Promise.withResolvers<void>();
  // The site, which subscribed earlier, is notified first.
  const stop = await db.listen('org_changed', () => notification.resolve());
  await addOrg(db, { id });
  await notification.promise;
  stop();
  return { id, path: pagePath('home-page', { orgid: id }) };
};

test.each<[string, number, string, RequestOptions?]>([
  ['a call', 200, '/api/site'],
  ['the health check', 200, '/healthz'],
  ['an unknown call', 404, '/api/nothing'],
  ['an unknown organization', 404, '/api/orgs/nothing'],
  ['an unknown page', 404, '/nothing/at/all'],
  ['a wrong method', 405, '/api/site', { method: 'DELETE' }],
  ['a call without the header', 400, '/api/orgs/nothing/checkouts', { method: 'POST' }],
  [
    'a call without a token',
    401,
    '/api/users/claims',
    { method: 'POST', body: '{', headers: { 'content-type': 'application/json', 'x-requested-with': 'a' } },
  ],
  ['no signature', 400, '/api/webhooks/stripe', { method: 'POST', body: '{}' }],
  ['a failing call', 500, '/api/orgs/broken'],
  ['an unreadable address', 404, '/%zz'],
  ['a file', 200, '/assets/index-Ab12Cd34.js'],
  ['an expectation', 417, '/api/site', { headers: { expect: 'the unexpected' } }],
])('%s returns %i with an id', async (_what, status, path, options) => {
  const response = await sendRequest(path, options);
  expect(response).toMatchObject({ status, id: expect.stringMatching(/^[\w-]{36}$/) });
  if (response.body.startsWith('{') && status >= 400)
    expect(JSON.parse(response.body)).toMatchObject({ requestId: response.id });
});

test('each response has its own id, even if cached, unchanged, or redirected', async () => {
  const { id, path } = await addHomePage();
  const responses = [await sendRequest(path), await sendRequest(path), await sendRequest(path)];
  responses.push(await sendRequest(path, { headers: { 'if-none-match': '*' } }), await sendRequest('/'));
  responses.push(await sendRequest(`/api/orgs/${id}/live`), await sendRequest(path, { method: 'HEAD' }));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 304, 302, 200, 200]);
  expect(new Set(responses.map((response) => response.id)).size).toBe(7);
  for (const response of responses) expect(response.id).toMatch(/^[\w-]{36}$/);
});

test('every log line caused by a request has its id', async () => {
  const { path } = await addHomePage();
  lines.length = 0;
  const firstResponse = await sendRequest(path);
  // Rendering the page makes further requests to this program.
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.some(({ msg }) => msg === 'looked up an organization')).toBe(true);
  expect(new Set(lines.map(({ reqId }) => reqId))).toEqual(new Set([firstResponse.id]));
  lines.length = 0;
  const cachedResponse = await sendRequest(path);
  expect(lines.map(({ reqId, msg }) => [reqId, msg])).toEqual([
    [cachedResponse.id, 'incoming request'],
    [cachedResponse.id, 'request completed'],
  ]);
  lines.length = 0;
  const failedResponse = await sendRequest('/api/orgs/broken');
  expect(lines.filter(({ level }) => level === 50)).toMatchObject([
    { reqId: failedResponse.id, msg: 'a request failed' },
  ]);
  expect(new Set(lines.map(({ reqId }) => reqId))).toEqual(new Set([failedResponse.id]));
});

test('body parsing is logged with the request’s id', async () => {
  lines.length = 0;
  const headers = { 'content-type': 'application/json', 'x-requested-with': 'a' };
  const { id } = await sendRequest('/api/orgs/nothing/checkouts', { method: 'POST', body: '{"cart":[]}', headers });
  expect(lines.map(({ reqId, msg }) => [reqId, msg])).toContainEqual([id, 'looked up an organization']);
});

async function sendRaw(rawRequest: string, targetPort = port): Promise<string> {
  const socket = net.connect(targetPort, '127.0.0.1');
  socket.write(rawRequest);
  return text(socket);
}

test('an unparsable request also has an id', async () => {
  const unparsableResponse = await sendRaw('nothing that is HTTP\r\n\r\n');
  const id = /^x-request-id: (\S+)\r$/m.exec(unparsableResponse)?.[1] ?? '';
  expect(unparsableResponse).toContain(`"requestId":"${id}"`);
  const responseWithoutHost = await sendRaw('GET /api/site HTTP/1.1\r\n\r\n');
  expect(responseWithoutHost).toMatch(/ 400 [\s\S]*\r\nx-request-id: [\w-]{36}\r\n/);
});

test.each([
  ['a trusted proxy', ['127.0.0.0/8'], 'a1b2c3d4-e5f6.from_a-proxy', true],
  ['a visitor', [], 'a1b2c3d4-e5f6.from_a-visitor', false],
  ['another proxy', ['10.0.0.0/8'], 'a1b2c3d4-e5f6', false],
  ['a trusted proxy, if it is short,', ['127.0.0.1'], 'a1b2', false],
  ['a trusted proxy, if it is long,', ['127.0.0.1'], 'a'.repeat(65), false],
  ['a trusted proxy, if it has invalid characters,', ['127.0.0.1'], 'a1b2c3d4" level="fatal', false],
  ['a trusted proxy, if it is a tag,', ['127.0.0.1'], '<script>alert(1)</script>', false],
])('the id from %s is adopted only if it is trusted and valid', async (_who, trustedProxies, requestId, isAdopted) => {
  const { port: sitePort, lines: logLines } = await startSite(trustedProxies);
  for (const path of ['/api/site', '/nothing/at/all']) {
    const { id } = await sendRequest(path, { headers: { 'x-request-id': requestId } }, sitePort);
    expect(id === requestId).toBe(isAdopted);
    expect(id).toMatch(/^[\w.-]{8,64}$/);
    expect(logLines.at(-1)?.reqId).toBe(id);
  }
});

test('pages on other origins can read the id', async () => {
  const deps = await createTestDeps(db, { settings: { pageOrigins: ['https://www.fund.example'] } });
  const otherApp = await buildApp(deps);
  deferCleanup(() => otherApp.close());
  const response = await otherApp.inject({ url: '/api/site', headers: { origin: 'https://www.fund.example' } });
  expect(response.headers['access-control-expose-headers']).toContain('x-request-id');
  expect(await app.inject('/api/site')).toMatchObject({ headers: { 'x-request-id': expect.any(String) } });
});
