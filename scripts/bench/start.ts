import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '#server/db/free-port.ts';
import { payByCard } from '../crash-test/donors.ts';
import { sampleOrg } from '../sample/sample-org.ts';
import { createScratchFolder } from '../scratch-folder.ts';
import { measureResponsesPerSecond } from './fifty-connections.ts';
import { getMedian } from './median.ts';
import { findChild, type Memory, readMemory } from './process-tree.ts';
import { formatTableRow } from './table-row.ts';

// npm run bench -- start [folder …]
//
// Start time and memory of the server as `npm start` runs it, with the sample organization and its own PostgreSQL. The
// first start creates the data folder. Memory is the proportional set size of the server and its child processes, without
// the launcher: idle, and the maximum under load (gifts, then pages and data over fifty connections). Folders are other
// working copies to compare with, measured in turns. Linux only. Exits with 1 if this working copy misses a goal.

const GOALS = { laterStartSeconds: 2.5, idleMb: 200, loadMb: 320 };
const LATER_STARTS = 5;
const GIFTS = 200;
const DONORS = 8;
const IDLE_DELAY_MS = 12_000;
const REQUESTS = 3000;
const SAMPLE_INTERVAL_MS = 200;
const START_TIMEOUT_MS = 120_000;
const HOME_PATH = `/orgs/${sampleOrg.id}`;
const PAGE_PATHS = ['', '/offsetters', '/faqs', '/donate'].map((page) => HOME_PATH + page);
const API_PATHS = ['', '/cells', '/offsetters', '/installers'].map((path) => `/api${HOME_PATH}${path}`);

type WorkingCopy = { readonly folder: string; readonly dataDir: string; readonly port: number };
type Result = {
  readonly folder: string;
  readonly firstStart: number;
  readonly laterStarts: readonly number[];
  readonly idle: Memory;
  readonly load: Memory;
  readonly giftsPerSecond: number;
};

/** @returns whether this working copy meets the goals */
export async function run(otherFolders: readonly string[]): Promise<boolean> {
  const scratch = await createScratchFolder('start');
  try {
    const results: Result[] = [];
    const ownFolder = fileURLToPath(new URL('../..', import.meta.url));
    const workingCopies: WorkingCopy[] = [];
    for (const [index, folder] of [ownFolder, ...otherFolders.map((other) => path.resolve(other))].entries())
      workingCopies.push({ folder, dataDir: path.join(scratch, String(index)), port: await findFreePort() });
    const firstStarts = await timeStarts(workingCopies);
    const rounds: number[][] = [];
    for (let round = 0; round < LATER_STARTS; round += 1) rounds.push(await timeStarts(workingCopies));
    for (const [index, checkout] of workingCopies.entries()) {
      results.push({
        folder: checkout.folder,
        firstStart: firstStarts[index] ?? 0,
        laterStarts: rounds.map((round) => round[index] ?? 0),
        ...(await measureMemory(checkout)),
      });
    }
    return report(results);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function timeStarts(workingCopies: readonly WorkingCopy[]): Promise<number[]> {
  const seconds: number[] = [];
  for (const workingCopy of workingCopies) {
    const server = await startServer(workingCopy);
    seconds.push(server.seconds);
    await server.stop();
  }
  return seconds;
}

async function measureMemory(workingCopy: WorkingCopy) {
  const { pid, url, stop } = await startServer(workingCopy);
  try {
    await pause(IDLE_DELAY_MS);
    const idle = await readMemory(pid);
    let giftsPerSecond = 0;
    const load = await measurePeakMemory(pid, async () => {
      giftsPerSecond = await payGifts(url);
      for (const path of [...PAGE_PATHS, ...API_PATHS])
        await measureResponsesPerSecond(new URL(path, url), 'accept-encoding: br\r\n', REQUESTS);
    });
    return { idle, load, giftsPerSecond };
  } finally {
    await stop();
  }
}

/** Starts the server and waits for its first page. */
async function startServer({ folder, dataDir, port }: WorkingCopy) {
  const url = `http://localhost:${port}`;
  const env = { PATH: process.env.PATH, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'fatal' };
  const begin = performance.now();
  const launcher = [path.join(folder, 'scripts/run.mjs'), 'start.ts'];
  const child = spawn(process.execPath, launcher, { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const exit = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await exit;
  };
  try {
    await waitForPage(child, url + HOME_PATH);
  } catch (error) {
    await stop();
    throw error;
  }
  return { seconds: (performance.now() - begin) / 1000, pid: await findChild(child.pid), url, stop };
}

async function waitForPage(child: ChildProcess, page: string): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  const isPageServed = () =>
    fetch(page).then(
      async (response) => (await response.text()) !== '' && response.ok,
      () => false,
    );
  while (!(await isPageServed())) {
    if (child.exitCode !== null) throw new Error('The server exited before serving its first page.');
    if (performance.now() > deadline) throw new Error('The server did not serve a page in time.');
    await pause(5);
  }
}

/** @returns gifts per second, including the checkout and the payment page of each gift */
async function payGifts(url: string): Promise<number> {
  const begin = performance.now();
  let remaining = GIFTS;
  const donate = async () => {
    while (remaining > 0) {
      remaining -= 1;
      if (!(await payByCard(url, sampleOrg.id, 20))) throw new Error('A gift was not paid.');
    }
  };
  await Promise.all(Array.from({ length: DONORS }, donate));
  return GIFTS / ((performance.now() - begin) / 1000);
}

/** Runs `work`. @returns the sample with the highest total memory */
async function measurePeakMemory(pid: number, work: () => Promise<void>): Promise<Memory> {
  let peak: Memory = { node: 0, postgres: 0 };
  let isDone = false;
  const sample = async () => {
    while (!isDone) {
      const memory = await readMemory(pid);
      if (totalMemory(memory) > totalMemory(peak)) peak = memory;
      await pause(SAMPLE_INTERVAL_MS);
    }
  };
  await Promise.all([work().finally(() => (isDone = true)), sample()]);
  return peak;
}

const totalMemory = ({ node, postgres }: Memory) => node + postgres;

function report(results: readonly Result[]): boolean {
  const printLine = (name: string, figures: readonly (string | number)[]) =>
    console.log(
      formatTableRow(
        [name, ...figures.map((figure) => (typeof figure === 'string' ? figure : figure.toFixed(1)))],
        [28, 11],
      ),
    );
  printLine('seconds to the first page', ['first start', 'later', 'goal', 'slowest']);
  for (const { folder, firstStart, laterStarts } of results)
    printLine(folder, [firstStart, getMedian(laterStarts), GOALS.laterStartSeconds, Math.max(...laterStarts)]);
  printLine('MB', ['Node', 'PostgreSQL', 'total', 'goal']);
  for (const { folder, idle, load } of results) {
    printLine(`${folder}, idle`, [idle.node, idle.postgres, totalMemory(idle), GOALS.idleMb]);
    printLine(`${folder}, under load`, [load.node, load.postgres, totalMemory(load), GOALS.loadMb]);
  }
  printLine(
    'gifts per second',
    results.map(({ giftsPerSecond }) => giftsPerSecond),
  );
  const [ownResult] = results;
  return (
    ownResult !== undefined &&
    getMedian(ownResult.laterStarts) <= GOALS.laterStartSeconds &&
    totalMemory(ownResult.idle) <= GOALS.idleMb &&
    totalMemory(ownResult.load) <= GOALS.loadMb
  );
}
