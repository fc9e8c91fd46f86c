import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { callPath, WEBHOOK_PATH } from '#contract/calls.ts';
import { formatCents } from '#domain/money.ts';
import { findFreePort } from '#server/db/free-port.ts';
import { type ExternalProvider, startExternalProvider } from '../provider/external-provider.ts';
import { createSeededRandom, type Random } from '../seeded-random.ts';
import {
  countPendingEvents,
  createOrganization,
  endLeases,
  findBrokenPromises,
  findDifferences,
  ORG_ID,
} from './books.ts';
import { startCrowd } from './donors.ts';
import { type EmailSink, startEmailSink } from './email-sink.ts';
import { advanceMonth, canAddRecurringGift, createProviderActions, readProviderRecords } from './provider-actions.ts';
import { type Relay, startRelay } from './relay.ts';
import {
  DATABASE_HALTS,
  DATABASE_KILLS,
  type DatabaseHalt,
  type DatabaseKill,
  type Engine,
  openScratchDatabase,
  type ScratchDatabase,
} from './scratch-database.ts';
import { type ServerProcess, spawnServer } from './server-process.ts';

/**
 * server: `kill -9` of one server. stop: SIGTERM to one server, which is then replaced. start: `kill -9` of a starting
 * server, then of the next. disk: the database's disk fills up and is then emptied.
 */
export const KILLS = ['server', 'stop', 'start', ...DATABASE_KILLS, ...DATABASE_HALTS, 'disk'] as const;
export type Kill = (typeof KILLS)[number];

export type Setup = {
  readonly engine: Engine;
  readonly servers: number;
  /** Number of kills. */
  readonly rounds: number;
  /** Number of kills between comparisons. */
  readonly killsPerCheck: number;
  /** Kinds of kills, in turn. */
  readonly kills: readonly Kill[];
  /** Seed for the timing of the kills. */
  readonly seed: string;
  /** Duration of an outage or freeze. */
  readonly haltMs: number;
  /** Name of a fault to inject into the servers. */
  readonly fault?: string;
};

/** Problems found after the last kill. The test stops at the first comparison that finds any. */
export type Outcome = { readonly problems: readonly string[]; readonly summary: string };

const FIRST_EVENT_TIMEOUT_MS = 60_000;
/** Longest time from the next acknowledged event to the kill. */
const MAX_STREAM_MS = 400;
/** Longest time from a start to the kill. */
const MAX_START_MS = 2000;
const RESPONSE_TIMEOUT_MS = 5000;
/** Time limit for a liveness check while the database is down. */
const MAX_LIVENESS_MS = 2000;
/** Time until the servers detect the outage. */
const FIRST_REJECTION_TIMEOUT_MS = 8000;
/** Time limit for serving requests again after the database is back up. */
const MAX_RECOVERY_MS = 2000;
const MAX_STOP_MS = 15_000;
const ALIVE_TIMEOUT_MS = 60_000;
const SETTLE_TIMEOUT_MS = 90_000;
const POLL_INTERVAL_MS = 500;
/** Time that the disk stays full after the first rejected call. */
const FULL_DISK_MS = 2000;

