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
// The cost of an editor's reads on PostgreSQL in an organization with 100,000 checkouts, relative to one with 1,000. Then
// the ledger download: its time per line in both, and the server's memory while a slow reader downloads the long one.
// The overview and the sums of a search add up every entry and are compared with a plain sum. Exits with 1 when a result
// misses its target.

const SIZES = [1_000, 100_000] as const;
const ROUNDS = 60;
const WARM_UP = 10;
/** Smaller ratios are noise. */
const NOISE = 1.25;
/** A text search may cost this much more with a hundred times as many words. */
const TEXT_SEARCH = 2;
/** The plain sum adds up one column; the overview adds up three by month and kind, and counts pending work. */
const OVERVIEW = 5;
/** The sums are of three tables: checkouts, payments and fees. */
const SUMS = 15;
/** Megabytes that the download may use, whatever its length. */
const MEMORY_MB = 64;
const PAUSE_MS = 1500;

type Read = {
  readonly name: string;
  readonly maximum: number;
  readonly body: (orgid: string, size: number) => object;
};

const READS: readonly Read[] = [
  { name: 'list, first page', maximum: NOISE, body: () => ({}) },
  { name: 'list, deep page', maximum: NOISE, body: (orgid, size) => ({ cursorRef: checkoutId(orgid, size / 10) }) },
  {
    name: 'list, deep page back',
    maximum: NOISE,
    body: (orgid, size) => ({ cursorRef: checkoutId(orgid, size / 10), isNext: false }),
  },
  { name: 'by id', maximum: NOISE, body: (orgid, size) => ({ query: checkoutId(orgid, size / 2) }) },
  { name: 'by payment id', maximum: NOISE, body: (orgid, size) => ({ query: `pi_${checkoutId(orgid, size / 2)}` }) },
  { name: 'by email', maximum: NOISE, body: (_orgid, size) => ({ query: `donor${size / 2}@bench.example` }) },
  { name: 'by amount', maximum: NOISE, body: () => ({ query: '$77' }) },
  { name: 'by name, one', maximum: TEXT_SEARCH, body: (_orgid, size) => ({ query: `Donor${size / 2} Family` }) },
  { name: 'by name, many', maximum: TEXT_SEARCH, body: () => ({ query: 'fam' }) },
  { name: 'by name, no match', maximum: TEXT_SEARCH, body: () => ({ query: 'zzyzx' }) },
  { name: 'by status', maximum: NOISE, body: () => ({ status: 'disputed' }) },
  { name: 'by days', maximum: NOISE, body: () => ({ from: '2020-01-01', to: '2020-01-01' }) },
  {
    name: 'name, status, days',
    maximum: TEXT_SEARCH,
    body: () => ({ query: 'fam', status: 'paid', from: '2020-01-01' }),
  },
];

/** @returns whether every result is within its target */
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
  printRow(['', ...SIZES.map((size) => size.toLocaleString('en-US')), 'times', 'at most', '']);
  let isFine = true;
  for (const { name, maximum, body } of READS) {
    const times = SIZES.map((): number[] => []);
    for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
      for (const [index, size] of SIZES.entries()) {
        const milliseconds = await timed(() => editor.search(orgOf(size), body(orgOf(size), size)));
        if (round >= WARM_UP) times[index]?.push(milliseconds);
      }
    }
    isFine = judge(name, times.map(median), maximum) && isFine;
  }
  return isFine;
}

async function compareOverview(editor: EditorCalls, client: pg.Client): Promise<boolean> {
  const orgid = orgOf(SIZES[1]);
  const plain: number[] = [];
  const ours: number[] = [];
  const sums: number[] = [];
  for (let round = 0; round < 15; round += 1) {
    plain.push(
      await timed(() => client.query('select sum(amount_cents) from ledger_entries where org_id = $1', [orgid])),
    );
    ours.push(await timed(() => editor.overview(orgid, 'all')));
    sums.push(await timed(() => editor.sums(orgid)));
  }
  console.log('\nThe overview of all time, the sums of all checkouts, and a plain sum of the ledger, milliseconds');
  const isFine = judge('overview', [median(plain), median(ours)], OVERVIEW);
  return judge('sums', [median(plain), median(sums)], SUMS) && isFine;
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
  console.log('\nThe ledger download, milliseconds per thousand lines');
  return judge('table', perLine, NOISE) && isFlat;
}

/** Must be the first long download, so that nothing of an earlier one is in memory. */
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
  const [was, maximum, more] = [before, peak, peak - before].map((megabytes) => megabytes.toFixed(0));
  console.log(`\nServer memory while ${size} MB go to a reader who pauses for ${PAUSE_MS} ms:`);
  console.log(`${was} MB before, ${maximum} MB at most, ${more} MB more; target ${MEMORY_MB}: ${verdict(isFlat)}`);
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

/** Resident megabytes of a process. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
}

function judge(name: string, [small = 0, large = 0]: readonly number[], maximum: number): boolean {
  const ratio = large / small;
  printRow([name, small.toFixed(2), large.toFixed(2), ratio.toFixed(2), String(maximum), verdict(ratio <= maximum)]);
  return ratio <= maximum;
}

function verdict(isFine: boolean): string {
  return isFine ? 'fine' : 'TOO SLOW OR LARGE';
}

function printRow(cells: readonly string[]): void {
  console.log(tableRow(cells, [24, 10]));
}
