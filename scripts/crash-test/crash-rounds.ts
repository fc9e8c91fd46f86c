import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { callPath, WEBHOOK_PATH } from '#contract/calls.ts';
import { formatCents } from '#domain/money.ts';
import { freePort } from '../free-port.ts';
import { type OutsideProvider, startOutsideProvider } from '../provider/outside-provider.ts';
import { mayRepeat, passMonth, readProvider, workAtProvider } from './at-provider.ts';
import { brokenPromises, differences, endLeases, makeOrganization, ORG_ID, waitingEvents } from './books.ts';
import { startCrowd } from './donors.ts';
import { type MailSink, startMailSink } from './mail-sink.ts';
import { type Product, startProduct } from './product-process.ts';
import { type Relay, startRelay } from './relay.ts';
import { DATABASE_KILLS, type Engine, openScratchDatabase, type ScratchDatabase } from './scratch-database.ts';

export const KILLS = ['server', ...DATABASE_KILLS] as const;
export type Kill = (typeof KILLS)[number];

export type Setup = {
  readonly engine: Engine;
  readonly servers: number;
  readonly rounds: number;
  /** In turns. */
  readonly kills: readonly Kill[];
  /** A fault planted into the servers. */
  readonly fault?: string;
};

/** What was found, with the round and what was killed; the rounds end with the first that finds something. */
export type Outcome = { readonly problems: readonly string[]; readonly summary: string };

const FIRST_EVENT_TIMEOUT_MS = 30_000;
/** The moment of the kill. */
const LONGEST_STREAM_MS = 1500;
/** How long donors keep giving after it. */
const AFTER_KILL_MS = 500;
const ANSWER_TIMEOUT_MS = 5000;
const ALIVE_TIMEOUT_MS = 60_000;
const SETTLE_TIMEOUT_MS = 90_000;
const LOOK_AGAIN_MS = 500;
/** Every third round. */
const MONTH_EVERY = 3;