/** Kills repeatedly during a stream of payments, and compares everything with the provider. */
export async function runCrashRounds(setup: Setup): Promise<Outcome> {
  const folder = await mkdtemp(path.join(tmpdir(), 'city-climate-fund-crash-test-'));
  // PostgreSQL runs as another user, which must be able to enter this folder.
  await chmod(folder, 0o711);
  const ports = await Promise.all(Array.from({ length: setup.servers }, findFreePort));
  const urls = ports.map((port) => `http://localhost:${port}`);
  const dataDirs = ports.map((_, index) => path.join(folder, `data-${index}`));
  const relay = await startRelay(urls.map((url) => url + WEBHOOK_PATH));
  const provider = await startExternalProvider(folder, { webhookUrl: () => relay.url, retryDelay: () => 250 });
  const email = await startEmailSink();
  const database = await openScratchDatabase(setup.engine, dataDirs[0] ?? folder, setup.kills.includes('disk'));
  const start = (index: number) =>
    spawnServer(urls[index] ?? '', {
      PORT: String(ports[index]),
      DATA_DIR: dataDirs[index] ?? '',
      LOG_LEVEL: 'fatal',
      SMTP_URL: email.url,
      NODE_COMPILE_CACHE: path.join(folder, 'compiled'),
      ...database.settings,
      ...provider.settings,
      ...(setup.fault === undefined ? {} : createFaultEnvironment(setup.fault)),
    });
  const servers: (ServerProcess | undefined)[] = [];
  const random = createSeededRandom(setup.seed);
  const test = {
    setup,
    urls,
    relay,
    provider,
    email,
    database,
    start,
    servers,
    random,
    shownAsPaid: new Set<string>(),
  };
  try {
    await database.withDatabase(createOrganization);
    // Start once and stop normally, since a killed server doesn't save its compiled code.
    const firstServer = start(0);
    await firstServer.waitUntilReady();
    await firstServer.stop();
    return await runRounds(test);
  } finally {
    for (const server of servers) await server?.kill();
    await database.close();
    await provider.close();
    await relay.close();
    await email.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function createFaultEnvironment(fault: string): Record<string, string> {
  return {
    NODE_OPTIONS: `--import=${fileURLToPath(new URL('./plant-fault.ts', import.meta.url))}`,
    PLANTED_FAULT: fault,
  };
}

type CrashTest = {
  readonly setup: Setup;
  readonly urls: readonly string[];
  readonly relay: Relay;
  readonly provider: ExternalProvider;
  readonly email: EmailSink;
  readonly database: ScratchDatabase;
  readonly random: Random;
  /** Checkouts that a browser showed as paid since the last comparison. */
  readonly shownAsPaid: Set<string>;
  start(index: number): ServerProcess;
  /** In the order of `urls`; undefined if killed. */
  readonly servers: (ServerProcess | undefined)[];
};

async function runRounds(test: CrashTest): Promise<Outcome> {
  const { engine, rounds } = test.setup;
  const killCounts = new Map<Kill, number>();
  let slowestMs = 0;
  let killCount = 0;
  let problems: string[] = [];
  while (killCount < rounds && problems.length === 0) {
    await startMissingServers(test);
    const batch = await killDuringStream(test, killCounts, Math.min(test.setup.killsPerCheck, rounds - killCount));
    killCount += batch.killCount;
    slowestMs = Math.max(slowestMs, batch.slowestMs);
    problems = [...batch.problems];
    if (problems.length === 0) problems = [...(await applyAllEvents(test)), ...(await findFinalDifferences(test))];
    problems = problems.map((problem) => `after ${killCount} kills, the last of ${batch.lastKill}: ${problem}`);
    console.log(
      `${engine}, ${killCount} kills: ${summarizeGifts(test)}, ${summarizeEmails(test)}, up again within ${slowestMs} ms`,
    );
  }
  const hasPassed = problems.length === 0;
  if (readProviderRecords(test.provider.store).gifts === 0)
    problems.push('No payment was made, so nothing was tested.');
  const verdict = hasPassed ? 'nothing lost or duplicated' : 'FAILED';
  const killSummary = [...killCounts].map(([kill, times]) => `${times} × ${kill}`).join(', ');
  const summary = `${engine}, servers: ${test.urls.length}, killed ${killSummary}: ${summarizeGifts(test)}, ${summarizeEmails(test)}, up again within ${slowestMs} ms: ${verdict}`;
  return { problems, summary };
}

function summarizeGifts({ provider }: CrashTest): string {
  const { gifts, renewals, refunds, disputes, cents } = readProviderRecords(provider.store);
  return `${gifts} gifts (${renewals} renewals), ${refunds} refunds, ${disputes} disputes, ${formatCents(cents)} kept`;
}

function summarizeEmails({ email }: CrashTest): string {
  const { emails, duplicates } = email.countEmails();
  const subjects = duplicates.length === 0 ? '' : ` (${[...new Set(duplicates)].join('; ')})`;
  return `${emails} emails, ${duplicates.length} of them more than once${subjects}`;
}

type Batch = {
  readonly killCount: number;
  readonly lastKill: Kill;
  readonly slowestMs: number;
  readonly problems: readonly string[];
};

/** Kills one target after another while donors keep giving. */
async function killDuringStream(test: CrashTest, killCounts: Map<Kill, number>, limit: number): Promise<Batch> {
  const { setup, urls, provider, shownAsPaid } = test;
  const crowd = startCrowd({
    serverUrls: urls,
    orgId: ORG_ID,
    shownAsPaid,
    providerActions: createProviderActions(provider.url, provider.store),
    canAddRecurringGift: () => canAddRecurringGift(provider.store),
  });
  let killCount = 0;
  let slowestMs = 0;
  let lastKill: Kill = 'server';
  const problems: string[] = [];
  while (killCount < limit && problems.length === 0) {
    const previousKills = [...killCounts.values()].reduce((sum, times) => sum + times, 0);
    lastKill = setup.kills[previousKills % setup.kills.length] ?? 'server';
    killCounts.set(lastKill, (killCounts.get(lastKill) ?? 0) + 1);
    const result = await killAndRecover(test, lastKill);
    killCount += 1;
    slowestMs = Math.max(slowestMs, result.milliseconds);
    problems.push(...result.problems);
    if (killCount === Math.ceil(limit / 2)) await advanceMonth(provider.url);
  }
  await crowd.stop();
  return { killCount, lastKill, slowestMs, problems };
}

type CrashResult = { readonly milliseconds: number; readonly problems: readonly string[] };

/** @returns milliseconds until all servers responded, and the problems found */
async function killAndRecover(test: CrashTest, kill: Kill): Promise<CrashResult> {
  const { relay, database, random } = test;
  const earlierResponses = relay.acknowledgedCount();
  const isServing = await waitUntil(async () => relay.acknowledgedCount() > earlierResponses, FIRST_EVENT_TIMEOUT_MS);
  await pause(random.between(0, MAX_STREAM_MS));
  const problems = isServing ? [] : ['no event was acknowledged'];
  if (kill === 'disk') problems.push(...(await fillDisk(test)));
  if (kill === 'stop') problems.push(...(await stopServer(test)));
  if (kill === 'outage' || kill === 'freeze') problems.push(...(await haltDatabase(test, kill)));
  const begin = performance.now();
  if (kill === 'stop') await startMissingServers(test);
  else if (kill === 'server' || kill === 'start') {
    await killServer(test);
    if (kill === 'start') await killStartingServer(test);
    await startMissingServers(test);
  } else if (isDatabaseKill(kill)) await database.kill(kill);
  const allRespond = await waitUntil(() => areAllReady(test.urls), ALIVE_TIMEOUT_MS);
  const milliseconds = Math.round(performance.now() - begin);
  if (!allRespond) problems.push('a server does not respond');
  if (test.servers.some((server) => server && !server.isRunning())) problems.push('a server has exited');
  // The embedded database can be inspected only while its server is down.
  if (test.setup.engine === 'postgres') problems.push(...(await findNewBrokenPromises(test)));
  return { milliseconds, problems };
}

function isDatabaseKill(kill: Kill): kill is DatabaseKill {
  return DATABASE_KILLS.some((databaseKill) => databaseKill === kill);
}

/** Stops a server, which must finish its work and exit in time with status 0. */
async function stopServer(test: CrashTest): Promise<string[]> {
  const index = test.random.integer(0, test.servers.length - 1);
  const begin = performance.now();
  const status = await test.servers[index]?.stop();
  test.servers[index] = undefined;
  const milliseconds = Math.round(performance.now() - begin);
  if (status !== 0) return [`a server exited with ${status} after SIGTERM`];
  return milliseconds > MAX_STOP_MS ? [`a server took ${milliseconds} ms to stop`] : [];
}

/** During the outage, servers must stay up and reject calls promptly. Afterward they must serve again without a restart. */
async function haltDatabase({ database, urls, servers, setup }: CrashTest, halt: DatabaseHalt): Promise<string[]> {
  const problems = new Set<string>();
  const calls = urls.map((url) => url + callPath('createCheckout', { orgid: ORG_ID }));
  const resume = await database.halt(halt);
  const begin = performance.now();
  const checkServer = async (url: string, timeoutMs: number) => {
    const time = `after ${Math.round(performance.now() - begin)} ms of ${halt}`;
    const liveness = await timeResponse(get(`${url}/healthz`));
    if (liveness.status !== 200 || liveness.milliseconds > MAX_LIVENESS_MS)
      problems.add(`${time}, liveness: ${describeResponse(liveness)}`);
    const call = await timeResponse(openCheckout(url + callPath('createCheckout', { orgid: ORG_ID }), timeoutMs));
    if (call.status !== 503 || !call.retryAfter) problems.add(`${time}, a call: ${describeResponse(call)}`);
  };
  await Promise.all(urls.map((url) => checkServer(url, FIRST_REJECTION_TIMEOUT_MS)));
  while (performance.now() - begin < setup.haltMs) {
    await Promise.all(urls.map((url) => checkServer(url, RESPONSE_TIMEOUT_MS)));
    await pause(POLL_INTERVAL_MS);
  }
  await resume();
  const resumedAt = performance.now();
  const isBack = async () => {
    const responses = await Promise.all(calls.map((url) => timeResponse(openCheckout(url))));
    return responses.every(({ status }) => status === 200);
  };
  const allServe = await waitUntil(isBack, ALIVE_TIMEOUT_MS);
  const milliseconds = Math.round(performance.now() - resumedAt);
  console.log(`${halt} of ${setup.haltMs / 1000} s: calls work ${milliseconds} ms after the database responds again`);
  if (!allServe || milliseconds > MAX_RECOVERY_MS) problems.add(`${halt}: calls work only after ${milliseconds} ms`);
  if (!servers.every((server) => server?.isRunning())) problems.add(`${halt} ended a server`);
  return [...problems];
}

type Timing = { readonly status: number | undefined; readonly retryAfter: boolean; readonly milliseconds: number };

async function timeResponse(request: Promise<Response>): Promise<Timing> {
  const begin = performance.now();
  const response = await request.catch(() => undefined);
  await response?.body?.cancel();
  const milliseconds = Math.round(performance.now() - begin);
  return { status: response?.status, retryAfter: response?.headers.has('retry-after') ?? false, milliseconds };
}

function describeResponse({ status, milliseconds }: Timing): string {
  return `${status ?? 'no response'} after ${milliseconds} ms`;
}

async function findNewBrokenPromises({ database, relay, shownAsPaid }: CrashTest): Promise<string[]> {
  const confirmations = { acknowledged: relay.removeAcknowledged(), shownAsPaid: new Set(shownAsPaid) };
  for (const checkoutId of confirmations.shownAsPaid) shownAsPaid.delete(checkoutId);
  return database.withDatabase((db) => findBrokenPromises(db, confirmations));
}

/** Every call must get a response in time while the disk is full, and no server may exit. */
async function fillDisk({ database, urls, servers }: CrashTest): Promise<string[]> {
  const { disk } = database;
  if (!disk) throw new Error('There is no disk to fill.');
  await disk.fill();
  try {
    const url = (urls[0] ?? '') + callPath('createCheckout', { orgid: ORG_ID });
    const isRejected = await waitUntil(async () => {
      const response = await openCheckout(url).catch(() => undefined);
      return response === undefined || response.status >= 500;
    }, ALIVE_TIMEOUT_MS);
    if (!isRejected) return ['no call was rejected while the disk was full'];
    await pause(FULL_DISK_MS);
    const begin = performance.now();
    const response = await openCheckout(url).catch(() => undefined);
    const milliseconds = Math.round(performance.now() - begin);
    if (!response) return [`with a full disk a call got no response in ${milliseconds} ms`];
    if (response.status === 500) return ['with a full disk a call returned 500'];
    return servers.every((server) => server?.isRunning()) ? [] : ['a full disk ended a server'];
  } finally {
    await disk.clear();
  }
}

function openCheckout(url: string, timeoutMs = RESPONSE_TIMEOUT_MS): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'x-requested-with': 'crash-test', 'content-type': 'application/json' },
    body: JSON.stringify({ cart: [{ type: 'donation', cost: 5, recurring: 'no' }] }),
    signal: AbortSignal.timeout(timeoutMs),
  });
}

