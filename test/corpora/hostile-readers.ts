import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { REQUESTED_WITH_HEADER } from '#contract/calls.ts';
import { browserToDrive } from '../../scripts/test/browser.ts';
import { findAlienWords, sightOf } from './alien.ts';

const HEADERS = { [REQUESTED_WITH_HEADER]: 'corpora' };
/** Pages for signed-in people; all other pages are read as a visitor. */
const OWN_PAGES = /^\/(?:orgs\/[^/]+\/(?:editor|\.edit)\b|admin|users|user-home|test)/;
/** Lists are requested at their maximum length, so that one page shows many texts. */
const LISTS = /\/api\/(?:orgs|users|orgs\/[^/]+\/(?:pledges|editor\/\w+))(?:\?|$)/;
const MOST_A_LIST = '50';

/** A page to read, and words that must appear on it, ignoring whitespace. */
export type Reading = { readonly path: string; readonly words?: readonly string[] };

/** Each method returns the scripts that ran or could run and aren't ours. */
type WatchedTab = {
  /** Opens a page and waits until its scripts are loaded. */
  lookAt(reading: Reading): Promise<string[]>;
  /** Navigates from the open page, like a link. The words show when the new page has arrived. */
  comeTo(reading: Required<Reading>): Promise<string[]>;
  /** Lets the browser parse pages without opening them. */
  readOver(readings: readonly Reading[]): Promise<string[]>;
  /** Lets the browser parse markup that a page would insert. */
  readMarkup(html: string): Promise<string[]>;
};

/** A real browser in which a visitor and an editor read pages. */
export type Readers = WatchedTab & { close(): Promise<void> };

/** @param email of the user, who signs in with an emailed link */
export async function openReaders(origin: string, email: string): Promise<Readers> {
  const browser = await chromium.launch({ ...browserToDrive(), args: ['--no-sandbox', '--disable-gpu'] });
  const openContext = () => browser.newContext({ baseURL: origin, serviceWorkers: 'block' });
  const [visitor, editor] = await Promise.all([openContext(), openContext()]);
  await signIn(editor, email);
  await editor.route(LISTS, (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set('max', MOST_A_LIST);
    return route.continue({ url: url.href });
  });
  const [visitorsTab, editorsTab] = [await watchedTab(visitor, origin), await watchedTab(editor, origin)];
  return {
    ...visitorsTab,
    lookAt: (reading) => (OWN_PAGES.test(reading.path) ? editorsTab : visitorsTab).lookAt(reading),
    comeTo: (reading) => editorsTab.comeTo(reading),
    close: () => browser.close(),
  };
}

async function signIn({ request }: BrowserContext, email: string): Promise<void> {
  await request.post('/api/session/link-requests', { headers: HEADERS, data: { email } });
  for (let tries = 0; tries < 100; tries += 1) {
    const mails: { to: string; text: string }[] = await (await request.get('/dev/mailbox.json')).json();
    const code = mails.map(({ text }) => /email-signin\?code=([\w-]+)/.exec(text)?.[1]).find(Boolean);
    if (code) {
      const answer = await request.post('/api/session/link', { headers: HEADERS, data: { email, code } });
      if (answer.ok()) return;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('No link to sign in with was mailed.');
}

/** Opens pages one at a time and reports every script that ran or could run on a click and isn't the program's own. */
async function watchedTab(context: BrowserContext, origin: string): Promise<WatchedTab> {
  const page = await context.newPage();
  const seen: string[] = [];
  await watch(page, origin, seen);
  await page.goto(`${origin}/orgs/sample`);
  // The program's own scripts, read before any hostile text is planted.
  const knownWords = await page.evaluate(() =>
    [...document.querySelectorAll('script')].map(({ textContent }) => textContent),
  );
  await page.goto('about:blank');
  const report = (path: string, found: readonly string[]) =>
    [...seen.splice(0), ...found].map((words) => `${path.slice(0, 200)}: ${words}`);
  const findAlien = async ({ path, words = [] }: Reading) => {
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    const alienWords = await findAlienWords(words, () => sightOf(page, knownWords));
    const { origin: site, pathname } = new URL(page.url());
    if (site + pathname !== origin + new URL(path, origin).pathname) seen.push(`it led to ${page.url()}`);
    return report(path, alienWords);
  };
  return {
    lookAt: async (reading) => {
      await page.goto(reading.path, { waitUntil: 'load' });
      const readingProblems = await findAlien(reading);
      // An open page updates with each planted text, which takes time and shows nothing that isn't checked anyway.
      await page.goto('about:blank');
      return readingProblems;
    },
    comeTo: async (reading) => {
      if (page.url().startsWith(origin)) await goAndReturn(page, reading.path);
      else await page.goto(reading.path, { waitUntil: 'load' });
      return findAlien(reading);
    },
    readOver: async (readings) => {
      const reports = readings.map(async ({ path, words = [] }) => {
        const read = async () => sightOf(page, knownWords, await (await fetch(origin + path)).text());
        return report(path, await findAlienWords(words, read));
      });
      return (await Promise.all(reports)).flat();
    },
    readMarkup: async (html) => report('markup', (await sightOf(page, knownWords, `<main>${html}</main>`)).alien),
  };
}

async function watch(page: Page, origin: string, seen: string[]): Promise<void> {
  page.on('dialog', (dialog) => {
    seen.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => seen.push(`an error: ${error.message}`));
  page.on('response', (response) => {
    if (!response.url().startsWith(origin)) seen.push(`an answer of ${response.url()}`);
  });
  await page.exposeFunction('noteViolation', (words: string) => seen.push(words));
  await page.addInitScript(watchViolations);
}

/** Goes through a page that loads quickly, because an open list wouldn't reload. */
async function goAndReturn(page: Page, path: string): Promise<void> {
  await page.evaluate(navigateTo, '/orgs/sample/about');
  await page.waitForFunction(() => document.title.startsWith('About'));
  await page.evaluate(navigateTo, path);
}

/** Leaves the page. */
function navigateTo(path: string): void {
  history.pushState({ key: crypto.randomUUID() }, '', path);
  dispatchEvent(new PopStateEvent('popstate'));
}

/** A script that the content security policy blocked still counts, since it got into the page. */
function watchViolations(): void {
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, sample }) => {
    const note: unknown = Reflect.get(window, 'noteViolation');
    if (!/script|frame|object|base|form/.test(effectiveDirective) || typeof note !== 'function') return;
    note(`a violation of ${effectiveDirective} ${sample}`);
  });
}
