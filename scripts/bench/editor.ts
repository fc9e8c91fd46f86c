import { readFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { startPostgresServer } from '../postgres/start-postgres.ts';
import { type EditorCalls, signInEditor } from './editor-calls.ts';
import { checkoutId, fillLedger } from './ledger-of-size.ts';
import { median } from './median-difference.ts';
import { withScratchProduct } from './scratch-product.ts';
import { tableRow } from './table-row.ts';

// npm run bench -- editor
//
// What an editor's reads cost in an organisation with 100,000 checkouts, on PostgreSQL: as ratios to the same reads in
// one with 1,000, by turns. Then the treasurer's table: its time for each line as a ratio to that of the small table,
// and how much memory the program takes while the long one is fetched by a reader who stops for a while in the middle.
// The overview has to add up every entry, and is compared with the plain sum of them. Status 1 when one is above its aim.

const SIZES = [1_000, 100_000] as const;
const ROUNDS = 60;
const WARMING_UP = 10;
/** Machines are shared: what differs by less is noise. */
const NOISE = 1.25;
/** What finding something by its words may cost more where a hundred times as many words are kept. */
const WORDS = 2;
/** The plain sum adds one column up; the overview adds three by month and kind, and asks what waits. */
const OVERVIEW = 5;
/** Megabytes that may come and go with what is under way, whatever the length of the table. */
const MEMORY_MB = 64;
const PAUSE_MS = 1500;

type Read = {
  readonly name: string;
  readonly most: number;
  readonly body: (orgid: string, size: number) => object;
};

const READS: readonly Read[] = [
  { name: 'list, first page', most: NOISE, body: () => ({}) },
  { name: 'list, deep page', most: NOISE, body: (orgid, size) => ({ cursorRef: checkoutId(orgid, size / 10) }) },
  {
    name: 'list, deep page back',
    most: NOISE,
    body: (orgid, size) => ({ cursorRef: checkoutId(orgid, size / 10), isNext: false }),
  },
  { name: 'by id', most: NOISE, body: (orgid, size) => ({ query: checkoutId(orgid, size / 2) }) },
  { name: 'by payment id', most: NOISE, body: (orgid, size) => ({ query: `pi_${checkoutId(orgid, size / 2)}` }) },
  { name: 'by email', most: NOISE, body: (_orgid, size) => ({ query: `donor${size / 2}@bench.example` }) },
  { name: 'by amount', most: NOISE, body: () => ({ query: '$77' }) },
  { name: 'by name, one', most: WORDS, body: (_orgid, size) => ({ query: `Donor${size / 2} Family` }) },
  { name: 'by name, many', most: WORDS, body: () => ({ query: 'fam' }) },
  { name: 'by name, nobody', most: WORDS, body: () => ({ query: 'zzyzx' }) },
  { name: 'by status', most: NOISE, body: () => ({ status: 'disputed' }) },
  { name: 'by days', most: NOISE, body: () => ({ from: '2020-01-01', to: '2020-01-01' }) },
  { name: 'name, status, days', most: WORDS, body: () => ({ query: 'fam', status: 'paid', from: '2020-01-01' }) },
];

/** @returns whether all of it is within its aim */
export async function run(): Promise<boolean> {
  const server = await startPostgresServer();
  const client = new pg.Client(server.url);
  try {
    return await withScratchProduct({ databaseUrl: server.url }, async ({ url, pid }) => {
      await client.connect();
      try {
        for (const size of SIZES) await fillLedger(client, orgOf(size), size);
        await client.query('vacuum analyze');
        const editor = await signInEditor(url, client, SIZES.map(orgOf));
        const reads = await compareReads(editor);
        const sums = await compareOverview(editor, client);
        const table = await compareTables(editor, pid);
        return reads && sums && table;
      } finally {
        await client.end();
      }
    });
  } finally {
    await server.stop();
  }
}

const orgOf = (size: number) => `of-${size}`;

async function compareReads(editor: EditorCalls): Promise<boolean> {
  console.log('Checkouts of one organization on PostgreSQL, milliseconds');
  say(['', ...SIZES.map((size) => size.toLocaleString('en-US')), 'times', 'at most', '']);
  let isFine = true;
  for (const { name, most, body } of READS) {
    const times = SIZES.map((): number[] => []);
    for (let round = 0; round < ROUNDS + WARMING_UP; round += 1) {
      for (const [index, size] of SIZES.entries()) {
        const milliseconds = await timed(() => editor.search(orgOf(size), body(orgOf(size), size)));
        if (round >= WARMING_UP) times[index]?.push(milliseconds);
      }
    }
    isFine = judge(name, times.map(median), most) && isFine;
  }
  return isFine;
}

async function compareOverview(editor: EditorCalls, client: pg.Client): Promise<boolean> {
  const orgid = orgOf(SIZES[1]);
  const plain: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < 15; round += 1) {
    plain.push(
      await timed(() => client.query('select sum(amount_cents) from ledger_entries where org_id = $1', [orgid])),
    );
    ours.push(await timed(() => editor.overview(orgid, 'all')));
  }
  console.log('\nThe overview of all time, beside the plain sum of the ledger, milliseconds');
  return judge('overview', [median(plain), median(ours)], OVERVIEW);
}

async function compareTables(editor: EditorCalls, pid: number): Promise<boolean> {
  const isFlat = await watchMemory(editor, pid);
  const perLine: number[] = [];
  for (const size of SIZES) {
    const times: number[] = [];
    for (let round = 0; round < (size > 10_000 ? 3 : 15); round += 1) {
      times.push(await timed(async () => expectLines(await editor.table(orgOf(size)), size)));
    }
    perLine.push((median(times) / size) * 1000);
  }
  console.log('\nThe ledger as a table, milliseconds for a thousand lines');
  return judge('table', perLine, NOISE) && isFlat;
}

/** The long table is fetched for the first time, so that nothing of an earlier one is in memory yet. */
async function watchMemory(editor: EditorCalls, pid: number): Promise<boolean> {
  for (let round = 0; round < 30; round += 1) await editor.table(orgOf(SIZES[0]));
  const before = await memoryOf(pid);
  let peak = before;
  const watching = setInterval(() => {
    void memoryOf(pid).then((now) => {
      peak = Math.max(peak, now);
    });
  }, 20);
  const { bytes } = await editor.table(orgOf(SIZES[1]), PAUSE_MS);
  clearInterval(watching);
  const isFlat = peak - before <= MEMORY_MB;
  const size = (bytes / 2 ** 20).toFixed(1);
  const [was, most, more] = [before, peak, peak - before].map((megabytes) => megabytes.toFixed(0));
  console.log(`\nMemory of the program while ${size} MB go to a reader who stops for ${PAUSE_MS} ms:`);
  console.log(`${was} MB before, ${most} MB at most, ${more} MB more; aim ${MEMORY_MB}: ${verdict(isFlat)}`);
  return isFlat;
}

function expectLines({ lines }: { readonly lines: number }, expected: number): void {
  if (lines !== expected) throw new Error(`The table has ${lines} lines where the ledger has ${expected}.`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** Megabytes that a process holds in memory. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
}

function judge(name: string, [small = 0, large = 0]: readonly number[], most: number): boolean {
  const ratio = large / small;
  say([name, small.toFixed(2), large.toFixed(2), ratio.toFixed(2), String(most), verdict(ratio <= most)]);
  return ratio <= most;
}

function verdict(isFine: boolean): string {
  return isFine ? 'fine' : 'TOO MUCH';
}

function say(cells: readonly string[]): void {
  console.log(tableRow(cells, [24, 10]));
}
