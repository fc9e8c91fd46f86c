import fs from 'node:fs/promises';
import http, { type AgentOptions, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/connection.ts';
import { migrate } from '#server/db/migrate.ts';
import { type RunningServer, serve } from '#server/main.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createTestDatabaseLocation } from '#test/support/database.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { createWebFolder } from '#test/support/web-folder.ts';

const KEEP_ALIVE: AgentOptions = { keepAlive: true, maxSockets: 50 };

/** Long enough for the proxy's health check, even if it takes seconds on a busy machine. Waiting uses no CPU time. */
const WAIT_MS = 10_000;

async function startServer(databaseUrl: string): Promise<RunningServer> {
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: '4',
    DATA_DIR: await createScratchFolder('stop'),
    PORT: '0',
    LOG_LEVEL: 'silent',
  });
  const server = await serve({ ...config, stopWaitMs: WAIT_MS }, { webFolder: await createWebFolder() });
  onTestFinished(() => server.close());
  return server;
}

/** Starts two programs on one database. */
async function startTwoServers(): Promise<[RunningServer, RunningServer]> {
  const { databaseUrl } = await createTestDatabaseLocation();
  return [await startServer(databaseUrl), await startServer(databaseUrl)];
}

const CHECK_EVERY_MS = 100;
/** Typical for proxies, because one failed check on a busy machine doesn't mean that the program is down. */
const MAX_FAILED_CHECKS = 3;

/** @returns whether a program reports that it's ready */
function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    http
      .get({ host: 'localhost', port, path: '/readyz', agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      })
      .on('error', () => resolve(false));
  });
}

/**
 * A proxy that keeps connections open, checks readiness regularly, and never retries a request, so that visitors see
 * every failure.
 */
async function startProxy(ports: readonly number[]) {
  const createUpstream = (port: number) => ({ port, failedChecks: 0, responses: 0, agent: new http.Agent(KEEP_ALIVE) });
  const upstreams = ports.map(createUpstream);
  const abortController = new AbortController();
  const checkUpstreams = async () => {
    while (!abortController.signal.aborted) {
      for (const upstream of upstreams)
        upstream.failedChecks = (await isReady(upstream.port)) ? 0 : upstream.failedChecks + 1;
      await pause(CHECK_EVERY_MS);
    }
  };
  void checkUpstreams();
  let turn = 0;
  const proxy = http.createServer((request, response) => {
    const readyUpstreams = upstreams.filter(({ failedChecks }) => failedChecks < MAX_FAILED_CHECKS);
    turn += 1;
    const upstream = readyUpstreams[turn % readyUpstreams.length] ?? createUpstream(0);
    const { port, agent } = upstream;
    const { method, url: path, headers } = request;
    const upstreamRequest = http.request({ host: 'localhost', port, path, method, headers, agent }, (reply) => {
      const { connection: _, ...responseHeaders } = reply.headers;
      response.writeHead(reply.statusCode ?? 0, responseHeaders);
      reply.pipe(response);
      upstream.responses += 1;
    });
    upstreamRequest.on('error', (error) => response.writeHead(502).end(error.message));
    request.pipe(upstreamRequest);
  });
  await new Promise<void>((resolve) => proxy.listen(0, 'localhost', resolve));
  onTestFinished(() => {
    abortController.abort();
    proxy.close();
    for (const { agent } of upstreams) agent.destroy();
  });
  return {
    port: (proxy.address() as AddressInfo).port,
    add: (port: number) => void upstreams.push(createUpstream(port)),
    /** Resolves once a program has sent this many more responses. */
    waitForResponses: async (port: number, count: number) => {
      const responseCount = () => upstreams.find((upstream) => upstream.port === port)?.responses ?? 0;
      const initialCount = responseCount();
      await expect.poll(responseCount).toBeGreaterThan(initialCount + count);
    },
  };
}

