import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { WEBHOOK_PATH } from '#contract/calls.ts';
import type { Problem } from '#contract/problem.ts';
import type { Load } from '#domain/load.ts';
import { handleErrors } from '#server/http/problems.ts';
import { shedLoad } from '#server/http/shed-load.ts';
import { type Measure, measureThisProcess, mostConnections } from '#server/measure-load.ts';

const LIMITS: Load = { heap: 0.8, memory: 0.9, delayMs: 1000, connections: 100 };

/** What is measured, as the test says. */
function load() {
  const said = { heap: 10, memory: 10, working: 0 };
  let worked = 0;
  let time = 0;
  const measure: Measure = {
    heap: () => ({ used: said.heap, limit: 100 }),
    memory: () => ({ used: said.memory, limit: 100 }),
    worked: () => (worked += said.working),
    time: () => (time += 1),
  };
  return { said, measure };
}

type Site = { readonly app: FastifyInstance; readonly url: string; readonly port: number; readonly asked: string[] };

async function site(measure: Measure, limits = LIMITS, trusted: readonly string[] = []): Promise<Site> {
  const app = Fastify();
  afterAll(() => app.close());
  const asked: string[] = [];
  handleErrors(app);
  shedLoad(app, { limits, measure, lookEveryMs: 1 }, trusted);
  for (const path of ['/', '/api/orgs', '/healthz', '/assets/main.js', '/api/asks-itself'])
    app.get(path, async () =>
      path === '/api/asks-itself' ? (await app.inject('/api/orgs')).statusCode : asked.push(path),
    );
  app.post(WEBHOOK_PATH, async () => ({ received: true }));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return { app, port, asked, url: `http://127.0.0.1:${port}` };
}

const statusOf = async (url: string, init: RequestInit = {}) => (await fetch(url, init)).status;

async function statuses({ url }: Site): Promise<number[]> {
  const paths = ['/', '/api/orgs', '/assets/main.js', '/healthz'];
  const reads = await Promise.all(paths.map((path) => statusOf(url + path)));
  return [...reads, await statusOf(url + WEBHOOK_PATH, { method: 'POST' })];
}

const NOTHING = [200, 200, 200, 200, 200];
const MOST = [503, 503, 200, 200, 200];
const ALL = [503, 503, 503, 503, 503];
const soon = (here: Site, expected: number[]) => expect.poll(() => statuses(here)).toEqual(expected);

test('what can wait is refused first, then all, and nothing once the load is gone', async () => {
  const { said, measure } = load();
  const here = await site(measure);
  await soon(here, NOTHING);
  said.memory = 91;
  await soon(here, MOST);
  said.memory = 96;
  await soon(here, ALL);
  said.memory = 50;
  await soon(here, NOTHING);
});

test('a full heap refuses requests like full memory', async () => {
  const { said, measure } = load();
  const here = await site(measure);
  said.heap = 85;
  await soon(here, MOST);
  said.heap = 95;
  await soon(here, ALL);
  said.heap = 50;
  await soon(here, NOTHING);
});

test('long work of the program itself is load, time that others use is none', async () => {
  const { said, measure } = load();
  const here = await site(measure);
  said.working = 1200;
  await soon(here, MOST);
  said.working = 0;
  await soon(here, NOTHING);
  const { worked } = measureThisProcess();
  const before = worked();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  expect(worked() - before).toBeLessThan(150);
});

test('a system that says nothing of a limit has that of its machine, and not one of nothing', () => {
  const constrained = vi.spyOn(process, 'constrainedMemory').mockReturnValue(0);
  onTestFinished(() => constrained.mockRestore());
  const { used, limit } = measureThisProcess().memory();
  expect(limit).toBeGreaterThan(used);
});

test('long pieces of work with time between them refuse nobody', async () => {
  const { measure } = load();
  const here = await site({ ...measure, worked: nowAndThenLong(measure.worked) });
  await soon(here, NOTHING);
  for (let asked = 0; asked < 20; asked += 1) expect(await statusOf(here.url)).toBe(200);
});

/** A minute of work in every fourth look. */
function nowAndThenLong(worked: () => number): () => number {
  let looks = 0;
  return () => {
    looks += 1;
    return worked() + Math.floor(looks / 4) * 60_000;
  };
}

