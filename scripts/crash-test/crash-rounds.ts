import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { callPath, WEBHOOK_PATH } from '#contract/calls.ts';
import { formatCents } from '#domain/money.ts';
import { freePort } from '#server/db/free-port.ts';
import { type OutsideProvider, startOutsideProvider } from '../provider/outside-provider.ts';
import { type Random, seededRandom } from '../sample/seeded-random.ts';
import { mayRepeat, passMonth, readProvider, workAtProvider } from './at-provider.ts';
import { brokenPromises, differences, endLeases, makeOrganization, ORG_ID, waitingEvents } from './books.ts';
import { startCrowd } from './donors.ts';
import { type MailSink, startMailSink } from './mail-sink.ts';
import { beginProduct, type Product } from './product-process.ts';
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

/**
 * server: `kill -9` of one. stop: SIGTERM to one, and a new one in its place. start: `kill -9` of one that is starting, then
 * of the next. disk: the disk of the database fills up, and empties again.
 */
export const KILLS = ['server', 'stop', 'start', ...DATABASE_KILLS, ...DATABASE_HALTS, 'disk'] as const;
export type Kill = (typeof KILLS)[number];

export type Setup = {
  readonly engine: Engine;
  readonly servers: number;
  /** How many kills. */
  readonly rounds: number;
  /** After so many kills everything is compared. */
  readonly every: number;
  /** In turns. */
  readonly kills: readonly Kill[];
  /** Of the moments of the kills. */
  readonly seed: string;
  /** How long the database is down or frozen. */
  readonly haltMs: number;
  /** A fault planted into the servers. */
  readonly fault?: string;
};

/** What was found, with the kill before it; the test ends with the first comparison that finds something. */
export type Outcome = { readonly problems: readonly string[]; readonly summary: string };

const FIRST_EVENT_TIMEOUT_MS = 60_000;
/** The moment of the kill, once events are acknowledged again. */
const LONGEST_STREAM_MS = 400;
/** Of a start. */
const LONGEST_START_MS = 2000;
const ANSWER_TIMEOUT_MS = 5000;
/** While the database is out. */
const LIVENESS_MS = 2000;
/** Until it is known to be out. */
const FIRST_REFUSAL_MS = 8000;
/** From when the database answers again. */
const BACK_MS = 2000;
const LONGEST_STOP_MS = 15_000;
const ALIVE_TIMEOUT_MS = 60_000;
const SETTLE_TIMEOUT_MS = 90_000;
const LOOK_AGAIN_MS = 500;
/** So long the disk stays full after the first call that is refused. */
const FULL_MS = 2000;

