import fs from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { callPath, WEBHOOK_PATH } from '#contract/calls.ts';
import { pagePath } from '#contract/pages.ts';
import { payByCard } from '#scripts/crash-test/donors.ts';
import { startEmailSink } from '#scripts/crash-test/email-sink.ts';
import { spawnServer } from '#scripts/crash-test/server-process.ts';
import { startExternalProvider } from '#scripts/provider/external-provider.ts';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import { findFreePort } from '#server/db/free-port.ts';
import { takeLease } from '#server/jobs/leases.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { openTestDatabase } from '#test/support/database.ts';
import { findMaxRequests } from '#test/support/limits.ts';
import { createWebFolder, MANIFEST } from '#test/support/web-folder.ts';

/** Renders a page that contains the organization’s version. */
const RENDERER = `
export async function renderPage({ handleCall }) {
  const { body } = await handleCall({ method: 'GET', url: '/api/orgs/fund', headers: {} });
  const head = { title: '', description: '', siteName: '', alternates: [], isIndexed: false, structuredData: [] };
  return { status: 200, html: 'version ' + JSON.parse(body).version + '.', head, data: {} };
}`;
const PROGRAM = fileURLToPath(new URL('../support/run-server.ts', import.meta.url));
const POLL_OPTIONS = { timeout: 40_000 };

const { db, location } = await openTestDatabase();
const orgId = await addOrg(db, { id: 'fund' });
const emailSink = await startEmailSink();
const ports = await Promise.all([findFreePort(), findFreePort(), findFreePort(), findFreePort()]);
const urls = ports.map((port) => `http://localhost:${port}`);
const folder = await createScratchFolder('four');
let webhookCount = 0;
const provider = await startExternalProvider(folder, {
  webhookUrl: () => {
    webhookCount += 1;
    return `${urls[webhookCount % urls.length]}${WEBHOOK_PATH}`;
  },
});
const providerProxies = await Promise.all(urls.map(() => startProviderProxy(provider.url)));
const processes = spawnProcesses(await createWebFolderWithRenderer());
afterAll(async () => {
  await Promise.all(processes.map((child) => child.kill()));
  for (const proxy of providerProxies) await proxy.close();
  await provider.close();
  await emailSink.close();
  await fs.rm(folder, { recursive: true, force: true });
});
await Promise.all(processes.map((child) => child.waitUntilReady()));

async function createWebFolderWithRenderer(): Promise<string> {
  const webFolder = await createWebFolder(MANIFEST);
  const renderer = path.join(path.dirname(webFolder), 'renderer');
  await fs.mkdir(renderer);
  await fs.writeFile(path.join(renderer, 'entry-server.js'), RENDERER);
  await fs.writeFile(path.join(renderer, 'package.json'), '{"type":"module"}');
  return webFolder;
}

function spawnProcesses(webFolderPath: string) {
  return urls.map((url, index) =>
    spawnServer(
      url,
      {
        PORT: String(ports[index]),
        DATA_DIR: path.join(folder, String(index)),
        WEB_FOLDER: webFolderPath,
        DATABASE_URL: location.databaseUrl ?? '',
        DATABASE_POOL: '4',
        SMTP_URL: emailSink.url,
        LOG_LEVEL: 'fatal',
        NODE_COMPILE_CACHE: 'build/test-compiled',
        ...provider.settings,
        TEST_SETTINGS: `stripe=${providerProxies[index]?.url ?? ''}`,
      },
      PROGRAM,
    ),
  );
}

