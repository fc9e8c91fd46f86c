import { createHash } from 'node:crypto';
import { test as base, type ConsoleMessage, expect, type Page } from '@playwright/test';
import { createFund, runAsAdmin } from './new-fund.ts';
import { getSharedSite, type Site, setSite } from './sample-site.ts';

type Journey = {
  readonly site: Site;
  /** Path of a fund that only this journey changes. Its editor never logs in. */
  readonly fund: string;
  /** Substrings of console errors that the journey is expected to cause. */
  readonly expectedErrors: string[];
};

export const test = base.extend<Journey & { failOnConsoleErrors: undefined }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern
  site: async ({}, provide) => provide(getSharedSite()),
  baseURL: async ({ site }, provide) => {
    setSite(site);
    await provide(site.url);
  },
  fund: async ({ baseURL: _site }, provide) => provide(`/orgs/${await runAsAdmin(createFund)}`),
  page: async ({ page }, provide) => {
    const goto = page.goto.bind(page);
    // Journeys start once the page is hydrated; early-changes.full.e2e.ts shows what works before that.
    page.goto = async (url, options) => {
      const response = await goto(url, options);
      if (!options?.waitUntil) await waitUntilInteractive(page);
      return response;
    };
    await provide(page);
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above
  extraHTTPHeaders: async ({}, provide, { testId, retry, repeatEachIndex }) =>
    provide({ 'x-forwarded-for': createClientAddress(`${testId} ${retry} ${repeatEachIndex}`) }),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  expectedErrors: async ({}, provide) => provide([]),
  failOnConsoleErrors: [
    async ({ context, expectedErrors }, provide) => {
      const consoleProblems: string[] = [];
      const recordProblems = (page: Page) => {
        page.on('pageerror', (error) => consoleProblems.push(`${page.url()}: ${error.stack ?? error.message}`));
        page.on('console', (message) => {
          if (isUnexpectedMessage(message)) consoleProblems.push(`${page.url()}: ${message.text()}`);
        });
      };
      for (const page of context.pages()) recordProblems(page);
      context.on('page', recordProblems);
      await provide(undefined);
      expect(consoleProblems.filter((line) => !expectedErrors.some((part) => line.includes(part)))).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/**
 * Opens the mailbox, which rejects visitors behind a proxy. Journeys appear to be behind one, so the proxy header is
 * removed. Only this page intercepts requests, because a browser with interception caches nothing and loads every page
 * in full.
 */
export async function openMailbox(page: Page): Promise<void> {
  await page.route('**/dev/mailbox**', (route) => route.continue({ headers: withoutProxy(route.request().headers()) }));
  await page.goto('/dev/mailbox');
}

function withoutProxy({ 'x-forwarded-for': _client, ...headers }: Record<string, string>): Record<string, string> {
  return headers;
}

/** Waits until the page is hydrated. Pages without the web client are always ready. */
export async function waitUntilInteractive(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.getElementById('root') === null || performance.getEntriesByName('interactive').length > 0,
  );
}

/** Milliseconds for a journey over many pages. */
export const LONG_TIMEOUT = 120_000;

/** Path of the sample organization. Journeys may only read it because they run in parallel. */
export const ORG = '/orgs/sample';

/** Each journey comes from its own address, as if through a proxy, so journeys don't share rate limits. */
function createClientAddress(journey: string): string {
  const [a = 0, b = 0, c = 0] = createHash('sha256').update(journey).digest();
  return `10.${a}.${b}.${c}`;
}

function isUnexpectedMessage(message: ConsoleMessage): boolean {
  // The browser logs this in journeys without a worker (playwright.config.ts).
  if (message.text() === 'Service Worker registration blocked by Playwright') return false;
  // A busy machine may use a preloaded file late. all-pages.e2e.ts checks preloading.
  if (message.text().includes('was preloaded using link preload but not used within a few seconds')) return false;
  return message.type() === 'error' || message.type() === 'warning';
}
