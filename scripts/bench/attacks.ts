import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { buildAll } from '../build/build.ts';
import { freePort } from '../free-port.ts';
import { startPostgresServer } from '../postgres/start-postgres.ts';
import { SAMPLE_EDITOR } from '../sample/sample-org.ts';
import { scratchFolder } from '../scratch-folder.ts';
import { asking } from '../soak/asking.ts';
import { logIn } from '../soak/honest-visitors.ts';
import { median } from './median-difference.ts';
import { STORMS, type StormData } from './storms.ts';
import { tableRow } from './table-row.ts';

// npm run bench -- attacks
//
// What each attack does to another visitor: the median time of a page and of a call, in rounds with and without the attack,
// which runs in a thread of its own. Exits with 1 when an attack more than doubles it.

const MOST = 2;
const ROUNDS = 3;
const ROUND_MS = 1500;
const BEGINNING_MS = 500;
const PAGES = ['/orgs/sample', '/api/orgs/sample', '/orgs/sample/offsetters'];

/** @param names parts of the names of attacks; all of them without any. @returns whether none more than doubles it */
export async function run(names: readonly string[]): Promise<boolean> {
  await buildAll();
  const folder = await scratchFolder('attacks');
  const postgres = await startPostgresServer();
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const server = spawn(process.execPath, [fileURLToPath(new URL('../soak/server.ts', import.meta.url))], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...{ PATH: process.env.PATH, PORT: String(port), DATA_DIR: path.join(folder, 'data'), LOG_LEVEL: 'fatal' },
      ...{ TRUSTED_PROXIES: '127.0.0.1,::1', DATABASE_URL: postgres.url },
    },
  });
  try {
    await answering(url, server);
    const { token } = await logIn(url, asking(url).ask, SAMPLE_EDITOR.email, '10.2.0.1');
    console.log(row(['another visitor, median ms', 'quiet', 'attacked', 'ratio', 'requests', 'refused']));
    let isFine = true;
    for (const name of Object.keys(STORMS)) {
      if (names.length > 0 && !names.some((part) => name.includes(part))) continue;
      isFine = (await endured({ url, name, token })) && isFine;
    }
    return isFine;
  } finally {
    server.kill('SIGTERM');
    if (server.exitCode === null) await once(server, 'exit');
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const row = (cells: readonly string[]) => tableRow(cells, [46, 9]);

async function answering(url: string, server: ChildProcess): Promise<void> {
  while (!(await fetch(`${url}/healthz`).catch(() => undefined))?.ok) {
    if (server.exitCode !== null) throw new Error('The program has ended.');
    await pause(200);
  }
}

async function endured(data: StormData): Promise<boolean> {
  const [quiet, attacked, ratios]: number[][] = [[], [], []];
  const sent = { requests: 0, refused: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await visit(data.url);
    const storm = new Worker(new URL('storms.ts', import.meta.url), { workerData: data });
    await once(storm, 'message');
    await pause(BEGINNING_MS);
    const during = await visit(data.url);
    const ended = once(storm, 'message');
    storm.postMessage('end');
    const [{ requests, refused }] = (await ended) as [typeof sent];
    await storm.terminate();
    sent.requests += requests;
    sent.refused += refused;
    quiet?.push(before);
    attacked?.push(during);
    ratios?.push(during / before);
    await pause(BEGINNING_MS);
  }
  const [before, during, ratio] = [quiet, attacked, ratios].map((all) => median(all ?? []));
  const figures = [before, during, ratio].map((figure) => (figure ?? 0).toFixed(1));
  console.log(row([data.name, ...figures, String(sent.requests), String(sent.refused)]));
  return (ratio ?? Number.POSITIVE_INFINITY) <= MOST;
}

/** One after another, each over a new connection, as a visitor who comes. @returns the median in milliseconds */
async function visit(url: string): Promise<number> {
  const times: number[] = [];
  const endsAt = performance.now() + ROUND_MS;
  for (let at = 0; performance.now() < endsAt; at += 1) {
    const address = new URL(PAGES[at % PAGES.length] ?? '', url);
    const began = performance.now();
    const headers = { 'accept-encoding': 'br', 'x-forwarded-for': `10.1.0.${at % 250}` };
    const [answer] = (await once(http.get(address, { agent: false, headers }), 'response')) as [http.IncomingMessage];
    await buffer(answer);
    if (answer.statusCode !== 200) throw new Error(`${address.pathname} answered ${answer.statusCode}`);
    times.push(performance.now() - began);
    await pause(5);
  }
  return median(times);
}