/** Proxies one process's requests to the provider. Requests for the event list can be delayed. */
async function startProviderProxy(target: string) {
  const delayedRequests = new Set<() => void>();
  let isListDelayed = false;
  const server = http.createServer((request, response) => {
    const forward = () => {
      const { method, url = '', headers } = request;
      const forwardedRequest = http.request(new URL(url, target), { method, headers }, (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
      });
      forwardedRequest.on('error', () => response.destroy());
      request.pipe(forwardedRequest);
    };
    if (!isListDelayed || !request.url?.startsWith('/v1/events?')) return forward();
    delayedRequests.add(forward);
    response.once('close', () => delayedRequests.delete(forward));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    delayList: () => {
      isListDelayed = true;
    },
    countDelayed: () => delayedRequests.size,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Collects the events that an open page receives. */
async function openStream(url: string) {
  const abortController = new AbortController();
  onTestFinished(() => abortController.abort());
  const { body } = await fetch(`${url}${callPath('readOrg', { orgid: orgId })}/live`, {
    signal: abortController.signal,
  });
  let text = '';
  const read = async () => {
    for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) text += part;
  };
  read().catch(() => {});
  return () => Number([...text.matchAll(/data: (\d+)/g)].at(-1)?.[1]);
}

/** Reads the versions in one process's public response and page, which come from its cache until invalidated. */
async function readVersions(url: string) {
  const orgResponse = await fetch(url + callPath('readOrg', { orgid: orgId }));
  const pageResponse = await fetch(url + pagePath('home-page', { orgid: orgId }));
  const { version } = (await orgResponse.json()) as { version: number };
  return [version, Number(/version (\d+)\./.exec(await pageResponse.text())?.[1])];
}

async function readVersion(): Promise<number> {
  const versions = db.kysely.selectFrom('org_versions').select('version').where('org_id', '=', orgId);
  return (await versions.executeTakeFirstOrThrow()).version;
}

test('gifts made through any process count once, show up in every process, and get one email each', async () => {
  const streams = await Promise.all(urls.map(openStream));
  const initialVersion = await readVersion();
  for (const url of urls) expect(await readVersions(url)).toEqual([initialVersion, initialVersion]);
  const gifts = await Promise.all([...urls, ...urls].map((url, index) => payByCard(url, orgId, 5 + index)));
  expect(gifts.every((gift) => gift !== undefined)).toBe(true);
  await expect.poll(() => emailSink.countEmails().emails, POLL_OPTIONS).toBe(gifts.length);
  const unfinished = sql<{ count: number }>`
    select count(*)::int as count from pgboss.job where state <> 'completed' or retry_count > 0`;
  await expect.poll(async () => (await unfinished.execute(db.kysely)).rows[0]?.count, POLL_OPTIONS).toBe(0);
  expect(emailSink.countEmails()).toEqual({ emails: gifts.length, duplicates: [] });
  const entryRows = await db.kysely.selectFrom('ledger_entries').select('id').where('kind', '=', 'payment').execute();
  expect(entryRows).toHaveLength(gifts.length);
  // Fees may be posted in the meantime.
  const readDistinctVersions = async () =>
    new Set([await readVersion(), ...(await Promise.all(urls.map(readVersions))).flat()]);
  await expect.poll(readDistinctVersions, POLL_OPTIONS).toHaveProperty('size', 1);
  const finalVersion = await readVersion();
  expect(finalVersion).toBeGreaterThan(initialVersion);
  for (const readLastVersion of streams)
    await expect.poll(readLastVersion, POLL_OPTIONS).toBeGreaterThanOrEqual(finalVersion);
});

test('wrong passwords spread over all processes share one limit', async () => {
  const guessPassword = async (url: string) => {
    const response = await fetch(url + callPath('signInWithPassword', {}), {
      method: 'POST',
      headers: { 'x-requested-with': 'test', 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.org', password: 'not the password' }),
    });
    return response.status;
  };
  const maximum = findMaxRequests('password', 'email+client');
  const guesses = Array.from({ length: Math.ceil(maximum / urls.length) }, () => Promise.all(urls.map(guessPassword)));
  const statuses = (await Promise.all(guesses)).flat();
  expect(statuses.filter((status) => status !== 429)).toEqual(Array.from({ length: maximum }, () => 401));
  for (const url of urls) expect(await guessPassword(url)).toBe(429);
});

test('one process polls the provider, and another takes over when it’s killed', async () => {
  const name = 'read-event-list';
  const findPollingProcesses = () =>
    providerProxies.flatMap((proxy, index) => (proxy.countDelayed() > 0 ? [index] : []));
  for (const proxy of providerProxies) proxy.delayList();
  await sql`update leases set due_at = now() where name = ${name}`.execute(db.kysely);
  await expect.poll(findPollingProcesses, POLL_OPTIONS).toHaveLength(1);
  const [firstProcess = -1] = findPollingProcesses();
  expect(await takeLease(db, { name, holder: 'another', ignoresSchedule: true })).toBe(false);
  await processes[firstProcess]?.kill();
  await expect.poll(findPollingProcesses, POLL_OPTIONS).toEqual([]);
  // Expire the killed process’s lease.
  await sql`update leases set held_until = now() where name = ${name}`.execute(db.kysely);
  await expect.poll(findPollingProcesses, POLL_OPTIONS).toHaveLength(1);
  expect(findPollingProcesses()).not.toContain(firstProcess);
});
