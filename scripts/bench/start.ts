import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../free-port.ts';
import { startPostgresServer } from '../postgres/start-postgres.ts';
import { scratchFolder } from '../scratch-folder.ts';
import { median } from './median-difference.ts';
import { workedMs } from './processor-time.ts';
import { tableRow } from './table-row.ts';

// npm run bench -- start
//
// From the start of `node` to the first page, on PostgreSQL and on the embedded database, both migrated before; beside a bare
// program that loads Fastify and the driver of PostgreSQL, asks the database and listens, in alternating rounds. Processor
// time hardly depends on what else the machine does. Exits with 1 when the first page on PostgreSQL takes longer than 1 s.

const GOAL_MS = 1000;
const ROUNDS = 7;
const LOOK_EVERY_MS = 5;
const LONGEST_MS = 120_000;

/** As deploy/fund does. */
const FLAGS: readonly string[] = ['--max-semi-space-size=4'];
const FUND = fileURLToPath(new URL('../fund.mjs', import.meta.url));
const BARE = fileURLToPath(new URL('./bare-program.ts', import.meta.url));

type Started = { readonly ms: number; readonly worked: number };

/** @returns whether the first page on PostgreSQL comes soon enough */
export async function run(): Promise<boolean> {
  const server = await startPostgresServer();
  const folder = await scratchFolder('start');
  const postgres = { DATABASE_URL: server.url, DATA_DIR: path.join(folder, 'files') };
  const embedded = { DATABASE: 'embedded', DATA_DIR: path.join(folder, 'embedded') };
  const programs = {
    'a bare program, PostgreSQL': () => started([BARE], postgres),
    'first page, PostgreSQL': () => started([...FLAGS, FUND, 'start'], postgres),
    'first page, embedded': () => started([...FLAGS, FUND, 'start'], embedded),
  };
  try {
    const times = new Map<string, Started[]>(Object.keys(programs).map((name) => [name, []]));
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const [name, start] of Object.entries(programs)) {
        const one = await start();
        // The first migrates, and compiles what later ones find compiled.
        if (round >= 0) times.get(name)?.push(one);
      }
    }
    return told(times);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function told(times: ReadonlyMap<string, readonly Started[]>): boolean {
  const row = (cells: readonly string[]) => tableRow(cells, [28, 12]);
  console.log(row(['milliseconds, median', 'until', 'slowest', 'processor', 'times bare', 'aim']));
  let bare = 0;
  let onPostgres = 0;
  for (const [name, all] of times) {
    const [ms, worked] = [median(all.map((one) => one.ms)), median(all.map((one) => one.worked))];
    bare ||= worked;
    const isJudged = name === 'first page, PostgreSQL';
    if (isJudged) onPostgres = ms;
    const slowest = Math.max(...all.map((one) => one.ms));
    const figures = [ms, slowest, worked].map((figure) => figure.toFixed(0));
    console.log(row([name, ...figures, (worked / bare).toFixed(1), isJudged ? String(GOAL_MS) : '']));
  }
  return onPostgres <= GOAL_MS;
}

async function started(args: readonly string[], settings: Readonly<Record<string, string>>): Promise<Started> {
  const port = await freePort();
  const env = { PATH: process.env.PATH, PORT: String(port), LOG_LEVEL: 'fatal', ...settings };
  const begin = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  try {
    while (!(await answers(port))) {
      if (child.exitCode !== null) throw new Error('The program has ended.');
      if (performance.now() - begin > LONGEST_MS) throw new Error('The program did not answer in time.');
      await pause(LOOK_EVERY_MS);
    }
    return { ms: performance.now() - begin, worked: await workedMs(child.pid ?? 0) };
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** A page of no organization: it is rendered like any other. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    http
      .get({ host: 'localhost', port, path: '/nothing/of/the/kind', agent: false }, (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode === 404));
      })
      .on('error', () => resolve(false));
  });
}
