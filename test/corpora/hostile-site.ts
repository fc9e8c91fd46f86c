import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { REQUESTED_WITH_HEADER } from '#contract/calls.ts';
import { type OwnServer, startServer } from '#test/support/own-server.ts';
import { plain } from '#test/support/photos.ts';
import { browserToDrive } from '../../scripts/test/browser.ts';

const EMAIL = 'everything@example.org';
const HEADERS = { [REQUESTED_WITH_HEADER]: 'corpora' };
/** A token is good for an hour; a trial may take longer. */
const TOKEN_MS = 20 * 60_000;

/** The whole program in a process of its own, somebody who may do everything there, and a real browser that looks on. */
export type HostileSite = {
  /** Installers that are shown, to be written over. */
  readonly installers: readonly string[];
  send(method: string, path: string, data: object): Promise<number>;
  sendForm(method: string, path: string, fields: Readonly<Record<string, string>>): Promise<number>;
  read<Content>(path: string): Promise<Content>;
  /** Opens a page, and waits until its program is there. @returns what ran or could run in it that is not ours */
  lookAt(path: string): Promise<string[]>;
  /** Has the browser read a page without opening it. @returns the same, as far as it can be seen so */
  readOver(path: string): Promise<string[]>;
  close(): Promise<void>;
};

export async function openHostileSite(): Promise<HostileSite> {
  const server = await startServer({ env: { ADMIN_EMAILS: EMAIL } });
  const browser = await chromium.launch({ ...browserToDrive(), args: ['--no-sandbox', '--disable-gpu'] });
  try {
    return await prepared(server, browser);
  } catch (error) {
    await browser.close();
    await server.stop();
    await server.clean();
    throw error;
  }
}

async function prepared(server: OwnServer, browser: Browser): Promise<HostileSite> {
  const writer = await browser.newContext({ baseURL: server.url, serviceWorkers: 'block' });
  await signIn(writer);
  const authorization = bearerOf(writer);
  const calls = {
    send: async (method: string, path: string, data: object) => {
      const headers = { ...HEADERS, ...(await authorization()) };
      return (await writer.request.fetch(`/api${path}`, { method, headers, data })).status();
    },
    sendForm: async (method: string, path: string, fields: Readonly<Record<string, string>>) => {
      const headers = { ...HEADERS, ...(await authorization()) };
      return (await writer.request.fetch(`/api${path}`, { method, headers, multipart: { ...fields } })).status();
    },
    read: async <Content>(path: string): Promise<Content> => (await writer.request.get(`/api${path}`)).json(),
  };
  const added = await calls.send('PUT', '/orgs/sample/editors', { email: EMAIL });
  if (added !== 200) throw new Error(`Nobody may edit the site: ${added}`);
  const installers = await addInstallers(writer, { ...HEADERS, ...(await authorization()) });
  const reader = await browser.newContext({ baseURL: server.url, serviceWorkers: 'block' });
  const watched = await watchedPage(reader, server.url);
  return {
    ...calls,
    installers,
    ...watched,
    close: async () => {
      await browser.close();
      await server.stop();
      await server.clean();
      if (server.errors.length > 0) throw new Error(`The program logged errors:\n${server.errors.join('\n')}`);
    },
  };
}

