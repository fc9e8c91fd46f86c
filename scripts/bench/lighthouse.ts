import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type BrowserContext, chromium } from '@playwright/test';
import { callPath } from '#contract/calls.ts';
import { localizeAddress } from '#contract/languages.ts';
import { type PageName, type PageParams, pagePath, RENDERED_PAGES } from '#contract/pages.ts';
import { LANGUAGES } from '#messages';
import { findFreePort } from '#server/db/free-port.ts';
import { payByCard } from '../crash-test/donors.ts';
import { getPlaywrightBrowser } from '../test/browser.ts';
import {
  auditPage,
  CATEGORIES,
  type Category,
  type LighthouseResult,
  METRICS,
  type Metric,
} from './lighthouse-report.ts';
import { getMedian } from './median.ts';
import { formatTableRow } from './table-row.ts';
import { withTestServer } from './test-server.ts';

// npm run bench -- lighthouse [--page home-page] [--language es] [--runs 3]
//
// Runs Lighthouse (mobile) on every indexed page in each language, and on the login, checkout, forbidden, and not-found pages
// without the SEO category; prints medians. Exits with 1 when a page misses a target. "(status)" marks a page that fails best
// practices only because the browser logs its 404.

const ORG_ID = 'sample';

const MIN_SCORES: Readonly<Record<Category, number>> = {
  performance: 98,
  accessibility: 100,
  'best-practices': 100,
  seo: 100,
};
/** Milliseconds, except for the layout shift. */
const MAX_METRICS = {
  'largest-contentful-paint': 1500,
  'total-blocking-time': 50,
  'cumulative-layout-shift': 0.01,
} as const satisfies Record<Metric, number>;

type MeasuredPage = {
  readonly name: string;
  readonly language: string;
  readonly path: string;
  readonly isIndexed: boolean;
};

/** @returns whether every page meets its targets */
export async function run(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: { page: { type: 'string' }, language: { type: 'string' }, runs: { type: 'string', default: '3' } },
  });
  return withTestServer({ withSample: true, host: 'localhost' }, async ({ url, folder }) => {
    const browser = await openBrowser(path.join(folder, 'browser'));
    try {
      const pages = (await listPagesToMeasure(url)).filter(
        ({ name, language }) => (values.page ?? name) === name && (values.language ?? language) === language,
      );
      console.log(formatRow(['', ...CATEGORIES, 'LCP ms', 'TBT ms', 'CLS']));
      let meetsTargets = true;
      for (const page of pages)
        meetsTargets = (await measurePage(browser, url, page, Number(values.runs))) && meetsTargets;
      return meetsTargets;
    } finally {
      await browser.context.close();
    }
  });
}

type Browser = { readonly context: BrowserContext; readonly port: number };

/** A browser that can be signed in before Lighthouse connects to it. */
async function openBrowser(folder: string): Promise<Browser> {
  const port = await findFreePort();
  const context = await chromium.launchPersistentContext(folder, {
    ...getPlaywrightBrowser(),
    args: ['--no-sandbox', `--remote-debugging-port=${port}`],
    viewport: null,
  });
  return { context, port };
}

const FORBIDDEN = 'forbidden';
const NOT_FOUND = 'not-found';

async function listPagesToMeasure(url: string): Promise<MeasuredPage[]> {
  const gift = await payByCard(url, ORG_ID, 25);
  if (!gift) throw new Error('A gift was not paid.');
  const pageParams = {
    orgid: ORG_ID,
    offsetterid: await findNewestId(url, 'offsetters'),
    awardeeid: await findNewestId(url, 'awardees'),
    installerid: await findNewestId(url, 'installers'),
    checkoutid: gift.checkoutId,
  };
  const buildPath = <Name extends PageName>(name: Name) =>
    pagePath<Name>(name, pageParams as unknown as PageParams<Name>);
  const indexedPages = RENDERED_PAGES.map((name) => ({ name, path: buildPath(name), isIndexed: true }));
  const unindexedPages = (['login-page', 'checkout-page'] as const).map((name) => ({
    name,
    path: buildPath(name),
    isIndexed: false,
  }));
  const pages = [
    ...indexedPages,
    ...unindexedPages,
    { name: NOT_FOUND, path: `/orgs/${ORG_ID}/nothing-here`, isIndexed: false },
    { name: FORBIDDEN, path: buildPath('org-page'), isIndexed: false },
  ];
  const localizedPages = LANGUAGES.flatMap((language) =>
    pages.map((page) => ({ ...page, language, path: localizeAddress(page.path, language) })),
  );
  // The forbidden pages are last, because they require a login and the others must be measured without one.
  return localizedPages.toSorted((a, b) => Number(a.name === FORBIDDEN) - Number(b.name === FORBIDDEN));
}

