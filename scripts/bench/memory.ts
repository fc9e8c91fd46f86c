import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startProduct, WITH_SAMPLE } from '../crash-test/product-process.ts';
import { freePort } from '../free-port.ts';
import { startPostgresServer } from '../postgres/start-postgres.ts';
import { sampleOrg } from '../sample/sample-org.ts';
import { scratchFolder } from '../scratch-folder.ts';
import { answersPerSecond } from './fifty-connections.ts';
import { tableRow } from './table-row.ts';

// npm run bench -- memory
//
// Megabytes of memory (resident) of the program on either database: idle after its start, at most under load (the pages and
// answers of an organization over fifty connections), and a while after; beside those of a bare program on Fastify and
// PostgreSQL. Only on Linux. Exits with 1 when one is above its goal.

const GOALS = { postgres: { idle: 160, load: 220 }, embedded: { idle: 300, load: undefined } } as const;
const SETTLING_MS = 12_000;
const ANSWERS = 3000;
const ROUNDS = 3;
const LOOK_EVERY_MS = 50;
const PATHS = ['', '/offsetters', '/faqs', '/donate'].flatMap((page) => [`/orgs/${sampleOrg.id}${page}`]);
const CALLS = ['', '/cells', '/offsetters', '/installers'].map((read) => `/api/orgs/${sampleOrg.id}${read}`);

/** As deploy/fund does. */
const FLAGS: readonly string[] = ['--max-semi-space-size=4'];
const FEW_HEAPS = { MALLOC_ARENA_MAX: '2' };
const FUND = fileURLToPath(new URL('../fund.mjs', import.meta.url));
const BARE = fileURLToPath(new URL('./bare-program.ts', import.meta.url));

type Settings = Readonly<Record<string, string>>;
type Held = { readonly idle: number; readonly load: number; readonly after: number };

/** @returns whether each is within its goal */
export async function run(): Promise<boolean> {
  const server = await startPostgresServer();
  const folder = await scratchFolder('memory');
  const engines = {
    postgres: { DATABASE_URL: server.url, DATA_DIR: path.join(folder, 'files') },
    embedded: { DATABASE: 'embedded', DATA_DIR: path.join(folder, 'embedded') },
  };
  try {
    console.log(row(['resident MB', 'idle', 'goal', 'load', 'goal', 'after', 'times bare']));
    const bare = await idleOfBare(engines.postgres);
    console.log(row(['a bare program', bare.toFixed(0)]));
    let isFine = true;
    for (const [name, goals] of Object.entries(GOALS)) {
      const settings: Settings = name === 'postgres' ? engines.postgres : engines.embedded;
      const { idle, load, after } = await held(settings);
      const goalOf = (goal: number | undefined) => (goal === undefined ? '' : String(goal));
      const ratio = (idle / bare).toFixed(1);
      console.log(
        row([name, idle.toFixed(0), goalOf(goals.idle), load.toFixed(0), goalOf(goals.load), after.toFixed(0), ratio]),
      );
      isFine &&= idle <= goals.idle && load <= (goals.load ?? Number.POSITIVE_INFINITY);
    }
    return isFine;
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const row = (cells: readonly string[]) => tableRow(cells, [16, 10]);

async function idleOfBare(settings: Settings): Promise<number> {
  const { child, stop } = begin([BARE], { ...settings, PORT: String(await freePort()) });
  await pause(SETTLING_MS / 4);
  const held = await residentMb(child.pid ?? 0);
  await stop();
  return held;
}

async function held(settings: Settings): Promise<Held> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = { ...settings, PORT: String(port), LOG_LEVEL: 'fatal' };
  // The sample organization is made by a process of its own, as it takes more memory than all else.
  const seeding = await startProduct(url, env, WITH_SAMPLE);
  await seeding.stop();
  const { child, stop } = begin([...FLAGS, FUND, 'start'], env);
  try {
    while (
      !(await fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ))
    )
      await pause(100);
    await pause(SETTLING_MS);
    const pid = child.pid ?? 0;
    const idle = await residentMb(pid);
    const load = await most(pid, () => visits(url));
    await pause(SETTLING_MS);
    return { idle, load, after: await residentMb(pid) };
  } finally {
    await stop();
  }
}

function begin(args: readonly string[], settings: Settings) {
  const env = { PATH: process.env.PATH, ...FEW_HEAPS, ...settings };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { child, stop };
}

async function visits(url: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const each of [...PATHS, ...CALLS]) {
      await answersPerSecond(new URL(each, url), 'accept-encoding: br\r\n', ANSWERS);
    }
  }
}

/** The most that a process holds while something is done. */
async function most(pid: number, work: () => Promise<void>): Promise<number> {
  let top = 0;
  let isOver = false;
  const look = async () => {
    while (!isOver) {
      top = Math.max(top, await residentMb(pid));
      await pause(LOOK_EVERY_MS);
    }
  };
  await Promise.all([work().finally(() => (isOver = true)), look()]);
  return top;
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