async function killServer(test: CrashTest): Promise<void> {
  const index = test.random.integer(0, test.servers.length - 1);
  await test.servers[index]?.kill();
  test.servers[index] = undefined;
}

async function killStartingServer(test: CrashTest): Promise<void> {
  const startingServer = test.start(test.servers.indexOf(undefined));
  await pause(test.random.between(0, MAX_START_MS));
  await startingServer.kill();
}

async function startMissingServers(test: CrashTest): Promise<void> {
  // One after the other, since the first server migrates the database.
  for (const index of test.urls.keys()) {
    const server = test.servers[index] ?? test.start(index);
    test.servers[index] = server;
    await server.waitUntilReady();
  }
}

/** Restarts the first server, which then reads the provider's event list and finds lost deliveries. */
async function restartFirstServer(test: CrashTest): Promise<string[]> {
  const { servers, database } = test;
  await servers[0]?.stop();
  servers[0] = undefined;
  const problems = await findNewBrokenPromises(test);
  await database.withDatabase(endLeases);
  await startMissingServers(test);
  return problems;
}

/** Delivers all events and waits until the servers show the provider's totals. */
async function applyAllEvents(test: CrashTest): Promise<string[]> {
  const { urls, relay, provider } = test;
  const isDelivered = await waitUntil(async () => {
    await provider.deliverPending();
    await relay.waitUntilIdle();
    return readProviderRecords(provider.store).undelivered === 0;
  }, SETTLE_TIMEOUT_MS);
  if (!isDelivered) return ['events cannot be delivered'];
  const brokenPromises = await restartFirstServer(test);
  if (brokenPromises.length > 0) return brokenPromises;
  const { cents } = readProviderRecords(provider.store);
  const readTotals = () => Promise.all(urls.map((url) => readTotal(url).catch(() => undefined)));
  if (await waitUntil(async () => (await readTotals()).every((total) => total === cents), SETTLE_TIMEOUT_MS)) return [];
  return [`the stats show ${(await readTotals()).join(' and ')} cents, the provider ${cents}`];
}

