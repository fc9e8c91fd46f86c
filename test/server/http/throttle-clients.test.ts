import type { AddressInfo } from 'node:net';
import { setTimeout as pauseFor } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { handleErrors } from '#server/http/problems.ts';
import { throttleClients } from '#server/http/throttle-clients.ts';

let now = 0;
const pauses: number[] = [];
const REMEMBERED_NETWORKS = 150;
const app = Fastify({ trustProxy: true });
const clock = { time: () => now, pause: async (milliseconds: number) => pauses.push(milliseconds) };
handleErrors(app);
throttleClients(app, clock, REMEMBERED_NETWORKS);
for (const path of ['/', '/assets/main.js', '/healthz']) app.get(path, async () => 'ready');
app.post('/body', async () => 'ready');
app.get('/expensive', { config: { isExpensive: true } }, async () => 'ready');
let url = '';
beforeAll(async () => {
  url = await listen(app);
});
afterAll(() => app.close());

async function listen(server: FastifyInstance): Promise<string> {
  await server.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
}

/** @returns the delay before each request */
async function sendRequests(count: number, clientAt: (index: number) => string, path = '/'): Promise<number[]> {
  for (let i = 0; i < count; i += 1) {
    expect((await fetch(url + path, { headers: { 'x-forwarded-for': clientAt(i) } })).status).toBe(200);
  }
  return pauses.splice(0);
}

// @asvs 15.2.2
test('delays a client that sends more than 100 requests a second, and no other client', async () => {
  const busyClient = () => '203.0.113.1';
  expect(await sendRequests(100, busyClient)).toEqual([]);
  expect(await sendRequests(100, busyClient, '/assets/main.js')).toEqual([]);
  expect(await sendRequests(100, busyClient, '/healthz')).toEqual([]);
  expect(await sendRequests(100, () => '203.0.113.2')).toEqual([]);
  expect(await sendRequests(110, () => '::ffff:127.0.0.1')).toEqual([]);
  expect(await sendRequests(110, () => '::1')).toEqual([]);
  expect(await sendRequests(3, busyClient)).toEqual([10, 20, 30]);
  now += 500;
  expect(await sendRequests(48, busyClient)).toEqual([10]);
});

test('counts an expensive call as 20 requests', async () => {
  const busyClient = () => '203.0.113.3';
  expect(await sendRequests(5, busyClient, '/expensive')).toEqual([]);
  expect(await sendRequests(2, busyClient, '/expensive')).toEqual([200, 400]);
});

test.each([
  [16_384, []],
  [16_385, [200, 400]],
])('counts a body of more than 16 kB as 20 requests: %i bytes', async (bytes, expected) => {
  const headers = { 'x-forwarded-for': `203.0.113.${bytes % 100}`, 'content-type': 'application/json' };
  const body = JSON.stringify('x'.repeat(bytes - 2));
  for (let i = 0; i < 7; i += 1) await fetch(`${url}/body`, { method: 'POST', headers, body });
  expect(pauses.splice(0)).toEqual(expected);
});

test('delays many IPv6 clients of one network together', async () => {
  const clientAt = (index: number) => `2001:db8:0:${(index % 200).toString(16)}::1`;
  expect(await sendRequests(400, clientAt)).toEqual([]);
  expect(await sendRequests(2, clientAt)).toEqual([2.5, 5]);
});

test('delays a large network even after it has used more subnets than are remembered', async () => {
  now += 60_000;
  const clientAt = (index: number) => `2001:db8:1:${(index * 256).toString(16)}::1`;
  const delays = await sendRequests(200, clientAt, '/expensive');
  expect(delays.slice(0, 3)).toEqual([12.5, 25, 37.5]);
  expect(delays.at(-1)).toBe(1500);
  now += 60_000;
  expect(await sendRequests(1, clientAt)).toEqual([]);
});

test('rejects requests that would wait longer than ten seconds, until fewer requests are waiting', async () => {
  const busyClient = () => '203.0.113.4';
  expect((await sendRequests(55, busyClient, '/expensive')).at(-1)).toBe(10_000);
  const headers = { 'x-forwarded-for': busyClient() };
  for (let i = 0; i < 3; i += 1) expect((await fetch(`${url}/expensive`, { headers })).status).toBe(429);
  expect(pauses).toEqual([]);
  now += 200;
  expect(await sendRequests(1, busyClient, '/expensive')).toEqual([10_000]);
});

test('stops delaying a request whose client has disconnected, and does not handle it', async () => {
  const pausedRequests: Promise<void>[] = [];
  const pause = (_milliseconds: number, signal: AbortSignal) => {
    const pausedRequest = pauseFor(60_000, undefined, { signal });
    pausedRequests.push(pausedRequest);
    return pausedRequest;
  };
  const server = Fastify({ trustProxy: true, forceCloseConnections: true });
  onTestFinished(() => server.close());
  throttleClients(server, { time: () => 0, pause });
  let handledCount = 0;
  server.get('/expensive', { config: { isExpensive: true } }, async () => {
    handledCount += 1;
    return 'ready';
  });
  const path = `${await listen(server)}/expensive`;
  const headers = { 'x-forwarded-for': '203.0.113.5' };
  for (let i = 0; i < 5; i += 1) await fetch(path, { headers });
  const client = new AbortController();
  const request = fetch(path, { headers, signal: client.signal });
  await expect.poll(() => pausedRequests).toHaveLength(1);
  client.abort();
  await expect(request).rejects.toThrow('aborted');
  await expect(pausedRequests[0]).rejects.toThrow('aborted');
  await server.close();
  expect(handledCount).toBe(5);
});
