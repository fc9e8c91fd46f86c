import http, { type AgentOptions, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { scratchFolder } from '#scripts/scratch-folder.ts';
import { readConfig } from '#server/config.ts';
import { type Serving, serve } from '#server/main.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { testDatabasePlace } from '#test/support/database.ts';
import { makeWebFolder } from '#test/support/web-folder.ts';

const onServer = process.env.TEST_ENGINE === 'postgres';
const KEPT: AgentOptions = { keepAlive: true, maxSockets: 50 };

/** Long enough for all that happens meanwhile, also on a busy machine. */
const WAIT_MS = 2500;

/** Two programs on one database. */
async function twoPrograms(): Promise<[Serving, Serving]> {
  const { databaseUrl = '' } = await testDatabasePlace();
  const begin = async () =>
    serve(
      {
        ...readConfig({
          DATABASE_URL: databaseUrl,
          DATABASE_POOL: '4',
          DATA_DIR: await scratchFolder('stop'),
          PORT: '0',
          LOG_LEVEL: 'silent',
        }),
        stopWaitMs: WAIT_MS,
      },
      { webFolder: await makeWebFolder() },
    );
  const programs: [Serving, Serving] = [await begin(), await begin()];
  afterAll(() => Promise.all(programs.map((program) => program.close())));
  return programs;
}

const LOOK_EVERY_MS = 100;

/**
 * A proxy that keeps connections to its upstreams, asks each now and then whether it is ready, and never repeats a request:
 * what goes wrong is what a visitor gets.
 */
async function startProxy(ports: readonly number[]) {
  const upstreams = ports.map((port) => ({ port, isReady: true, agent: new http.Agent(KEPT) }));
  const looking = setInterval(() => {
    for (const upstream of upstreams) {
      http
        .get({ host: 'localhost', port: upstream.port, path: '/readyz', agent: false }, (answer) => {
          upstream.isReady = answer.statusCode === 200;
          answer.resume();
        })
        .on('error', () => {
          upstream.isReady = false;
        });
    }
  }, LOOK_EVERY_MS);
  let turn = 0;
  const proxy = http.createServer((request, response) => {
    const ready = upstreams.filter(({ isReady }) => isReady);
    turn += 1;
    const { port, agent } = ready[turn % ready.length] ?? { port: 0, agent: undefined };
    const { method, url: path, headers } = request;
    const asking = http.request({ host: 'localhost', port, path, method, headers, agent }, (answer) => {
      const { connection: _, ...passed } = answer.headers;
      response.writeHead(answer.statusCode ?? 0, passed);
      answer.pipe(response);
    });
    asking.on('error', (error) => response.writeHead(502).end(error.message));
    request.pipe(asking);
  });
  await new Promise<void>((resolve) => proxy.listen(0, 'localhost', resolve));
  afterAll(() => {
    clearInterval(looking);
    proxy.close();
    for (const { agent } of upstreams) agent.destroy();
  });
  return { port: (proxy.address() as AddressInfo).port };
}

/** @returns what 50 visitors got, each on a kept connection, while something happens */
async function visitorsDuring(
  port: number,
  path: string,
  work: () => Promise<void>,
): Promise<ReadonlyMap<string, number>> {
  const agent = new http.Agent(KEPT);
  const got = new Map<string, number>();
  let isOver = false;
  const ask = () =>
    new Promise<string>((resolve) => {
      http
        .get({ host: 'localhost', port, path, agent }, (answer: IncomingMessage) => {
          answer.resume().once('end', () => resolve(String(answer.statusCode)));
        })
        .on('error', (error) => resolve(error.message));
    });
  const visit = async () => {
    while (!isOver) {
      const what = await ask();
      got.set(what, (got.get(what) ?? 0) + 1);
      await pause(5);
    }
  };
  const visits = Array.from({ length: 50 }, visit);
  await work();
  isOver = true;
  await Promise.all(visits);
  agent.destroy();
  return got;
}

test.runIf(onServer)(
  'behind a proxy that keeps connections nobody notices that one of two programs stops',
  async () => {
    const [stopped, other] = await twoPrograms();
    const orgid = await addOrg(other.deps.db);
    const proxy = await startProxy([stopped.port, other.port]);
    const got = await visitorsDuring(proxy.port, `/api/orgs/${orgid}`, async () => {
      await pause(500);
      await stopped.close();
      await pause(500);
    });
    expect([...got.keys()]).toEqual(['200']);
    expect(got.get('200')).toBeGreaterThan(100);
  },
);

test.runIf(onServer)(
  'a program that stops says so, answers meanwhile, and closes each connection after its answer',
  async () => {
    const [stopped, other] = await twoPrograms();
    const orgid = await addOrg(other.deps.db);
    const live = await fetch(`${stopped.url}/api/orgs/${orgid}/live`);
    const closing = stopped.close();
    const paths = [`/api/orgs/${orgid}`, '/healthz', '/nobody', '/readyz'];
    const answers = await Promise.all(paths.map((path) => fetch(stopped.url + path)));
    expect(answers.map((answer) => answer.headers.get('connection'))).toEqual(paths.map(() => 'close'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 503]);
    expect(await answers.at(-1)?.json()).toEqual({ ok: false, reason: 'stopping' });
    // A page that follows the organization is let go, and comes back elsewhere by itself.
    expect(await live.text()).toContain('retry: ');
    await closing;
    await expect(fetch(`${stopped.url}/healthz`)).rejects.toThrow();
    expect((await fetch(`${other.url}/readyz`)).status).toBe(200);
  },
);