async function findNewestId(url: string, list: 'offsetters' | 'awardees' | 'installers'): Promise<string> {
  const response = await fetch(`${url}/api/orgs/${ORG_ID}/${list}?max=1`);
  const [newest] = (await response.json()) as { id: string }[];
  if (!newest) throw new Error(`The sample has no ${list}.`);
  return newest.id;
}

async function measurePage(
  { context, port }: Browser,
  url: string,
  page: MeasuredPage,
  runs: number,
): Promise<boolean> {
  // An emailed link works only once, so each run signs in a new visitor, who isn't an editor.
  if (page.name === FORBIDDEN) await signInWithEmail(context, url, `visitor-${page.language}@example.org`);
  const results: LighthouseResult[] = [];
  for (let count = 0; count < runs; count += 1) results.push(await auditPage(port, url + page.path));
  const medianScore = (category: Category) => getMedian(results.map(({ scores }) => scores[category]));
  const medianMetric = (name: Metric) => getMedian(results.map(({ metrics }) => metrics[name]));
  const categories = CATEGORIES.filter((category) => page.isIndexed || category !== 'seo');
  const isExcused = (category: Category) =>
    category === 'best-practices' &&
    page.name === NOT_FOUND &&
    results.every(({ hasOnlyStatusCodeFailure }) => hasOnlyStatusCodeFailure);
  const scores = CATEGORIES.map((category) =>
    categories.includes(category) ? `${medianScore(category)}${isExcused(category) ? ' (status)' : ''}` : '–',
  );
  const [largest, blocking, shift] = METRICS.map(medianMetric);
  console.log(
    formatRow([
      `${page.name} ${page.language}`,
      ...scores,
      largest?.toFixed(0) ?? '',
      blocking?.toFixed(0) ?? '',
      shift?.toFixed(3) ?? '',
    ]),
  );
  return (
    categories.every((category) => isExcused(category) || medianScore(category) >= MIN_SCORES[category]) &&
    METRICS.every((name) => medianMetric(name) <= MAX_METRICS[name])
  );
}

const formatRow = (cells: readonly string[]) => formatTableRow(cells, [24, 14]);

const EMAIL_TIMEOUT_MS = 30_000;

/** Signs a browser in with the link in the development mailbox, creating the account if necessary. */
async function signInWithEmail({ request }: BrowserContext, url: string, email: string): Promise<void> {
  const send = async (name: 'sendSignInLink' | 'signInWithLink', data: object) => {
    const headers = { 'x-requested-with': 'bench' };
    const response = await request.post(url + callPath(name, {}), { headers, data });
    if (!response.ok()) throw new Error(`${name} returned ${response.status()}`);
  };
  const findEmailedCode = async (): Promise<string | undefined> => {
    const response = await request.get(`${url}/dev/mailbox.json`);
    const emails = (await response.json()) as { readonly to: string; readonly text: string }[];
    const texts = emails.filter(({ to }) => to === email).map(({ text }) => text);
    return texts.map((text) => /email-signin\?code=([\w-]+)/.exec(text)?.[1]).find(Boolean);
  };
  await send('sendSignInLink', { email });
  const deadline = Date.now() + EMAIL_TIMEOUT_MS;
  let code = await findEmailedCode();
  while (code === undefined && Date.now() < deadline) {
    await pause(100);
    code = await findEmailedCode();
  }
  await send('signInWithLink', { email, code });
}