/** Kills again and again during a stream of payments, and compares everything with the provider. */
export async function crashRounds(setup: Setup): Promise<Outcome> {
  const folder = await mkdtemp(path.join(tmpdir(), 'city-climate-fund-crash-test-'));
  // PostgreSQL runs as another user, and has to reach its own folder inside.
  await chmod(folder, 0o711);
  const ports = await Promise.all(Array.from({ length: setup.servers }, freePort));
  const urls = ports.map((port) => `http://localhost:${port}`);
  const dataDirs = ports.map((_, place) => path.join(folder, `data-${place}`));
  const relay = await startRelay(urls.map((url) => url + WEBHOOK_PATH));
  const provider = await startOutsideProvider(folder, { webhookUrl: () => relay.url, retryDelay: () => 250 });
  const mail = await startMailSink();
  const database = await openScratchDatabase(setup.engine, dataDirs[0] ?? folder, setup.kills.includes('disk'));
  const start = (place: number) =>
    beginProduct(urls[place] ?? '', {
      ...{ PORT: String(ports[place]), DATA_DIR: dataDirs[place] ?? '', LOG_LEVEL: 'fatal', SMTP_URL: mail.url },
      NODE_COMPILE_CACHE: path.join(folder, 'compiled'),
      ...database.settings,
      ...provider.settings,
      ...(setup.fault === undefined ? {} : plant(setup.fault)),
    });
  const servers: (Product | undefined)[] = [];
  const random = seededRandom(setup.seed);
  const test = { setup, urls, relay, provider, mail, database, start, servers, random, toldPaid: new Set<string>() };
  try {
    await database.use(makeOrganization);
    // One that is killed does not keep what it has compiled.
    const first = start(0);
    await first.answers();
    await first.stop();
    return await runRounds(test);
  } finally {
    for (const server of servers) await server?.kill();
    await database.close();
    await provider.close();
    await relay.close();
    await mail.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function plant(fault: string): Record<string, string> {
  return {
    NODE_OPTIONS: `--import=${fileURLToPath(new URL('./plant-fault.ts', import.meta.url))}`,
    PLANTED_FAULT: fault,
  };
}

type Test = {
  readonly setup: Setup;
  readonly urls: readonly string[];
  readonly relay: Relay;
  readonly provider: OutsideProvider;
  readonly mail: MailSink;
  readonly database: ScratchDatabase;
  readonly random: Random;
  /** The checkouts that a browser showed as paid since the last look. */
  readonly toldPaid: Set<string>;
  start(place: number): Product;
  /** In the order of their URLs; undefined: killed. */
  readonly servers: (Product | undefined)[];
};

async function runRounds(test: Test): Promise<Outcome> {
  const { engine, rounds } = test.setup;
  const killed = new Map<Kill, number>();
  let slowest = 0;
  let done = 0;
  let problems: string[] = [];
  while (done < rounds && problems.length === 0) {
    await startMissing(test);
    const batch = await killDuringStream(test, killed, Math.min(test.setup.every, rounds - done));
    done += batch.done;
    slowest = Math.max(slowest, batch.slowest);
    problems = [...batch.problems];
    if (problems.length === 0) problems = [...(await settle(test)), ...(await restingDifferences(test))];
    problems = problems.map((problem) => `after ${done} kills, the last of ${batch.last}: ${problem}`);
    console.log(`${engine}, ${done} kills: ${given(test)}, ${mailed(test)}, up again within ${slowest} ms`);
  }
  const isFine = problems.length === 0;
  if (readProvider(test.provider.store).gifts === 0) problems.push('No payment was made, so nothing is proven.');
  const verdict = isFine ? 'nothing lost, nothing doubled' : 'NOT AS IT MUST BE';
  const kinds = [...killed].map(([kill, times]) => `${times} × ${kill}`).join(', ');
  const summary = `${engine}, servers: ${test.urls.length}, killed ${kinds}: ${given(test)}, ${mailed(test)}, up again within ${slowest} ms: ${verdict}`;
  return { problems, summary };
}

function given({ provider }: Test): string {
  const { gifts, renewals, refunds, disputes, cents } = readProvider(provider.store);
  return `${gifts} gifts (${renewals} renewals), ${refunds} refunds, ${disputes} disputes, ${formatCents(cents)} kept`;
}

function mailed({ mail }: Test): string {
  const { mails, twice } = mail.counts();
  const subjects = twice.length === 0 ? '' : ` (${[...new Set(twice)].join('; ')})`;
  return `${mails} mails of which ${twice.length} came more than once${subjects}`;
}

type Batch = {
  readonly done: number;
  readonly last: Kill;
  readonly slowest: number;
  readonly problems: readonly string[];
};

/** The donors go on giving while one after the other is killed. */
async function killDuringStream(test: Test, killed: Map<Kill, number>, most: number): Promise<Batch> {
  const { setup, urls, provider, toldPaid } = test;
  const crowd = startCrowd({
    productUrls: urls,
    orgid: ORG_ID,
    toldPaid,
    atProvider: workAtProvider(provider.url, provider.store),
    mayRepeat: () => mayRepeat(provider.store),
  });
  let done = 0;
  let slowest = 0;
  let last: Kill = 'server';
  const problems: string[] = [];
  while (done < most && problems.length === 0) {
    const before = [...killed.values()].reduce((sum, times) => sum + times, 0);
    last = setup.kills[before % setup.kills.length] ?? 'server';
    killed.set(last, (killed.get(last) ?? 0) + 1);
    const crashed = await crash(test, last);
    done += 1;
    slowest = Math.max(slowest, crashed.milliseconds);
    problems.push(...crashed.problems);
    if (done === Math.ceil(most / 2)) await passMonth(provider.url);
  }
  await crowd.stop();
  return { done, last, slowest, problems };
}

type Crashed = { readonly milliseconds: number; readonly problems: readonly string[] };

/** @returns in how many milliseconds all servers answered again, and what was lost of what they had promised */
async function crash(test: Test, kill: Kill): Promise<Crashed> {
  const { relay, database, random } = test;
  const before = relay.answered();
  const isServing = await until(async () => relay.answered() > before, FIRST_EVENT_TIMEOUT_MS);
  await pause(random.between(0, LONGEST_STREAM_MS));
  const problems = isServing ? [] : ['no event is acknowledged'];
  if (kill === 'disk') problems.push(...(await fillDisk(test)));
  if (kill === 'stop') problems.push(...(await stopOne(test)));
  if (kill === 'outage' || kill === 'freeze') problems.push(...(await haltDatabase(test, kill)));
  const begin = performance.now();
  if (kill === 'stop') await startMissing(test);
  else if (kill === 'server' || kill === 'start') {
    await killOne(test);
    if (kill === 'start') await killStarting(test);
    await startMissing(test);
  } else if (isDatabaseKill(kill)) await database.kill(kill);
  const areUp = await until(() => allAnswer(test.urls), ALIVE_TIMEOUT_MS);
  const milliseconds = Math.round(performance.now() - begin);
  if (!areUp) problems.push('a server does not answer');
  if (test.servers.some((server) => server && !server.isRunning())) problems.push('a server has ended');
  // The embedded database can only be looked at while its server is down.
  if (test.setup.engine === 'postgres') problems.push(...(await newBrokenPromises(test)));
  return { milliseconds, problems };
}

function isDatabaseKill(kill: Kill): kill is DatabaseKill {
  return DATABASE_KILLS.some((each) => each === kill);
}

/** Under way it finishes, and it ends in time with status 0. */
async function stopOne(test: Test): Promise<string[]> {
  const place = test.random.whole(0, test.servers.length - 1);
  const begin = performance.now();
  const status = await test.servers[place]?.stop();
  test.servers[place] = undefined;
  const milliseconds = Math.round(performance.now() - begin);
  if (status !== 0) return [`a server that was asked to stop ended with ${status}`];
  return milliseconds > LONGEST_STOP_MS ? [`a server took ${milliseconds} ms to stop`] : [];
}

/** Meanwhile the servers live, and answer every call at once; afterwards they serve again by themselves. */
async function haltDatabase({ database, urls, servers, setup }: Test, what: DatabaseHalt): Promise<string[]> {
  const problems = new Set<string>();
  const calls = urls.map((url) => url + callPath('createCheckout', { orgid: ORG_ID }));
  const resume = await database.halt(what);
  const begin = performance.now();
  const look = async (url: string, timeoutMs: number) => {
    const time = `after ${Math.round(performance.now() - begin)} ms of ${what}`;
    const alive = await answerOf(ask(`${url}/healthz`));
    if (alive.status !== 200 || alive.milliseconds > LIVENESS_MS) problems.add(`${time}, liveness: ${told(alive)}`);
    const called = await answerOf(give(url + callPath('createCheckout', { orgid: ORG_ID }), timeoutMs));
    if (called.status !== 503 || !called.retryAfter) problems.add(`${time}, a call: ${told(called)}`);
  };
  await Promise.all(urls.map((url) => look(url, FIRST_REFUSAL_MS)));
  while (performance.now() - begin < setup.haltMs) {
    await Promise.all(urls.map((url) => look(url, ANSWER_TIMEOUT_MS)));
    await pause(LOOK_AGAIN_MS);
  }
  await resume();
  const back = performance.now();
  const isBack = async () => {
    const given = await Promise.all(calls.map((url) => answerOf(give(url))));
    return given.every(({ status }) => status === 200);
  };
  const areBack = await until(isBack, ALIVE_TIMEOUT_MS);
  const milliseconds = Math.round(performance.now() - back);
  console.log(`${what} of ${setup.haltMs / 1000} s: calls work ${milliseconds} ms after the database answers again`);
  if (!areBack || milliseconds > BACK_MS) problems.add(`${what}: calls work only after ${milliseconds} ms`);
  if (!servers.every((server) => server?.isRunning())) problems.add(`${what} ended a server`);
  return [...problems];
}

type Answered = { readonly status: number | undefined; readonly retryAfter: boolean; readonly milliseconds: number };

async function answerOf(asked: Promise<Response>): Promise<Answered> {
  const begin = performance.now();
  const answer = await asked.catch(() => undefined);
  await answer?.body?.cancel();
  const milliseconds = Math.round(performance.now() - begin);
  return { status: answer?.status, retryAfter: answer?.headers.has('retry-after') ?? false, milliseconds };
}

function told({ status, milliseconds }: Answered): string {
  return `${status ?? 'no answer'} after ${milliseconds} ms`;
}

async function newBrokenPromises({ database, relay, toldPaid }: Test): Promise<string[]> {
  const promised = { acknowledged: relay.takeAcknowledged(), toldPaid: new Set(toldPaid) };
  for (const checkoutid of promised.toldPaid) toldPaid.delete(checkoutid);
  return database.use((db) => brokenPromises(db, promised));
}

/** Nothing may hang or end meanwhile: a call is answered, one way or the other. */
async function fillDisk({ database, urls, servers }: Test): Promise<string[]> {
  const { disk } = database;
  if (!disk) throw new Error('There is no disk to fill.');
  await disk.fill();
  try {
    const url = (urls[0] ?? '') + callPath('createCheckout', { orgid: ORG_ID });
    const isRefused = await until(async () => {
      const answer = await give(url).catch(() => undefined);
      return answer === undefined || answer.status >= 500;
    }, ALIVE_TIMEOUT_MS);
    if (!isRefused) return ['the full disk was never noticed'];
    await pause(FULL_MS);
    const begin = performance.now();
    const answer = await give(url).catch(() => undefined);
    const milliseconds = Math.round(performance.now() - begin);
    if (!answer) return [`with a full disk a call was not answered in ${milliseconds} ms`];
    if (answer.status === 500) return ['with a full disk a call was answered 500'];
    return servers.every((server) => server?.isRunning()) ? [] : ['a full disk ended a server'];
  } finally {
    await disk.makeRoom();
  }
}

function give(url: string, timeoutMs = ANSWER_TIMEOUT_MS): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'x-requested-with': 'crash-test', 'content-type': 'application/json' },
    body: JSON.stringify({ cart: [{ type: 'donation', cost: 5, recurring: 'no' }] }),
    signal: AbortSignal.timeout(timeoutMs),
  });
}

