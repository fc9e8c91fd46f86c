import { once } from 'node:events';
import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { pagePath } from '#contract/pages.ts';
import { newId } from '#server/ids.ts';
import { openMetrics } from '#server/metrics.ts';
import { cachedAnswers } from '#server/pages/cached-answers.ts';
import type { ReadyPage } from '#server/pages/page-cache.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { testDatabase } from '#test/support/database.ts';
import { renderedSite } from '#test/support/rendered-site.ts';

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
  const page = { status: 200 } as ReadyPage;
  const kept = new Map([['/page', page]]);
  const routed: string[] = [];
  const answers = cachedAnswers(newId, openMetrics());
  const app: FastifyInstance = Fastify({ serverFactory: answers.serverFactory });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/page',
    handler: (request, reply) => {
      routed.push(request.method);
      void reply.type('text/plain; charset=utf-8').header('x-kept', ['one', 'two']);
      const body = Buffer.from('the page');
      answers.remember(page, request.headers['accept-encoding'], reply, body);
      return reply.send(body);
    },
  });
  answers.begin(app, (path) => kept.get(path));
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
  ['has the page already, perhaps', '/page', { 'if-none-match': '"a"' }, 'GET'],
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

test('made-up encodings do not fill the memory', async () => {
  const { app, routed } = await onePage();
  for (let made = 0; made < 40; made += 1) await ask(app, '/page', { 'accept-encoding': `br;q=0.${made}` });
  for (let made = 0; made < 40; made += 1) await ask(app, '/page', { 'accept-encoding': `br;q=0.${made}` });
  expect(routed).toHaveLength(40 + 24);
});