async function signIn({ request }: BrowserContext): Promise<void> {
  await request.post('/api/session/link-requests', { headers: HEADERS, data: { email: EMAIL } });
  for (let tries = 0; tries < 100; tries += 1) {
    const mails: { to: string; text: string }[] = await (await request.get('/dev/mailbox.json')).json();
    const code = mails.map(({ text }) => /email-signin\?code=([\w-]+)/.exec(text)?.[1]).find(Boolean);
    if (code) {
      const answer = await request.post('/api/session/link', { headers: HEADERS, data: { email: EMAIL, code } });
      if (answer.ok()) return;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('No link to sign in with was mailed.');
}

/** The header with a token, which is renewed while it is still good. */
function bearerOf({ request }: BrowserContext): () => Promise<{ authorization: string }> {
  let token = '';
  let issued = 0;
  return async () => {
    if (Date.now() - issued > TOKEN_MS) {
      const answer = await request.post('/api/session/token', { headers: HEADERS });
      ({ token } = await answer.json());
      issued = Date.now();
    }
    return { authorization: `Bearer ${token}` };
  };
}

/** Ten installers with a photo, newer than those of the sample: they are the list's first page. */
async function addInstallers({ request }: BrowserContext, headers: Record<string, string>): Promise<string[]> {
  const buffer = await plain(64, 64).png().toBuffer();
  const ids: string[] = [];
  for (let count = 0; count < 10; count += 1) {
    const file = { name: 'a.png', mimeType: 'image/png', buffer };
    const multipart = {
      name: 'Installer',
      story: 'A story of more than twenty-six characters.',
      status: 'published',
      file,
    };
    const answer = await request.post('/api/orgs/sample/installers', { headers, multipart });
    ids.push((await answer.json()).id);
  }
  return ids;
}

/** Opens pages one after another, and tells what ran there, or would run at a press, that is not the program's own. */
async function watchedPage(context: BrowserContext, origin: string): Promise<Pick<HostileSite, 'lookAt' | 'readOver'>> {
  const page = await context.newPage();
  let seen: string[] = [];
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
  await page.goto(`${origin}/orgs/sample`);
  // The program's own, as they are before anybody has written anything.
  const known = await page.evaluate(() =>
    [...document.querySelectorAll('script')].map(({ textContent }) => textContent),
  );
  const lookAt = async (path: string) => {
    seen = [];
    await page.goto(path, { waitUntil: 'load' });
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForFunction(() => document.readyState === 'complete');
    const found = await findAlien(page, known);
    if (!page.url().startsWith(origin + path)) seen.push(`it led to ${page.url()}`);
    return [...seen, ...found].map((words) => `${path}: ${words}`);
  };
  const readOver = async (path: string) => {
    const document = await (await context.request.get(path)).text();
    return (await findAlien(page, known, document)).map((words) => `${path}: ${words}`);
  };
  return { lookAt, readOver };
}

/** A script that the browser refused to run came through all the same. */
function watchViolations(): void {
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, sample }) => {
    const note: unknown = Reflect.get(window, 'noteViolation');
    if (!/script|frame|object|base|form/.test(effectiveDirective) || typeof note !== 'function') return;
    note(`a violation of ${effectiveDirective} ${sample}`);
  });
}

/** What in the page would run at a press or a move of the pointer, or was never meant to be there. */
function findAlien(page: Page, known: readonly string[], html?: string): Promise<string[]> {
  return page.evaluate(
    ([source, ours]) => {
      const shown = source === undefined ? document : new DOMParser().parseFromString(source, 'text/html');
      const all = [...shown.querySelectorAll('*')];
      const attributes = all.flatMap(({ attributes: own }) => [...own]);
      const leadsAstray = (value: string) => {
        const protocol = URL.parse(value, document.baseURI)?.protocol ?? '';
        return !['', 'http:', 'https:', 'mailto:', 'blob:', 'data:'].includes(protocol);
      };
      const active = attributes.filter(
        ({ name, value }) =>
          /^on/i.test(name) || (/^(?:.*:)?(?:href|src|action|formaction)$/i.test(name) && leadsAstray(value)),
      );
      const elements = shown.querySelectorAll(
        'main :is(script, iframe, object, embed, base, meta, style, form[action])',
      );
      const scripts = [...shown.querySelectorAll('script:not([src], [type$="json"])')];
      return [
        ...active.map(({ name, value }) => `the attribute ${name}="${value}"`),
        ...[...elements, ...scripts.filter(({ textContent }) => !ours.includes(textContent))].map(
          ({ outerHTML }) => `the element ${outerHTML.slice(0, 120)}`,
        ),
      ];
    },
    [html, known] as const,
  );
}
