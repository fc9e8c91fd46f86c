// @spec 1.site 2.root 2.login 2.forgot-password 2.signup 2.sent-link 2.email-signin 2.org 2.offsetters 2.offsetter
// @spec 2.awardees 2.future-awardees 2.static-pages 2.installers 2.checkout 2.checkout-complete 2.slug decisions.4
// @spec decisions.7
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { findPage, PAGES, type PageName } from '#contract/pages.ts';
import { ApiProblem, OfflineError } from '#web/api/api-error.ts';
import { createApiClient } from '#web/api/client.ts';
import { ROUTES } from '#web/app/routes.ts';
import { createScreenLoader, type EmbeddedScreen, type Screen } from '#web/app/screens.ts';
import { Redirect } from '#web/navigation/navigator.ts';
import { createSessionStore } from '#web/session/session-store.ts';
import { type LoadInput, orgPage } from '#web/site/page.ts';

// A page that is replaced by a redirect or an error may still be loading when the tests end.
afterAll(() => vi.dynamicImportSettled());

const names = Object.keys(PAGES).filter((name): name is PageName => name in PAGES);
const samplePath = (name: PageName) => PAGES[name].replaceAll(/:\w+/g, 'x1');
const signedInPages = await ROUTES.loadSignedInPages();
const routedNames = [...[...ROUTES.pages, ...signedInPages].map(({ name }) => name), ...Object.keys(ROUTES.redirects)];

/** Creates a site that serves a table of responses; everything else is not found. */
function createContext(responses: Record<string, unknown>) {
  const requests: string[] = [];
  const fetch = async (input: string | URL | Request) => {
    const path = (input instanceof Request ? input.url : input.toString()).replace('/api', '');
    requests.push(path);
    const response = responses[path];
    if (response instanceof Error) throw response;
    if (response === undefined) return createProblem(404, 'org-not-found');
    return response instanceof Response ? response : Response.json(response);
  };
  const context = { api: createApiClient({ fetch }), session: createSessionStore() };
  return { context, requests, loadScreen: createScreenLoader(ROUTES, context) };
}

const createProblem = (status: number, code: string) => Response.json({ status, code, detail: code }, { status });
const SITE = { defaultOrg: 'ours' };
const ORG = { id: 'ours', name: 'Ours' };

const describeResult = (result: Screen | Redirect) =>
  result instanceof Redirect ? `to ${result.to}` : result.content.kind;

test.each(names)('%s has its own page', (name) => {
  expect(routedNames).toContain(name);
  expect(findPage(samplePath(name))?.name).toBe(name);
});

test.each(names)('%s is the same with and without a trailing slash', (name) => {
  const pathWithoutSlash = samplePath(name).replace(/\/$/, '');
  expect(findPage(`${pathWithoutSlash}/`)).toEqual(findPage(pathWithoutSlash || '/'));
});

test('the root and a short name redirect to the organization’s home', async () => {
  const { loadScreen } = createContext({
    '/site': SITE,
    '/orgs?slug=ithaca&max=1': [ORG],
    '/orgs?slug=nobody&max=1': [],
  });
  expect(describeResult(await loadScreen('/'))).toBe('to /orgs/ours');
  expect(describeResult(await loadScreen('/ithaca'))).toBe('to /orgs/ours');
  expect(describeResult(await loadScreen('/nobody'))).toBe('missing');
  expect(describeResult(await loadScreen('/media'))).toBe('missing');
});

test('a page gets its organization, its data, and its address', async () => {
  const { loadScreen } = createContext({ '/site': SITE, '/orgs/ours': ORG });
  const screen = await loadScreen('/orgs/ours/future-awardees');
  expect(screen).toMatchObject({
    name: 'future-awardees-page',
    org: ORG,
    site: SITE,
    content: { kind: 'page', data: {} },
  });
});

test('missing data shows a not-found page, and a failure shows an error with a retry', async () => {
  const { loadScreen } = createContext({
    '/site': SITE,
    '/orgs/ours': ORG,
    '/orgs/broken': createProblem(500, 'server-error'),
  });
  expect(describeResult(await loadScreen('/orgs/nobody/future-awardees'))).toBe('missing');
  expect(describeResult(await loadScreen('/orgs/ours/nothing/at/all'))).toBe('missing');
  const failedScreen = await loadScreen('/orgs/broken/future-awardees');
  expect(describeResult(failedScreen)).toBe('error');
  expect(
    failedScreen instanceof Redirect || failedScreen.content.kind !== 'error' ? null : failedScreen.content.error,
  ).toBeInstanceOf(ApiProblem);
});

test('an organization’s not-found page keeps the organization’s layout, even when no route matches', async () => {
  const { loadScreen } = createContext({ '/site': SITE, '/orgs/ours': ORG });
  for (const path of ['/orgs/ours/offsetters/gone/', '/orgs/ours/nothing/at/all', '/orgs/ours/editor/nothing']) {
    expect(await loadScreen(path), path).toMatchObject({ org: ORG, content: { kind: 'missing' } });
  }
  expect(await loadScreen('/nothing/at/all')).toMatchObject({ org: undefined, site: SITE });
});

