import { sql } from 'kysely';
import { WEBHOOK_PATH } from '#contract/calls.ts';
import { pagePath } from '#contract/pages.ts';
import { areEventsApplied, type Bench, measureBareInserts, verifyExactlyOnce, waitUntil } from './applied-events.ts';
import { measureResponsesPerSecond } from './fifty-connections.ts';
import { EVENTS_PER_GIFT, payGifts } from './paid-gifts.ts';
import { createWebhookSender, timeEach } from './shuffled-deliveries.ts';
import { formatTableRow } from './table-row.ts';
import { withTestServer } from './test-server.ts';

const PROCESS_COUNTS = [1, 2, 4] as const;
const ORG_COUNTS = [1, 100] as const;
const PAGE_REQUESTS = 4000;
const HOUR_MS = 60 * 60_000;

type Counts = {
  /** Gifts in each measurement except the last. */
  readonly gifts: number;
  /** Gifts in the last measurement, which takes longer. */
  readonly finalGifts: number;
  readonly eventsBefore: number;
};

const listBenchOrgIds = (count: number) => Array.from({ length: count }, (_, index) => `bench-${index + 1}`);

/**
 * Measures gifts applied and pages served per second by 1, 2, and 4 processes on one machine, for 1 and 100
 * organizations. Prints speeds relative to one process, and gifts relative to single inserts. More processes than CPU
 * cores don't increase the speed.
 *
 * @returns whether the books are exact
 */
export async function compareProcesses(bench: Bench, { gifts, finalGifts, eventsBefore }: Counts): Promise<boolean> {
  const { db, provider, url } = bench;
  const orgs = listBenchOrgIds(Math.max(...ORG_COUNTS)).map((id) => ({
    id,
    slug: id,
    name: 'Bench',
    tag: 'Warm homes',
  }));
  await db.kysely.insertInto('orgs').values(orgs).execute();
  const formatRow = (cells: readonly string[]) => formatTableRow(cells, [26, 12]);
  console.log(
    formatRow(['organizations × processes', 'gifts', 'gifts/s', 'vs. one', 'vs. inserts', 'pages/s', 'vs. one']),
  );
  let events = eventsBefore;
  for (const count of ORG_COUNTS) {
    let baseline: { gifts: number; pages: number } | undefined;
    for (const processes of PROCESS_COUNTS) {
      const isLast = count === ORG_COUNTS.at(-1) && processes === PROCESS_COUNTS.at(-1);
      const giftCount = isLast ? finalGifts : gifts;
      const paidAt = new Date(Date.now() - 2 * HOUR_MS);
      const payloads = await payGifts(db, provider.store, {
        count: giftCount,
        paidAt,
        orgIds: listBenchOrgIds(count),
      });
      const insertsPerSecond = await measureBareInserts(url, payloads);
      events += giftCount * EVENTS_PER_GIFT;
      const speed = await withTestServers(
        processes,
        { databaseUrl: url, settings: provider.settings },
        async (urls) => ({
          gifts: giftCount / (await measureSecondsUntilApplied(bench, urls, payloads, events)),
          pages: await measurePagesPerSecond(urls, listBenchOrgIds(count)),
        }),
      );
      baseline ??= speed;
      const ratios = [speed.gifts / baseline.gifts, speed.gifts / insertsPerSecond, speed.pages / baseline.pages].map(
        (x) => x.toFixed(2),
      );
      const [giftRatio = '', insertRatio = '', pageRatio = ''] = ratios;
      const figures = [
        String(giftCount),
        speed.gifts.toFixed(0),
        giftRatio,
        insertRatio,
        speed.pages.toFixed(0),
        pageRatio,
      ];
      console.log(formatRow([`${count} × ${processes}`, ...figures]));
    }
  }
  return verifyExactlyOnce(bench, events);
}

type TestServerOptions = Parameters<typeof withTestServer>[0];

/** Runs several server processes on one database. */
function withTestServers<Result>(
  count: number,
  options: TestServerOptions,
  work: (urls: readonly string[]) => Promise<Result>,
  urls: readonly string[] = [],
): Promise<Result> {
  if (urls.length === count) return work(urls);
  return withTestServer(options, ({ url }) => withTestServers(count, options, work, [...urls, url]));
}

/** Sends each process the same number of events. @returns seconds until the last gift is in the books */
async function measureSecondsUntilApplied(
  bench: Bench,
  urls: readonly string[],
  payloads: readonly string[],
  events: number,
) {
  await sql`vacuum analyze`.execute(bench.db.kysely);
  const senders = urls.map((url) => createWebhookSender(new URL(url + WEBHOOK_PATH)));
  let sentCount = 0;
  const timings = await timeEach(payloads, async (payload) => {
    sentCount += 1;
    await senders[sentCount % senders.length]?.send(payload);
  });
  for (const { close } of senders) close();
  return timings.seconds + (await waitUntil(bench.db, 'all gifts to be applied', (db) => areEventsApplied(db, events)));
}

async function measurePagesPerSecond(urls: readonly string[], orgs: readonly string[]): Promise<number> {
  const measure = async (url: string, number: number) => {
    const page = new URL(pagePath('home-page', { orgid: orgs[number % orgs.length] ?? '' }), url);
    await measureResponsesPerSecond(page, 'accept-encoding: br\r\n', PAGE_REQUESTS / 10);
    return measureResponsesPerSecond(page, 'accept-encoding: br\r\n', PAGE_REQUESTS);
  };
  const speeds = await Promise.all(urls.map(measure));
  return speeds.reduce((sum, speed) => sum + speed, 0);
}
