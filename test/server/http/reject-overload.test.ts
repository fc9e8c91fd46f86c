import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type {} from '@fastify/under-pressure';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { WEBHOOK_PATH } from '#contract/calls.ts';
import { handleErrors } from '#server/http/problems.ts';
import { type LoadLimits, rejectOverload } from '#server/http/reject-overload.ts';

/** Sets no delay limit, because windows this short may have no sample. */
const IDLE_LIMITS: LoadLimits = { maxEventLoopDelay: 0, maxHeapUsedBytes: 1e12, maxRssBytes: 1e12, sampleInterval: 20 };

async function createSite(limits: LoadLimits) {
  const app = Fastify();
  onTestFinished(() => app.close());
  handleErrors(app);
  await rejectOverload(app, limits);
  for (const path of ['/', '/api/orgs', '/healthz', '/readyz']) app.get(path, async () => 'ready');
  app.get('/api/page', async () => (await app.inject('/api/orgs')).statusCode);
  app.post(WEBHOOK_PATH, async () => ({ received: true }));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const send = async (path: string, method = 'GET', headers: http.OutgoingHttpHeaders = {}) => {
    const request = http.request({ host: '127.0.0.1', port, path, method, headers }).end();
    const response = await new Promise<http.IncomingMessage>((resolve) => request.once('response', resolve));
    return { status: response.statusCode, headers: response.headers, body: await text(response) };
  };
  return { app, send };
}

test.each(['maxHeapUsedBytes', 'maxRssBytes'] as const)(
  'above %s, requests are rejected with 503, except webhooks and health checks',
  async (limit) => {
    const { app, send } = await createSite({ ...IDLE_LIMITS, [limit]: 1 });
    await expect.poll(() => app.isUnderPressure()).toBe(true);
    const response = await send('/api/orgs');
    expect([response.status, response.headers['retry-after'], response.headers['content-type']]).toEqual([
      503,
      '10',
      expect.stringMatching(/^application\/problem\+json/),
    ]);
    expect(JSON.parse(response.body)).toMatchObject({
      code: 'too-busy',
      detail: expect.stringContaining('A lot of people are using this site right now.'),
    });
    expect((await send('/healthz')).status).toBe(200);
    expect((await send('/readyz')).status).toBe(200);
    expect((await send(WEBHOOK_PATH, 'POST')).status).toBe(200);
  },
);

test('a browser that requests a page under load gets a page that explains the problem', async () => {
  const { app, send } = await createSite({ ...IDLE_LIMITS, maxRssBytes: 1 });
  await expect.poll(() => app.isUnderPressure()).toBe(true);
  const { status, headers, body } = await send('/', 'GET', { 'sec-fetch-mode': 'navigate' });
  expect([status, headers['content-type'], headers['retry-after']]).toEqual([503, 'text/html; charset=utf-8', '10']);
  expect(body).toContain('A lot of people are using this site right now.');
});

test('an accepted page still gets its data under load', async () => {
  const { app } = await createSite({ ...IDLE_LIMITS, maxRssBytes: 1 });
  await expect.poll(() => app.isUnderPressure()).toBe(true);
  expect((await app.inject('/api/page')).body).toBe('200');
});

test('no request is rejected without load', async () => {
  const { app, send } = await createSite(IDLE_LIMITS);
  await expect.poll(() => app.memoryUsage().rssBytes).toBeGreaterThan(0);
  expect((await send('/api/orgs')).status).toBe(200);
});