async function readTotal(url: string): Promise<number> {
  const response = await get(url + callPath('readOrg', { orgid: ORG_ID }));
  const { stats } = (await response.json()) as { stats: { funds: number } };
  return Math.round(stats.funds * 100);
}

/**
 * Differences that remain after all events were applied. Account fees have no event; a job posts them soon after the
 * restart.
 */
async function findFinalDifferences(test: CrashTest): Promise<string[]> {
  const { database, provider } = test;
  const deadline = Date.now() + SETTLE_TIMEOUT_MS;
  for (;;) {
    await pause(POLL_INTERVAL_MS);
    const isLate = Date.now() > deadline;
    const differences = await database.withDatabase(async (db) => {
      const pendingCount = await countPendingEvents(db);
      return pendingCount === 0 ? findDifferences(db, provider) : [`${pendingCount} events are still pending`];
    });
    if (differences.length === 0 || isLate) return differences;
    await startMissingServers(test);
  }
}

async function areAllReady(urls: readonly string[]): Promise<boolean> {
  const responses = await Promise.all(urls.map((url) => get(`${url}/readyz`).catch(() => undefined)));
  return responses.every((response) => response?.ok);
}

function get(url: string): Promise<Response> {
  return fetch(url, { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
}

/** @returns false on timeout */
async function waitUntil(condition: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) return false;
    await pause(20);
  }
  return true;
}