test('a call learns it as a problem, a page as a page, and both when to come again', async () => {
  const { said, measure } = load();
  const here = await site(measure);
  said.memory = 91;
  await soon(here, MOST);
  const call = await fetch(`${here.url}/api/orgs`, { headers: { accept: 'text/html' } });
  expect([call.headers.get('content-type'), call.headers.get('retry-after')]).toEqual([
    expect.stringMatching(/^application\/problem\+json/),
    '10',
  ]);
  expect(((await call.json()) as Problem).code).toBe('too-busy');
  const page = await fetch(here.url, { headers: { accept: 'text/html,*/*' } });
  expect([page.status, page.headers.get('content-type'), page.headers.get('retry-after')]).toEqual([
    503,
    'text/html; charset=utf-8',
    '10',
  ]);
  expect([page.headers.get('cache-control'), page.headers.get('connection')]).toEqual(['no-store', 'close']);
  expect(await page.text()).toContain('<p>A lot of people are using this site right now.');
});

test('a page that was let in gets its data', async () => {
  const { said, measure } = load();
  const here = await site(measure);
  said.memory = 91;
  await soon(here, MOST);
  expect((await here.app.inject('/api/asks-itself')).body).toBe('200');
});

/** Opens connections that ask for nothing. */
async function hold(port: number, count: number, localAddress: string): Promise<net.Socket[]> {
  const sockets = Array.from({ length: count }, () => net.connect({ port, host: '127.0.0.1', localAddress }));
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(
    sockets.map((socket) =>
      once(
        socket.on('error', () => {}),
        'connect',
      ),
    ),
  );
  return sockets;
}

async function askFrom(port: number, localAddress: string): Promise<string> {
  const socket = net.connect({ port, host: '127.0.0.1', localAddress });
  socket.write('GET /api/orgs HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  const answer = await text(socket).catch(() => '');
  return answer.split('\r\n')[0]?.slice(9, 12) ?? '';
}

test('one client has half of the connections, a proxy more, and what is left is for what cannot wait', async () => {
  const { measure } = load();
  const here = await site(measure, { ...LIMITS, connections: 40 }, ['127.0.0.9/32', '10.0.0.0/8']);
  const crowd = await hold(here.port, 20, '127.0.0.2');
  const before = here.asked.length;
  expect(['503', '']).toContain(await askFrom(here.port, '127.0.0.2'));
  expect(here.asked.length).toBe(before);
  expect(await askFrom(here.port, '127.0.0.3')).toBe('200');
  for (const socket of crowd) socket.destroy();
  await hold(here.port, 30, '127.0.0.9');
  await expect.poll(() => askFrom(here.port, '127.0.0.9')).toBe('200');
  await hold(here.port, 6, '127.0.0.9');
  await expect.poll(() => askFrom(here.port, '127.0.0.3')).toBe('503');
  expect(await statusOf(`${here.url}/healthz`)).toBe(200);
});

test('this process is measured', async () => {
  const { heap, memory } = measureThisProcess();
  for (const { used, limit } of [heap(), memory()]) {
    expect(used).toBeGreaterThan(1_000_000);
    expect(used).toBeLessThan(limit);
  }
  expect(mostConnections()).toBeGreaterThan(100);
});

test('a client that asks more than 100 times in a second waits in line for the answers, and nobody else does', async () => {
  let now = 0;
  const pauses: number[] = [];
  const app = Fastify({ trustProxy: true });
  afterAll(() => app.close());
  const pause = async (milliseconds: number) => pauses.push(milliseconds);
  shedLoad(app, { limits: LIMITS, measure: { ...load().measure, time: () => now }, pause }, []);
  for (const path of ['/', '/assets/main.js']) app.get(path, async () => 'ready');
  await app.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const ask = async (client: string, times: number, path = '/') => {
    for (let asked = 0; asked < times; asked += 1) {
      expect(await statusOf(url + path, { headers: { 'x-forwarded-for': client } })).toBe(200);
    }
  };
  await ask('203.0.113.1', 100);
  await ask('203.0.113.1', 100, '/assets/main.js');
  await ask('203.0.113.2', 100);
  await ask('127.0.0.1', 200);
  expect(pauses).toEqual([]);
  await ask('203.0.113.1', 3);
  expect(pauses).toEqual([10, 20, 30]);
  now += 500;
  await ask('203.0.113.1', 48);
  expect(pauses.slice(3)).toEqual([10]);
});
