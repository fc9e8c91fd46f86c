import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { median } from './bench/median-difference.ts';
import { buildAll } from './build/build.ts';
import { freePort } from './free-port.ts';
import { SAMPLE_EDITOR } from './sample/sample-org.ts';
import { scratchFolder } from './scratch-folder.ts';
import { asking, pace, type Tally } from './soak/asking.ts';
import { attackers } from './soak/attackers.ts';
import { honestVisitors, logIn } from './soak/honest-visitors.ts';

/**
 * npm run soak -- --minutes 10: attackers from several networks do a tenth more than they may, of everything, while honest
 * visitors read, give, tell their story and log in. The program's memory has to stay flat, and no honest visitor may be
 * refused. `--minutes 60` takes an hour, `--networks 1` needs less of the machine.
 */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, networks: { type: 'string', default: '4' } },
});
const minutes = Number(values.minutes);
const MEASURE_EVERY_MS = 15_000;
/** Caches fill in the first fifth. */
const WARMING_UP = 0.2;
/** From the first third after that to the last. */
const MOST_GROWTH = 1.2;
const MOST_SHOWN = 10;

type Memory = { readonly heap: number; readonly whole: number };

await buildAll();
const folder = await scratchFolder('soak');
const port = await freePort();
const url = `http://localhost:${port}`;
const server = spawn(process.execPath, [fileURLToPath(new URL('soak/server.ts', import.meta.url))], {
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  env: {
    ...{ PATH: process.env.PATH, PORT: String(port), DATA_DIR: path.join(folder, 'data'), LOG_LEVEL: 'fatal' },
    TRUSTED_PROXIES: '127.0.0.1,::1',
  },
});
try {
  await answering();
  process.exitCode = (await soak()) ? 0 : 1;
} finally {
  server.kill('SIGTERM');
  if (server.exitCode === null) await once(server, 'exit');
  await rm(folder, { recursive: true, force: true });
}

async function answering(): Promise<void> {
  while (!(await fetch(`${url}/healthz`).catch(() => undefined))?.ok) {
    if (server.exitCode !== null) throw new Error('The program has ended.');
    await pause(200);
  }
}

/** @returns whether the memory stayed flat and no honest visitor was refused */
async function soak(): Promise<boolean> {
  const { ask, tallies } = asking(url);
  const photo = new Uint8Array(
    await sharp({ create: { width: 640, height: 480, channels: 3, background: '#456' } })
      .jpeg()
      .toBuffer(),
  );
  const { token } = await logIn(url, ask, SAMPLE_EDITOR.email, '10.2.0.1');
  const visitors = honestVisitors(url, ask, photo);
  const attacks = attackers(ask, token, Number(values.networks));
  const ending = new AbortController();
  const refusals: string[] = [];
  let journeys = 0;
  const all = [
    ...attacks.map(({ run }) => run(ending.signal)),
    ...visitors.map(({ name, perSecond, go }) =>
      pace(perSecond, ending.signal, () =>
        go().then(
          () => {
            journeys += 1;
          },
          (error: unknown) => refusals.push(`${name}: ${error instanceof Error ? error.message : String(error)}`),
        ),
      ),
    ),
  ];
  const memory: Memory[] = [];
  const endsAt = performance.now() + minutes * 60_000;
  while (performance.now() < endsAt && server.exitCode === null) {
    await pause(Math.min(MEASURE_EVERY_MS, (minutes * 60_000) / 40));
    memory.push(await memoryOf(server));
    const { heap = 0 } = memory.at(-1) ?? {};
    console.error(
      `${Math.round((endsAt - performance.now()) / 1000)} s left, ${Math.round(heap / 1e6)} MB, ${journeys} journeys, ${refusals.length} refused`,
    );
  }
  ending.abort();
  await Promise.all(all);
  printTallies(
    tallies,
    visitors.map(({ name }) => name),
  );
  const growth = growthOf(memory);
  console.log(`\n${minutes} minutes, ${journeys} honest journeys, ${refusals.length} of them refused or failed.`);
  for (const refusal of refusals.slice(0, MOST_SHOWN)) console.log(`  ${refusal}`);
  const figures = (['heap', 'whole'] as const).map(
    (which) => `${which} ${growth[which].first.toFixed(0)} → ${growth[which].last.toFixed(0)} MB`,
  );
  console.log(
    `Memory after what is unused was collected: ${figures.join(', ')}; at most ${MOST_GROWTH} times the heap.`,
  );
  return refusals.length === 0 && growth.heap.last <= growth.heap.first * MOST_GROWTH && server.exitCode === null;
}

async function memoryOf(child: ChildProcess): Promise<Memory> {
  const answer = once(child, 'message');
  child.send('How much?');
  const [memory] = (await answer) as [Memory];
  return memory;
}

function growthOf(memory: readonly Memory[]) {
  const settled = memory.slice(Math.floor(memory.length * WARMING_UP));
  const third = Math.max(1, Math.floor(settled.length / 3));
  const megabytes = (some: readonly Memory[], which: keyof Memory) => median(some.map((each) => each[which])) / 1e6;
  const growthIn = (which: keyof Memory) => ({
    first: megabytes(settled.slice(0, third), which),
    last: megabytes(settled.slice(-third), which),
  });
  return { heap: growthIn('heap'), whole: growthIn('whole') };
}

function printTallies(tallies: ReadonlyMap<string, Tally>, honest: readonly string[]): void {
  const columns = ['requests', 'refused', 'failed', 'median ms', 'slowest ms'];
  console.log(['who'.padEnd(24), ...columns.map((column) => column.padStart(11))].join(''));
  const names = [...tallies.keys()].toSorted((a, b) => Number(honest.includes(b)) - Number(honest.includes(a)));
  for (const name of names) {
    const { requests, refused, failed, times, slowest } = tallies.get(name) ?? {
      requests: 0,
      refused: 0,
      failed: 0,
      times: [0],
      slowest: 0,
    };
    const figures = [requests, refused, failed, Math.round(median(times)), Math.round(slowest)];
    console.log([name.padEnd(24), ...figures.map((figure) => String(figure).padStart(11))].join(''));
  }
}