/** @returns the response counts of visitors during the run, each on a kept-alive connection */
async function simulateVisitors(
  port: number,
  { paths, visitors }: { readonly paths: readonly string[]; readonly visitors: number },
  run: () => Promise<void>,
): Promise<ReadonlyMap<string, number>> {
  const agent = new http.Agent(KEEP_ALIVE);
  const responseCounts = new Map<string, number>();
  let isOver = false;
  let turn = 0;
  const fetchStatus = (path: string) =>
    new Promise<string>((resolve) => {
      http
        .get({ host: 'localhost', port, path, agent }, (response: IncomingMessage) => {
          let text = '';
          response.on('data', (part) => (text += part));
          // A failure message includes the proxy's error message.
          response.once('end', () =>
            resolve(response.statusCode === 502 ? `502: ${text}` : String(response.statusCode)),
          );
        })
        .on('error', (error) => resolve(error.message));
    });
  const visit = async () => {
    while (!isOver) {
      turn += 1;
      const response = await fetchStatus(paths[turn % paths.length] ?? '');
      responseCounts.set(response, (responseCounts.get(response) ?? 0) + 1);
      await pause(100);
    }
  };
  const visits = Array.from({ length: visitors }, visit);
  await run();
  isOver = true;
  await Promise.all(visits);
  agent.destroy();
  return responseCounts;
}

test('stopping one of two programs behind a keep-alive proxy fails no requests', async () => {
  const [stoppedServer, remainingServer] = await startTwoServers();
  const orgId = await addOrg(remainingServer.deps.db);
  const proxy = await startProxy([stoppedServer.port, remainingServer.port]);
  const responseCounts = await simulateVisitors(
    proxy.port,
    { paths: [`/api/orgs/${orgId}`], visitors: 50 },
    async () => {
      await pause(500);
      await stoppedServer.close();
      await pause(500);
    },
  );
  expect([...responseCounts.keys()]).toEqual(['200']);
  expect(responseCounts.get('200')).toBeGreaterThan(100);
});

/** Copies this version's migrations and adds one from the next version. */
async function copyNextMigrations(): Promise<string> {
  const folder = await createScratchFolder('migrations');
  onTestFinished(() => fs.rm(folder, { recursive: true, force: true }));
  await fs.cp(path.resolve('migrations'), folder, { recursive: true });
  const migrationSql = `alter table orgs add column next_release text not null default ''`;
  await fs.writeFile(path.join(folder, `${NEXT_MIGRATION}.sql`), migrationSql);
  return folder;
}
const NEXT_MIGRATION = '9999-next-release';

test('behind a proxy, visitors don’t notice when a migration runs and a new program replaces the old one', async () => {
  const { databaseUrl } = await createTestDatabaseLocation();
  const folder = await copyNextMigrations();
  const oldServer = await startServer(databaseUrl);
  const orgId = await addOrg(oldServer.deps.db);
  const proxy = await startProxy([oldServer.port]);
  // The last request reads the database and is not cached.
  const paths = [`/api/orgs/${orgId}`, `/api/orgs/${orgId}/offsetters`, '/api/orgs/nobody'];
  const responseCounts = await simulateVisitors(proxy.port, { paths, visitors: 10 }, async () => {
    await proxy.waitForResponses(oldServer.port, 30);
    const { log } = createLogSpy();
    const owner = await openDatabase({ databaseUrl, dataDir: '', log });
    expect(await migrate(owner, { folder })).toEqual([NEXT_MIGRATION]);
    await owner.close();
    await proxy.waitForResponses(oldServer.port, 30);
    const newServer = await startServer(databaseUrl);
    proxy.add(newServer.port);
    await proxy.waitForResponses(newServer.port, 30);
    // The new program reads data that the old one writes at the same time.
    const lateOrg = await addOrg(oldServer.deps.db);
    expect((await fetch(`${newServer.url}/api/orgs/${lateOrg}`)).status).toBe(200);
    await oldServer.close();
    await proxy.waitForResponses(newServer.port, 30);
  });
  expect([...responseCounts.keys()].sort()).toEqual(['200', '404']);
});
