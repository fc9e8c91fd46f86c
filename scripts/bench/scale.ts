import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { WEBHOOK_PATH } from '#contract/calls.ts';
import { pagePath } from '#contract/pages.ts';
import { openDatabase } from '#server/db/connection.ts';
import { migrate } from '#server/db/migrate.ts';
import { startPostgresServer } from '../postgres/start-postgres.ts';
import { startOutsideProvider } from '../provider/outside-provider.ts';
import { answersPerSecond } from './fifty-connections.ts';
import { EVENTS_PER_GIFT, payGifts } from './paid-gifts.ts';
import { withScratchProduct } from './scratch-product.ts';
import { timeEach, webhookSender } from './shuffled-deliveries.ts';
import { tableRow } from './table-row.ts';
import { type Bench, bareInserts, exact, haveApplied, LOG, until } from './webhooks.ts';

// npm run bench -- scale [--gifts 1000] [--most 10000]
//
// Gifts applied and pages answered per second by 1, 2 and 4 processes on one PostgreSQL server with fsync on, given to 1 or
// 100 organizations; as ratios to one process, and of gifts to single inserts by the same driver. The last four processes get
// `--most` gifts. More processes than processors cannot be faster. Exits with 1 when a row or a cent is not exact.

const PROCESSES = [1, 2, 4] as const;
const ORGANIZATIONS = [1, 100] as const;
const PAGES = 4000;
const HOUR_MS = 60 * 60_000;

/** @returns whether the books are exact */
export async function run(args: readonly string[]): Promise<boolean> {
  const options = { gifts: { type: 'string', default: '1000' }, most: { type: 'string', default: '10000' } } as const;
  const { values } = parseArgs({ args: [...args], options });
  const server = await startPostgresServer({ durable: true });
  const folder = await mkdtemp(path.join(tmpdir(), 'city-climate-fund-bench-'));
  const provider = await startOutsideProvider(folder, { webhookUrl: () => '', deliver: false });
  const db = await openDatabase({ databaseUrl: server.url, dataDir: '', log: LOG });
  try {
    await migrate(db);
    return await measured({ db, provider, url: server.url }, Number(values.gifts), Number(values.most));
  } finally {
    await db.close();
    await provider.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const orgsOf = (count: number) => Array.from({ length: count }, (_, number) => `bench-${number + 1}`);

async function measured(bench: Bench, gifts: number, most: number): Promise<boolean> {
  const { db, provider, url } = bench;
  const orgs = orgsOf(Math.max(...ORGANIZATIONS)).map((id) => ({ id, slug: id, name: 'Bench', tag: 'Warm homes' }));
  await db.kysely.insertInto('orgs').values(orgs).execute();
  const row = (cells: readonly string[]) => tableRow(cells, [26, 12]);
  console.log(
    row(['organizations × processes', 'gifts', 'gifts/s', 'times one', 'of inserts', 'pages/s', 'times one']),
  );
  let events = 0;
  for (const count of ORGANIZATIONS) {
    let one: { gifts: number; pages: number } | undefined;
    for (const processes of PROCESSES) {
      const isLast = count === ORGANIZATIONS.at(-1) && processes === PROCESSES.at(-1);
      const given = isLast ? most : gifts;
      const at = new Date(Date.now() - 2 * HOUR_MS);
      const payloads = await payGifts(db, provider.store, { count: given, at, orgs: orgsOf(count) });
      const bare = await bareInserts(url, payloads);
      events += given * EVENTS_PER_GIFT;
      const speed = await withProducts(processes, { databaseUrl: url, settings: provider.settings }, async (urls) => ({
        gifts: given / (await applied(bench, urls, payloads, events)),
        pages: await pagesPerSecond(urls, orgsOf(count)),
      }));
      one ??= speed;
      const ratios = [speed.gifts / one.gifts, speed.gifts / bare, speed.pages / one.pages].map((x) => x.toFixed(2));
      const [timesOne = '', ofInserts = '', pagesTimesOne = ''] = ratios;
      const figures = [
        String(given),
        speed.gifts.toFixed(0),
        timesOne,
        ofInserts,
        speed.pages.toFixed(0),
        pagesTimesOne,
      ];
      console.log(row([`${count} × ${processes}`, ...figures]));
    }
  }
  return exact(bench, events);
}

type Product = Parameters<typeof withScratchProduct>[0];

/** Several processes of the program on one database. */
function withProducts<Result>(
  count: number,
  product: Product,
  work: (urls: readonly string[]) => Promise<Result>,
  urls: readonly string[] = [],
): Promise<Result> {
  if (urls.length === count) return work(urls);
  return withScratchProduct(product, ({ url }) => withProducts(count, product, work, [...urls, url]));
}

/** Each process hears of as many. @returns seconds until the last gift is in the books */
async function applied(bench: Bench, urls: readonly string[], payloads: readonly string[], events: number) {
  await sql`vacuum analyze`.execute(bench.db.kysely);
  const senders = urls.map((url) => webhookSender(new URL(url + WEBHOOK_PATH)));
  let next = 0;
  const sent = await timeEach(payloads, async (payload) => {
    next += 1;
    await senders[next % senders.length]?.send(payload);
  });
  for (const { close } of senders) close();
  return sent.seconds + (await until(bench.db, 'all gifts to be applied', (db) => haveApplied(db, events)));
}

async function pagesPerSecond(urls: readonly string[], orgs: readonly string[]): Promise<number> {
  const ask = async (url: string, number: number) => {
    const page = new URL(pagePath('home-page', { orgid: orgs[number % orgs.length] ?? '' }), url);
    await answersPerSecond(page, 'accept-encoding: br\r\n', PAGES / 10);
    return answersPerSecond(page, 'accept-encoding: br\r\n', PAGES);
  };
  const speeds = await Promise.all(urls.map(ask));
  return speeds.reduce((sum, speed) => sum + speed, 0);
}