async function killOne(test: Test): Promise<void> {
  const place = test.random.whole(0, test.servers.length - 1);
  await test.servers[place]?.kill();
  test.servers[place] = undefined;
}

async function killStarting(test: Test): Promise<void> {
  const starting = test.start(test.servers.indexOf(undefined));
  await pause(test.random.between(0, LONGEST_START_MS));
  await starting.kill();
}

async function startMissing(test: Test): Promise<void> {
  // One after the other: the first one migrates.
  for (const place of test.urls.keys()) {
    const server = test.servers[place] ?? test.start(place);
    test.servers[place] = server;
    await server.answers();
  }
}

/** Deliveries that were lost are found in the list, which a server reads when it starts. */
async function restartFirst(test: Test): Promise<string[]> {
  const { servers, database } = test;
  await servers[0]?.stop();
  servers[0] = undefined;
  const problems = await newBrokenPromises(test);
  await database.use(endLeases);
  await startMissing(test);
  return problems;
}

/** Delivers and applies all there is, until the servers show what the provider says. */
async function settle(test: Test): Promise<string[]> {
  const { urls, relay, provider } = test;
  const isDelivered = await until(async () => {
    await provider.deliverPending();
    await relay.idle();
    return readProvider(provider.store).undelivered === 0;
  }, SETTLE_TIMEOUT_MS);
  if (!isDelivered) return ['events cannot be delivered'];
  const broken = await restartFirst(test);
  if (broken.length > 0) return broken;
  const { cents } = readProvider(provider.store);
  const shown = () => Promise.all(urls.map((url) => shownCents(url).catch(() => undefined)));
  if (await until(async () => (await shown()).every((each) => each === cents), SETTLE_TIMEOUT_MS)) return [];
  return [`the stats say ${(await shown()).join(' and ')} cents, the provider ${cents}`];
}

