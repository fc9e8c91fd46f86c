import { createHash } from 'node:crypto';
import { test as base, type ConsoleMessage, expect, type Page } from '@playwright/test';
import type { OwnServer } from '#test/support/own-server.ts';
import { inDatabase, startSampleSiteOnPostgres } from './sample-site.ts';

/** What every journey has: a running site with the sample organization, and a page whose silence is checked. */
type Journey = {
  /** Console errors that the journey provokes and expects, as parts of their text. */
  readonly expectedErrors: string[];
};
type Worker = { readonly site: OwnServer };

/** Addresses that the configuration makes admins of: many, as only so many mails go to one in a quarter of an hour. */
export const ADMINS: readonly string[] = Array.from({ length: 40 }, (_, index) => `admin-${index}@example.org`);

export const test = base.extend<Journey & { quiet: undefined }, Worker>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from this pattern
    async ({}, provide, { workerIndex }) => {
      const env = { TRUSTED_PROXIES: '127.0.0.1,::1', ADMIN_EMAILS: ADMINS.join() };
      const site = await startSampleSiteOnPostgres(databaseOf(workerIndex), env);
      await provide(site);
      await site.stop();
      await site.clean();
      expect(site.errors).toEqual([]);
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ site }, provide) => provide(site.url),
  page: async ({ page }, provide) => {
    const goto = page.goto.bind(page);
    // A page that arrived rendered can be used before its program is there, which early-input.e2e.ts
    // shows: a link then works as in any document. Journeys begin when the program has taken over.
    page.goto = async (url, options) => {
      const answer = await goto(url, options);
      if (!options?.waitUntil) await programIsThere(page);
      return answer;
    };
    await provide(page);
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above
  extraHTTPHeaders: async ({}, provide, { testId }) => provide({ 'x-forwarded-for': clientOf(testId) }),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  expectedErrors: async ({}, provide) => provide([]),
  quiet: [
    async ({ context, expectedErrors, baseURL }, provide) => {
      mailbox.url = new URL('/dev/mailbox.json', baseURL).href;
      const noise: string[] = [];
      const listen = (page: Page) => {
        page.on('pageerror', (error) => noise.push(`${page.url()}: ${error.stack ?? error.message}`));
        page.on('console', (message) => {
          if (isNoise(message)) noise.push(`${page.url()}: ${message.text()}`);
        });
      };
      for (const page of context.pages()) listen(page);
      context.on('page', listen);
      await provide(undefined);
      expect(noise.filter((line) => !expectedErrors.some((part) => line.includes(part)))).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Of the site of the journey that runs. */
export const mailbox = { url: '' };

/**
 * Shows the mailbox, which is closed to those who come through a proxy, as journeys seem to. Only here are requests
 * intercepted for it: a browser whose requests are intercepted keeps nothing, and fetches all of a page each time.
 */
export async function openMailbox(page: Page): Promise<void> {
  await page.route('**/dev/mailbox**', (route) => route.continue({ headers: withoutProxy(route.request().headers()) }));
  await page.goto('/dev/mailbox');
}

function withoutProxy({ 'x-forwarded-for': _client, ...headers }: Record<string, string>): Record<string, string> {
  return headers;
}

function databaseOf(workerIndex: number): string {
  return `worker_${workerIndex}`;
}

/** As if it were six minutes ago that somebody who is logged in proved who they are. */
export async function letProofsAge(): Promise<void> {
  const earlier = "update sessions set proven_at = proven_at - interval '6 minutes'";
  await inDatabase(databaseOf(base.info().workerIndex), earlier);
}

/** Waits until what is typed is heard at once. Before that it is remembered, and gone with a reload. */
export async function programIsThere(page: Page): Promise<void> {
  await page.waitForFunction(() => !('earlyInput' in window));
}

export const ORG = '/orgs/sample';

/** Each journey comes from a different address, as through a proxy, so that none runs into the limits of another. */
function clientOf(testId: string): string {
  const [a = 0, b = 0, c = 0] = createHash('sha256').update(testId).digest();
  return `10.${a}.${b}.${c}`;
}

function isNoise(message: ConsoleMessage): boolean {
  // The browser says it in journeys without a worker (playwright.config.ts).
  if (message.text() === 'Service Worker registration blocked by Playwright') return false;
  // Within a few seconds: on a busy machine it says nothing about the page. pictures.e2e.ts looks at what is preloaded.
  if (message.text().includes('was preloaded using link preload but not used within a few seconds')) return false;
  return message.type() === 'error' || message.type() === 'warning';
}