test('data embedded by the server isn’t requested again', async () => {
  const { loadScreen, requests } = createContext({});
  const sentScreen = { name: 'future-awardees-page', org: ORG, site: SITE, data: {} } as unknown as EmbeddedScreen;
  const screen = await loadScreen('/orgs/ours/future-awardees', sentScreen);
  expect([describeResult(screen), requests]).toEqual(['page', []]);
  const missing = await loadScreen('/orgs/ours/offsetters/gone/', { ...sentScreen, data: undefined });
  expect([describeResult(missing), requests]).toEqual(['missing', []]);
});

test('the site embedded in the document isn’t requested again by the next page', async () => {
  const { loadScreen, requests } = createContext({ '/orgs/ours': ORG });
  const document = { name: 'future-awardees-page', org: ORG, site: SITE, data: {} } as unknown as EmbeddedScreen;
  await loadScreen('/orgs/ours/future-awardees', document);
  expect(await loadScreen('/orgs/ours/future-awardees')).toMatchObject({ site: SITE, content: { kind: 'page' } });
  expect(requests).toEqual(['/orgs/ours']);
});

test('the site is requested again after a failure, but not once it’s loaded', async () => {
  const responses: Record<string, unknown> = { '/site': new TypeError('offline'), '/orgs/ours': ORG };
  const { loadScreen, requests } = createContext(responses);
  expect(await loadScreen('/orgs/ours/future-awardees')).toMatchObject({
    org: undefined,
    site: undefined,
    content: { kind: 'error' },
  });
  responses['/site'] = SITE;
  expect(describeResult(await loadScreen('/orgs/ours/future-awardees'))).toBe('page');
  expect(describeResult(await loadScreen('/orgs/ours/future-awardees'))).toBe('page');
  expect(requests).toEqual(['/site', '/site', '/orgs/ours', '/orgs/ours']);
});

test('a page that fails to load keeps the last frame, unless it belongs to another organization', async () => {
  const responses: Record<string, unknown> = { '/site': SITE, '/orgs/ours': ORG };
  const { loadScreen } = createContext(responses);
  await loadScreen('/orgs/ours/future-awardees');
  for (const path of ['/orgs/ours', '/orgs/theirs', '/orgs?slug=ithaca&max=1']) {
    responses[path] = new TypeError('offline');
  }
  const content = { kind: 'error' };
  expect(await loadScreen('/orgs/ours/future-awardees')).toMatchObject({ org: ORG, site: SITE, content });
  expect(await loadScreen('/ithaca')).toMatchObject({ org: ORG, site: SITE, content });
  expect(await loadScreen('/orgs/theirs/future-awardees')).toMatchObject({ org: undefined, site: SITE, content });
});

test('a page that fails to load keeps the frame of the document', async () => {
  const { loadScreen } = createContext({ '/orgs/ours': new TypeError('offline') });
  const document = { name: 'home-page', org: ORG, site: SITE, data: undefined, isWaiting: true };
  await loadScreen('/orgs/ours', document as unknown as EmbeddedScreen);
  expect(await loadScreen('/orgs/ours')).toMatchObject({ org: ORG, site: SITE, content: { kind: 'error' } });
});

test('every public page has a module the server can load', async () => {
  const files = (await readdir('src/web/routes', { recursive: true })).map((file) => path.basename(file));
  expect(ROUTES.pages.filter(({ name, module = name }) => !files.includes(`${module}.tsx`))).toEqual([]);
});

test('a page’s code and data load in parallel, and a code failure doesn’t reject the load', async () => {
  const requests: string[] = [];
  const loadCode = async () => {
    requests.push('code');
    throw new TypeError('offline');
  };
  const load = async () => {
    requests.push('data');
    return {};
  };
  const { context } = createContext({});
  const page = orgPage('about-page', loadCode, load);
  await page.load({ context, site: SITE, params: { orgid: 'ours' }, search: {}, address: '' } as unknown as LoadInput);
  expect(requests).toEqual(['code', 'data']);
});

test('page code that can’t be loaded shows the offline error', async () => {
  const { context } = createContext({ '/site': SITE, '/orgs/ours': ORG });
  const failImport = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
  const page = orgPage('about-page', failImport, () => ({}));
  const routes = { pages: [page], loadSignedInPages: failImport, redirects: {} };
  const loadScreen = createScreenLoader(routes, context);
  for (const path of [samplePath('about-page'), samplePath('account-page')]) {
    const screen = await loadScreen(path.replace('x1', 'ours'));
    expect(screen, path).toMatchObject({ content: { kind: 'error', error: expect.any(OfflineError) } });
  }
});