async function shownCents(url: string): Promise<number> {
  const answer = await ask(url + callPath('readOrg', { orgid: ORG_ID }));
  const { stats } = (await answer.json()) as { stats: { funds: number } };
  return Math.round(stats.funds * 100);
}

/** What differs once no event waits. */
async function restingDifferences(test: Test): Promise<string[]> {
  const { database, provider } = test;
  const deadline = Date.now() + SETTLE_TIMEOUT_MS;
  for (;;) {
    await pause(LOOK_AGAIN_MS);
    const isLate = Date.now() > deadline;
    const found = await database.use(async (db) => {
      const waiting = await waitingEvents(db);
      if (waiting === 0) return differences(db, provider);
      return isLate ? [`${waiting} events wait to be applied`] : undefined;
    });
    if (found) return found;
    await startMissing(test);
  }
}

async function allAnswer(urls: readonly string[]): Promise<boolean> {
  const answers = await Promise.all(urls.map((url) => ask(`${url}/readyz`).catch(() => undefined)));
  return answers.every((answer) => answer?.ok);
}

function ask(url: string): Promise<Response> {
  return fetch(url, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
}

/** @returns false when it took too long */
async function until(isSo: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (!(await isSo())) {
    if (Date.now() > deadline) return false;
    await pause(20);
  }
  return true;
}
