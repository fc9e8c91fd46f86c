import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { pagePath } from '#contract/pages.ts';
import { buildApp } from '#server/app.ts';
import { newId } from '#server/ids.ts';
import { openMetrics } from '#server/metrics.ts';
import { cachedAnswers } from '#server/pages/cached-answers.ts';
import type { Ready } from '#server/pages/page-cache.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { testDatabase } from '#test/support/database.ts';
import { renderedSite } from '#test/support/rendered-site.ts';
import { makeWebFolder } from '#test/support/web-folder.ts';

const db = await testDatabase();
const site = await renderedSite(db);
await site.app.listen({ port: 0, host: '127.0.0.1' });

type Heard = { readonly status: number | undefined; readonly headers: http.IncomingHttpHeaders; readonly body: string };

/** Over a real connection, as what is kept is answered by the server itself. */
async function ask(
  app: FastifyInstance,
  path: string,
  headers: http.OutgoingHttpHeaders = {},
  method = 'GET',
): Promise<Heard> {
  const address = app.server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const request = http.request({ host: '127.0.0.1', port, path, headers, method, agent: false }).end();
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  // Of each answer its own (request-ids.test.ts).
  const { date, 'x-request-id': id, ...rest } = response.headers;
  expect([date, id]).toEqual([expect.any(String), expect.any(String)]);
  return { status: response.statusCode, headers: rest, body: (await buffer(response)).toString('latin1') };
}

async function newHome(): Promise<{ id: string; home: string }> {
  const id = newId();
  await site.afterChange(() => addOrg(db, { id }));
  return { id, home: pagePath('home-page', { orgid: id }) };
}

test.each(['br', 'gzip, deflate, br', 'identity', undefined])(
  'a page that is kept is answered as the first time, to the letter, where a browser takes %s',
  async (encodings) => {
    const { home } = await newHome();
    const headers = encodings === undefined ? {} : { 'accept-encoding': encodings };
    const first = await ask(site.app, home, headers);
    expect([first.status, first.headers['content-security-policy']]).toEqual([
      200,
      expect.stringContaining("default-src 'none'"),
    ]);
    expect(await ask(site.app, home, headers)).toEqual(first);
  },
);

test.each([
  ['index-Ab12Cd34.js', 'br', 'br'],
  ['index-Ab12Cd34.js', 'identity', undefined],
  ['figtree-Ab12Cd34.woff2', 'gzip, br', undefined],
])('a file of the build, %s, is read once, where a browser takes %s', async (name, encodings, encoding) => {
  const folder = await makeWebFolder();
  const app = await buildApp(site.deps, { webFolder: folder });
  afterAll(() => app.close());
  await app.listen({ port: 0, host: '127.0.0.1' });
  const headers = { 'accept-encoding': encodings };
  const first = await ask(app, `/assets/${name}`, headers);
  expect([first.status, first.headers['content-encoding']]).toEqual([200, encoding]);
  await rm(path.join(folder, 'assets'), { recursive: true });
  expect(await ask(app, `/assets/${name}`, headers)).toEqual(first);
  // The router knows it too.
  expect((await ask(app, `/assets/${name}?a=b`, headers)).body).toBe(first.body);
  expect((await ask(app, '/assets/stories-Ab12Cd34.css', headers)).status).toBe(404);
});

test('a changed page is served in its new version', async () => {
  const { id, home } = await newHome();
  const plain = { 'accept-encoding': 'identity' };
  await ask(site.app, home, plain);
  await ask(site.app, home, plain);
  await site.afterChange(() => db.kysely.updateTable('orgs').set({ tag: 'Said anew' }).where('id', '=', id).execute());
  expect((await ask(site.app, home, plain)).body).toContain('Said anew');
});

/** An app of one page, which counts what its router is asked. */
async function onePage() {
  const none = Buffer.alloc(0);
  const page: Ready = { etag: 'a', bodies: { br: none, gzip: none, identity: none } };
  const kept = new Map([['/page', page]]);
  const routed: string[] = [];
  const answers = cachedAnswers(newId, openMetrics());
  const app: FastifyInstance = Fastify({ serverFactory: answers.serverFactory });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/page',
    handler: (request, reply) => {
      routed.push(request.method);
      void reply.type('text/plain; charset=utf-8').headers({ 'x-kept': ['one', 'two'] });
      const kept = request.method === 'GET' ? page : undefined;
      return answers.send(request, reply, { kept, etag: '"a"', encoding: 'identity', body: Buffer.from('the page') });
    },
  });
  answers.begin(app);
  answers.add((path) => kept.get(path));
  await app.listen({ port: 0, host: '127.0.0.1' });
  afterAll(() => app.close());
  return { app, kept, routed };
}

test('identical requests are answered before the router, which sees only the first', async () => {
  const { app, routed } = await onePage();
  const first = await ask(app, '/page', { 'accept-encoding': 'br' });
  expect(await ask(app, '/page', { 'accept-encoding': 'br' })).toEqual(first);
  expect(first).toMatchObject({ body: 'the page', headers: { 'content-length': '8', 'x-kept': 'one, two' } });
  expect(routed).toEqual(['GET']);
});

test.each([
  ['takes other encodings', '/page', { 'accept-encoding': 'gzip' }, 'GET'],
  ['shows a token', '/page', { authorization: 'Bearer a' }, 'GET'],
  ['sends something', '/page', { 'content-length': '0' }, 'GET'],
  ['comes from another origin', '/page', { origin: 'https://other.example' }, 'GET'],
  ['asks for the head alone', '/page', {}, 'HEAD'],
  ['adds a query', '/page?a=b', {}, 'GET'],
])('who %s is answered by the router', async (_who, path, headers, method) => {
  const { app, routed } = await onePage();
  await ask(app, '/page');
  await ask(app, path, headers, method);
  expect(routed).toEqual(['GET', method]);
});

test('a page that is no longer cached is answered by the router', async () => {
  const { app, kept, routed } = await onePage();
  await ask(app, '/page');
  kept.clear();
  await ask(app, '/page');
  expect(routed).toHaveLength(2);
});

test('who has the page already is told so, before the router', async () => {
  const { app, routed } = await onePage();
  await ask(app, '/page');
  const answer = await ask(app, '/page', { 'if-none-match': 'W/"a"' });
  expect([answer.status, answer.body, answer.headers['content-length']]).toEqual([304, '', undefined]);
  expect((await ask(app, '/page', { 'if-none-match': '"b"' })).status).toBe(200);
  expect(routed).toEqual(['GET']);
});

test('who has the page already makes it kept for others, and for those who have it', async () => {
  const { app, routed } = await onePage();
  const first = await ask(app, '/page', { 'if-none-match': '"a"' });
  expect(first.status).toBe(304);
  expect(await ask(app, '/page', { 'if-none-match': '"a"' })).toEqual(first);
  expect(await ask(app, '/page')).toMatchObject({ status: 200, body: 'the page' });
  expect(routed).toEqual(['GET']);
});

test('made-up encodings do not fill the memory, and leave room for those of browsers', async () => {
  const { app, routed } = await onePage();
  for (let made = 0; made < 40; made += 1) await ask(app, '/page', { 'accept-encoding': `br;q=0.${made}` });
  const before = routed.length;
  for (let again = 0; again < 3; again += 1) await ask(app, '/page', { 'accept-encoding': 'gzip, br' });
  for (let made = 0; made < 8; made += 1) await ask(app, '/page', { 'accept-encoding': `br;q=0.${made}` });
  expect(routed.length - before).toBe(1 + 8);
});