/** Kills again and again during a stream of payments, and compares everything with the provider after each kill. */
export async function crashRounds(setup: Setup): Promise<Outcome> {
  const folder = await mkdtemp(path.join(tmpdir(), 'city-climate-fund-crash-test-'));
  const ports = await Promise.all(Array.from({ length: setup.servers }, freePort));
  const urls = ports.map((port) => `http://localhost:${port}`);
  const dataDirs = ports.map((_, place) => path.join(folder, `data-${place}`));
  const relay = await startRelay(urls.map((url) => url + WEBHOOK_PATH));
  const provider = await startOutsideProvider(folder, { webhookUrl: () => relay.url, retryDelay: () => 250 });
  const mail = await startMailSink();
  const database = await openScratchDatabase(setup.engine, dataDirs[0] ?? folder);
  const start = (place: number) =>
    startProduct(urls[place] ?? '', {
      ...{ PORT: String(ports[place]), DATA_DIR: dataDirs[place] ?? '', LOG_LEVEL: 'fatal', SMTP_URL: mail.url },
      ...database.settings,
      ...provider.settings,
      ...(setup.fault === undefined ? {} : plant(setup.fault)),
    });
  const servers: (Product | undefined)[] = [];
  const test = { setup, urls, relay, provider, mail, database, start, servers };
  try {
    await database.use(makeOrganization);
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
  start(place: number): Promise<Product>;
  /** In the order of their URLs; undefined: killed. */
  readonly servers: (Product | undefined)[];
};

async function runRounds(test: Test): Promise<Outcome> {
  const { engine, kills, rounds } = test.setup;
  let slowest = 0;
  let round = 0;
  let problems: string[] = [];
  while (round < rounds && problems.length === 0) {
    const kill = kills[round % kills.length] ?? 'server';
    round += 1;
    const crashed = await crash(test, kill, round % MONTH_EVERY === 0);
    const found = [...crashed.problems, ...(await settle(test)), ...(await restingDifferences(test))];
    problems = found.map((problem) => `round ${round}, ${kill} killed: ${problem}`);
    slowest = Math.max(slowest, crashed.milliseconds);
    console.log(`${engine}, round ${round}, ${kill} killed, up again in ${crashed.milliseconds} ms: ${given(test)}`);
  }
  const isFine = problems.length === 0;
  if (readProvider(test.provider.store).gifts === 0) problems.push('No payment was made, so nothing is proven.');
  const verdict = isFine ? 'nothing lost, nothing doubled' : 'NOT AS IT MUST BE';
  const { mails, twice } = test.mail.counts();
  const mailed = `${mails} mails of which ${twice} came more than once`;
  const summary = `${engine}: ${round} kills, ${given(test)}, ${mailed}, up again within ${slowest} ms: ${verdict}`;
  return { problems, summary };
}

function given({ provider }: Test): string {
  const { gifts, renewals, refunds, cents } = readProvider(provider.store);
  return `${gifts} gifts (${renewals} renewals), ${refunds} refunds, ${formatCents(cents)} kept`;
}

/** @returns in how many milliseconds all servers answered again, and what was lost of what they had promised */
async function crash(
  test: Test,
  kill: Kill,
  withMonth: boolean,
): Promise<{ readonly milliseconds: number; readonly problems: string[] }> {
  const { urls, relay, provider, database } = test;
  await startMissing(test);
  relay.takeAcknowledged();
  const toldPaid = new Set<string>();
  const atProvider = workAtProvider(provider.url, provider.store);
  const crowd = startCrowd({
    productUrls: urls,
    orgid: ORG_ID,
    toldPaid,
    atProvider,
    mayRepeat: () => mayRepeat(provider.store),
  });
  // A new server is slow at first.
  await until(async () => relay.hasAcknowledged(), FIRST_EVENT_TIMEOUT_MS);
  if (withMonth) await passMonth(provider.url);
  await pause(Math.random() * LONGEST_STREAM_MS);
  const begin = performance.now();
  if (kill === 'server') await killOne(test);
  else await database.kill(kill);
  const survivors = urls.filter((_, place) => test.servers[place]);
  const areUp = await until(() => allAnswer(survivors), ALIVE_TIMEOUT_MS);
  const outage = Math.round(performance.now() - begin);
  await pause(AFTER_KILL_MS);
  await crowd.stop();
  const ended = test.servers.some((server) => server && !server.isRunning());
  const broken = await database.use(async (db) => {
    const problems = await brokenPromises(db, { acknowledged: relay.takeAcknowledged(), toldPaid });
    await endLeases(db);
    return problems;
  });
  const milliseconds = kill === 'server' ? await startMissing(test) : outage;
  return {
    milliseconds,
    problems: [...(ended ? ['a server has ended'] : []), ...(areUp ? [] : ['a server does not answer']), ...broken],
  };
}

async function killOne(test: Test): Promise<void> {
  const place = Math.floor(Math.random() * test.servers.length);
  await test.servers[place]?.kill();
  test.servers[place] = undefined;
}

/** @returns the milliseconds it took */
async function startMissing(test: Test): Promise<number> {
  const begin = performance.now();
  // One after the other: the first one migrates.
  for (const place of test.urls.keys()) test.servers[place] ??= await test.start(place);
  return Math.round(performance.now() - begin);
}

/** Delivers and applies all there is, until the servers show what the provider says. */
async function settle({ urls, relay, provider }: Test): Promise<string[]> {
  const isDelivered = await until(async () => {
    await provider.deliverPending();
    await relay.idle();
    return readProvider(provider.store).undelivered === 0;
  }, SETTLE_TIMEOUT_MS);
  if (!isDelivered) return ['events cannot be delivered'];
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
  const { setup, database, provider } = test;
  const deadline = Date.now() + SETTLE_TIMEOUT_MS;
  const isEmbedded = setup.engine === 'embedded';
  for (;;) {
    await pause(LOOK_AGAIN_MS);
    if (isEmbedded) await killOne(test);
    const isLate = Date.now() > deadline;
    const found = await database.use(async (db) => {
      const waiting = await waitingEvents(db);
      if (waiting === 0) return differences(db, provider);
      if (isEmbedded) await endLeases(db);
      return isLate ? [`${waiting} events wait to be applied`] : undefined;
    });
    if (found) return found;
    await startMissing(test);
  }
}

async function allAnswer(urls: readonly string[]): Promise<boolean> {
  const answers = await Promise.all(urls.map((url) => ask(`${url}/healthz`).catch(() => undefined)));
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
