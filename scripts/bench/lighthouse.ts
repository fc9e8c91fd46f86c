import { execFile } from 'node:child_process';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { type BrowserContext, chromium } from '@playwright/test';
import { type PageName, type PageParams, pagePath, RENDERED_PAGES } from '#contract/pages.ts';
import { freePort } from '../crash-test/free-port.ts';
import { payByCard } from '../crash-test/givers.ts';
import { browserToDrive } from '../test/browser.ts';
import { signInByMail } from './mailed-sign-in.ts';
import { median } from './median-difference.ts';
import { withScratchProduct } from './scratch-product.ts';
import { tableRow } from './table-row.ts';

// npm run bench -- lighthouse [--page home-page] [--runs 3]
//
// Lighthouse as on a middling telephone, on every page that is for search engines, and on the login, checkout, forbidden
// and not-found pages without what it says about search engines; the median of some runs. It ends with status 1 when a
// page is below what it should be. Lighthouse itself is fetched by npx: it depends on a tag that moves, which no lock
// file holds.

const LIGHTHOUSE = ['-y', '-p', 'node@24', '-p', 'lighthouse@13.5.0', 'lighthouse'];
const ORG = 'sample';

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
type Category = (typeof CATEGORIES)[number];
const LEAST: Readonly<Record<Category, number>> = {
  performance: 98,
  accessibility: 100,
  'best-practices': 100,
  seo: 100,
};
/** Milliseconds, milliseconds, and a share of the window. */
const MOST = {
  'largest-contentful-paint': 1500,
  'total-blocking-time': 50,
  'cumulative-layout-shift': 0.01,
} as const;
type Metric = keyof typeof MOST;
const METRICS = Object.keys(MOST) as Metric[];

type Asked = { readonly name: string; readonly path: string; readonly isIndexed: boolean };
type Measured = { readonly scores: Record<Category, number>; readonly metrics: Record<Metric, number> };

/** @returns whether every page is as it should be */
export async function run(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: { page: { type: 'string' }, runs: { type: 'string', default: '3' } },
  });
  return withScratchProduct({ withSample: true, host: 'localhost' }, async ({ url, folder }) => {
    const browser = await openBrowser(path.join(folder, 'browser'));
    try {
      const pages = (await askedPages(url)).filter(({ name }) => values.page === undefined || name === values.page);
      console.log(row(['', ...CATEGORIES, 'LCP ms', 'TBT ms', 'CLS']));
      let isFine = true;
      for (const page of pages) isFine = (await measured(browser, url, page, Number(values.runs))) && isFine;
      return isFine;
    } finally {
      await browser.context.close();
    }
  });
}

type Browser = { readonly context: BrowserContext; readonly port: number };

/** A browser that Lighthouse joins, and that can be signed in before it does. */
async function openBrowser(folder: string): Promise<Browser> {
  const port = await freePort();
  const context = await chromium.launchPersistentContext(folder, {
    ...browserToDrive(),
    args: ['--no-sandbox', `--remote-debugging-port=${port}`],
    viewport: null,
  });
  return { context, port };
}

const FORBIDDEN = 'forbidden';

async function askedPages(url: string): Promise<Asked[]> {
  const gift = await payByCard(url, ORG, 25);
  if (!gift) throw new Error('A gift was not paid.');
  const params = {
    orgid: ORG,
    offsetterid: await newest(url, 'offsetters'),
    awardeeid: await newest(url, 'awardees'),
    installerid: await newest(url, 'installers'),
    checkoutid: gift.checkoutid,
  };
  const at = <Name extends PageName>(name: Name) => pagePath<Name>(name, params as unknown as PageParams<Name>);
  const indexed = RENDERED_PAGES.map((name) => ({ name, path: at(name), isIndexed: true }));
  const others = (['login-page', 'checkout-page'] as const).map((name) => ({ name, path: at(name), isIndexed: false }));
  return [
    ...indexed,
    ...others,
    { name: 'not-found', path: `/orgs/${ORG}/nothing-here`, isIndexed: false },
    { name: FORBIDDEN, path: at('org-page'), isIndexed: false },
  ];
}

async function newest(url: string, list: 'offsetters' | 'awardees' | 'installers'): Promise<string> {
  const answer = await fetch(`${url}/api/orgs/${ORG}/${list}?max=1`);
  const [first] = (await answer.json()) as { id: string }[];
  if (!first) throw new Error(`The sample has no ${list}.`);
  return first.id;
}

async function measured({ context, port }: Browser, url: string, page: Asked, runs: number): Promise<boolean> {
  // Somebody who is signed in, and may not see what editors see.
  if (page.name === FORBIDDEN) await signInByMail(context, url, 'nobody@example.org');
  const results: Measured[] = [];
  for (let turn = 0; turn < runs; turn += 1) results.push(await lighthouse(port, url + page.path));
  const score = (category: Category) => median(results.map(({ scores }) => scores[category]));
  const metric = (name: Metric) => median(results.map(({ metrics }) => metrics[name]));
  const asked = CATEGORIES.filter((category) => page.isIndexed || category !== 'seo');
  const scores = CATEGORIES.map((category) => (asked.includes(category) ? String(score(category)) : '–'));
  const [largest, blocking, shift] = METRICS.map(metric);
  console.log(
    row([page.name, ...scores, largest?.toFixed(0) ?? '', blocking?.toFixed(0) ?? '', shift?.toFixed(3) ?? '']),
  );
  return (
    asked.every((category) => score(category) >= LEAST[category]) && METRICS.every((name) => metric(name) <= MOST[name])
  );
}

async function lighthouse(port: number, url: string): Promise<Measured> {
  const options = [
    `--only-categories=${CATEGORIES.join()}`,
    ...['--output=json', '--quiet', `--port=${port}`],
    // The not-found page is a page too.
    '--ignore-status-code',
  ];
  const report = await reported([...LIGHTHOUSE, url, ...options]);
  const scores = CATEGORIES.map((name) => [name, Math.round(report.categories[name].score * 100)]);
  const metrics = METRICS.map((name) => [name, report.audits[name].numericValue]);
  return { scores: Object.fromEntries(scores), metrics: Object.fromEntries(metrics) };
}

type Report = {
  readonly categories: Record<Category, { readonly score: number }>;
  readonly audits: Record<Metric, { readonly numericValue: number }>;
};

/** Lighthouse sometimes loses the beginning of what the browser recorded, and asks itself to be run again. */
async function reported(command: readonly string[], triesLeft = 3): Promise<Report> {
  try {
    const { stdout } = await promisify(execFile)('npx', command, { maxBuffer: 64 * 1024 * 1024 });
    return JSON.parse(stdout) as Report;
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    if (triesLeft > 1 && said.includes('Please run Lighthouse again')) return reported(command, triesLeft - 1);
    throw new Error(`Lighthouse did not run: ${said}`);
  }
}

const row = (cells: readonly string[]) => tableRow(cells, [22, 14]);
