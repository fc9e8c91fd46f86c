import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { REQUESTED_WITH_HEADER } from '#contract/calls.ts';
import { getPlaywrightBrowser } from '../../scripts/test/browser.ts';
import { findProblems, readContent } from './unsafe-elements.ts';

const HEADERS = { [REQUESTED_WITH_HEADER]: 'corpora' };
/** Pages for signed-in people; all other pages are read as a visitor. */
const SIGNED_IN_PAGES = /^\/(?:orgs\/[^/]+\/(?:editor|\.edit)\b|admin|users|user-home|test)/;
/** Lists are requested at their maximum length, so that one page shows many texts. */
const LIST_URLS = /\/api\/(?:orgs|users|orgs\/[^/]+\/editor\/\w+)(?:\?|$)/;
const MAX_LIST_SIZE = '50';

/** A page to read, and words that must appear on it, ignoring whitespace. */
export type PageVisit = { readonly path: string; readonly words?: readonly string[] };

/** Each method returns scripts that ran or could run and aren't the program's own. */
type WatchedTab = {
  /** Opens a page and waits until its scripts are loaded. */
  openPage(visit: PageVisit): Promise<string[]>;
  /** Navigates from the open page, as a link does. The new page has arrived once the words appear. */
  navigateTo(visit: Required<PageVisit>): Promise<string[]>;
  /** Lets the browser parse pages without opening them. */
  parsePages(visits: readonly PageVisit[]): Promise<string[]>;
  /** Lets the browser parse markup that a page would insert. */
  parseMarkup(html: string): Promise<string[]>;
};

/** A real browser in which a visitor and an editor read pages. */
export type PageReaders = WatchedTab & { close(): Promise<void> };

/** @param email address of the user, who signs in with an emailed link */
export async function openPageReaders(origin: string, email: string): Promise<PageReaders> {
  const browser = await chromium.launch({ ...getPlaywrightBrowser(), args: ['--no-sandbox', '--disable-gpu'] });
  const openContext = () => browser.newContext({ baseURL: origin, serviceWorkers: 'block' });
  const [visitor, editor] = await Promise.all([openContext(), openContext()]);
  await signIn(editor, email);
  await editor.route(LIST_URLS, (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set('max', MAX_LIST_SIZE);
    return route.continue({ url: url.href });
  });
  const [visitorTab, editorTab] = [await openWatchedTab(visitor, origin), await openWatchedTab(editor, origin)];
  return {
    ...visitorTab,
    openPage: (visit) => (SIGNED_IN_PAGES.test(visit.path) ? editorTab : visitorTab).openPage(visit),
    navigateTo: (visit) => editorTab.navigateTo(visit),
    close: () => browser.close(),
  };
}

async function signIn({ request }: BrowserContext, email: string): Promise<void> {
  await request.post('/api/session/link-requests', { headers: HEADERS, data: { email } });
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const emails: { to: string; text: string }[] = await (await request.get('/dev/mailbox.json')).json();
    const code = emails.map(({ text }) => /email-signin\?code=([\w-]+)/.exec(text)?.[1]).find(Boolean);
    if (code) {
      const response = await request.post('/api/session/link', { headers: HEADERS, data: { email, code } });
      if (response.ok()) return;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('No sign-in link was emailed.');
}

/** Opens pages one at a time and reports every script that ran or could run on a click and isn't the program's own. */
async function openWatchedTab(context: BrowserContext, origin: string): Promise<WatchedTab> {
  const page = await context.newPage();
  const problems: string[] = [];
  await watchPage(page, origin, problems);
  await page.goto(`${origin}/orgs/sample`);
  // The program's own scripts, read before any hostile text is planted.
  const ownScripts = await page.evaluate(() =>
    [...document.querySelectorAll('script')].map(({ textContent }) => textContent),
  );
  await page.goto('about:blank');
  const formatProblems = (path: string, pageProblems: readonly string[]) =>
    [...problems.splice(0), ...pageProblems].map((problem) => `${path.slice(0, 200)}: ${problem}`);
  const checkPage = async ({ path, words = [] }: PageVisit) => {
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    const pageProblems = await findProblems(words, () => readContent(page, ownScripts));
    const { origin: site, pathname } = new URL(page.url());
    if (site + pathname !== origin + new URL(path, origin).pathname)
      problems.push(`the page redirected to ${page.url()}`);
    return formatProblems(path, pageProblems);
  };
  return {
    openPage: async (visit) => {
      await page.goto(visit.path, { waitUntil: 'load' });
      const problemsOnPage = await checkPage(visit);
      // Leaves the page, because an open page would waste time re-rendering for every planted text. Other checks cover
      // those texts.
      await page.goto('about:blank');
      return problemsOnPage;
    },
    navigateTo: async (visit) => {
      if (page.url().startsWith(origin)) await navigateViaAboutPage(page, visit.path);
      else await page.goto(visit.path, { waitUntil: 'load' });
      return checkPage(visit);
    },
    parsePages: async (visits) => {
      const reports = visits.map(async ({ path, words = [] }) => {
        const read = async () => readContent(page, ownScripts, await (await fetch(origin + path)).text());
        return formatProblems(path, await findProblems(words, read));
      });
      return (await Promise.all(reports)).flat();
    },
    parseMarkup: async (html) =>
      formatProblems('markup', (await readContent(page, ownScripts, `<main>${html}</main>`)).unsafeElements),
  };
}

async function watchPage(page: Page, origin: string, problems: string[]): Promise<void> {
  page.on('dialog', (dialog) => {
    problems.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => problems.push(`an error: ${error.message}`));
  page.on('response', (response) => {
    if (!response.url().startsWith(origin)) problems.push(`a response from ${response.url()}`);
  });
  await page.exposeFunction('reportViolation', (violation: string) => problems.push(violation));
  await page.addInitScript(watchViolations);
}

/** Navigates through the About page, which loads quickly, because an open list wouldn't reload. */
async function navigateViaAboutPage(page: Page, path: string): Promise<void> {
  await page.evaluate(pushPath, '/orgs/sample/about');
  await page.waitForFunction(() => document.title.startsWith('About'));
  await page.evaluate(pushPath, path);
}

/** Navigates without loading a document, like the program's links. */
function pushPath(path: string): void {
  history.pushState({ key: crypto.randomUUID() }, '', path);
  dispatchEvent(new PopStateEvent('popstate'));
}

/** A script that the content security policy blocked still counts, since it got into the page. */
function watchViolations(): void {
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, sample }) => {
    const report: unknown = Reflect.get(window, 'reportViolation');
    if (!/script|frame|object|base|form/.test(effectiveDirective) || typeof report !== 'function') return;
    report(`a violation of ${effectiveDirective} ${sample}`);
  });
}
