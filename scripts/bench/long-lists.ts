import http from 'node:http';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { type CallName, type CallParams, callPath } from '#contract/calls.ts';
import { startPostgresServer } from '../postgres/start-postgres.ts';
import { median } from './median.ts';
import { withScratchProduct } from './scratch-product.ts';
import { tableRow } from './table-row.ts';

/** Offsetters per organization. The first size is the baseline. */
const SIZES = [1_000, 100_000, 1_000_000] as const;
const ROUNDS = 400;
const WARM_UP = 50;
/** Smaller ratios are noise. */
const NOISE = 1.25;

type Read = { readonly name: string; readonly pathIn: (orgid: string, size: number) => string };

const pathOf = <Name extends CallName>(name: Name, params: CallParams<Name>, query = '') =>
  callPath(name, params) + query;
const READS: readonly Read[] = [
  { name: 'the first page', pathIn: (orgid) => pathOf('readOffsetters', { orgid }) },
  {
    name: 'a page from the middle',
    pathIn: (orgid, size) => pathOf('readOffsetters', { orgid }, `?cursorRef=${offsetterId(orgid, size / 2)}`),
  },
  {
    name: 'a detail',
    pathIn: (orgid, size) => pathOf('readOffsetter', { orgid, offsetterid: offsetterId(orgid, size / 2) }),
  },
  {
    name: '… and its neighbors',
    pathIn: (orgid, size) => pathOf('readOffsetterNeighbors', { orgid, offsetterid: offsetterId(orgid, size / 2) }),
  },
];

/** Compares reads in organizations of different sizes. @returns whether they take the same time within noise */
export async function storyReads(): Promise<boolean> {
  const server = await startPostgresServer();
  try {
    return await withScratchProduct({ databaseUrl: server.url }, async ({ url }) => {
      await addOrganizations(server.url);
      return measured(url);
    });
  } finally {
    await server.stop();
  }
}

async function measured(url: string): Promise<boolean> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const columns = SIZES.map((size) => size.toLocaleString('en-US'));
  console.log(`\nPostgreSQL, milliseconds; at most ${NOISE} times as long`);
  console.log(row(['offsetters', ...columns, ...columns.slice(1).map(() => 'times')]));
  let isFine = true;
  for (const { name, pathIn } of READS) {
    const times = SIZES.map((): number[] => []);
    for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
      for (const [index, size] of SIZES.entries()) {
        const milliseconds = await timed(new URL(url + pathIn(orgOf(size), size)), agent);
        if (round >= WARM_UP) times[index]?.push(milliseconds);
      }
    }
    const [least = 0, ...more] = times.map(median);
    const ratios = more.map((milliseconds) => milliseconds / least);
    console.log(
      row([name, ...[least, ...more].map((ms) => ms.toFixed(3)), ...ratios.map((ratio) => ratio.toFixed(2))]),
    );
    isFine &&= ratios.every((ratio) => ratio <= NOISE);
  }
  agent.destroy();
  return isFine;
}

function timed(url: URL, agent: http.Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const begin = performance.now();
    http
      .get(url, { agent }, (response) => {
        text(response).then((body) => {
          if (response.statusCode === 200) resolve(performance.now() - begin);
          else reject(new Error(`${url.href} answered ${response.statusCode}: ${body}`));
        }, reject);
      })
      .on('error', reject);
  });
}

const orgOf = (size: number) => `of-${size}`;
const offsetterId = (orgid: string, place: number) => `${orgid}-${place}`;

async function addOrganizations(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    for (const size of SIZES) {
      const orgid = orgOf(size);
      await client.query(`insert into orgs (id, slug, name, tag) values ($1, $1, $1, 'Warm homes')`, [orgid]);
      // Skips the notification triggers.
      await client.query(`set session_replication_role = replica`);
      await client.query(
        `insert into offsetters (id, org_id, email, name, story, status, created_at)
         select $1 || '-' || place, $1, 'donor@example.org', 'Donor ' || place,
           repeat('We fly to see our grandmother once a year. ', 4), 'published',
           timestamptz '2020-01-01' + place * interval '1 minute'
         from generate_series(1, $2::int) place`,
        [orgid, size],
      );
      await client.query(`set session_replication_role = default`);
    }
    await client.query('vacuum analyze offsetters');
  } finally {
    await client.end();
  }
}

const row = (cells: readonly string[]) => tableRow(cells, [24, 10]);
