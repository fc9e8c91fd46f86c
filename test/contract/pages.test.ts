// @spec 2.route-names decisions.7
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { API_BASE } from '#contract/calls.ts';
import { findOrgId, findPage, isRenderedPage, PAGES, type PageName, pagePath } from '#contract/pages.ts';
import { fillPath } from '#contract/path-pattern.ts';
import { RESERVED_SLUGS } from '#contract/reserved-slugs.ts';
import { isSlug } from '#domain/org.ts';

/** "Route names used internally" of §2. */
const SPECIFIED_NAMES = [
  'home-page',
  'offsetters-page',
  'offsetter-page',
  'edit-offsetter-page',
  'awardees-page',
  'future-awardees-page',
  'installers-page',
  'installer-page',
  'faqs-page',
  'qrcode-page',
  'about-page',
  'donate-page',
  'login-page',
  'forgot-password-page',
  'org-page',
  'pages-editor-page',
  'checkouts-page',
  'editors-page',
  'admin-page',
];

/** The routes of §2 in its order, then the pages for people and editors added by the decisions. */
const SPECIFIED_ROUTES: readonly string[] = [
  '/',
  '/login',
  '/forgot-password',
  '/signup',
  '/sent-link',
  '/email-signin',
  '/second-step',
  '/login/confirmed',
  '/reset-password',
  '/verify-email',
  '/user-home',
  '/user-home/account',
  '/users',
  '/orgs/{orgid}',
  '/orgs/{orgid}/offsetters',
  '/orgs/{orgid}/offsetters/{offsetterid}/',
  '/orgs/{orgid}/.edit/offsetters/{offsetterid}/',
  '/orgs/{orgid}/awardees',
  '/orgs/{orgid}/awardees/{awardeeid}/',
  '/orgs/{orgid}/future-awardees',
  '/orgs/{orgid}/about',
  '/orgs/{orgid}/faqs',
  '/orgs/{orgid}/donate',
  '/orgs/{orgid}/qrcode',
  '/orgs/{orgid}/installers',
  '/orgs/{orgid}/installers/{installerid}/',
  '/orgs/{orgid}/checkouts/{checkoutid}',
  '/orgs/{orgid}/checkouts/{checkoutid}/complete',
  '/orgs/{orgid}/gifts/{giftkey}',
  '/orgs/{orgid}/gifts/{receiptkey}/homes',
  '/orgs/{orgid}/editor/',
  '/orgs/{orgid}/editor/org',
  '/orgs/{orgid}/editor/org/{section}',
  '/orgs/{orgid}/editor/pages',
  '/orgs/{orgid}/editor/share',
  '/orgs/{orgid}/editor/checkouts',
  '/orgs/{orgid}/editor/donors',
  '/orgs/{orgid}/editor/donors/{donorid}',
  '/orgs/{orgid}/editor/recurring-gifts',
  '/orgs/{orgid}/editor/payouts',
  '/orgs/{orgid}/editor/statement',
  '/orgs/{orgid}/editor/grants',
  '/orgs/{orgid}/editor/editors',
  '/orgs/{orgid}/editor/activity',
  '/orgs/{orgid}/editor/offsetters',
  '/orgs/{orgid}/editor/awardees',
  '/orgs/{orgid}/editor/awardees/{awardeeid}',
  '/orgs/{orgid}/editor/installers',
  '/orgs/{orgid}/editor/installers/{installerid}',
  '/admin',
  '/activity',
  '/test',
  '/{orgslug}',
];

const names = Object.keys(PAGES).filter((name): name is PageName => name in PAGES);
const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/);

function fillPathWith(name: PageName, value: string): string {
  const pattern: string = PAGES[name];
  const params = [...pattern.matchAll(/:(\w+)/g)].map(([, param]) => [param, value]);
  return fillPath<string>(pattern, Object.fromEntries(params));
}

const formatRoute = (name: PageName) => PAGES[name].replace(/:(\w+)/g, '{$1}');

test('every route in the specification is a page, in the same order', () => {
  expect(names.map(formatRoute).filter((route) => SPECIFIED_ROUTES.includes(route))).toEqual(SPECIFIED_ROUTES);
});

// test/server/pages/rendered-pages.test.ts lists the addresses of the public pages.
test('every page outside the specification is public', () => {
  expect(names.filter((name) => !SPECIFIED_ROUTES.includes(formatRoute(name)) && !isRenderedPage(name))).toEqual([]);
});

test('every route name in the specification is a page name', () => {
  expect(SPECIFIED_NAMES.filter((name) => !(name in PAGES))).toEqual([]);
});

test('every page address matches only its page, with and without a trailing slash', () => {
  fc.assert(
    fc.property(fc.constantFrom(...names), id, (name, value) => {
      fc.pre(name !== 'org-by-slug' || !RESERVED_SLUGS.includes(value));
      const path = fillPathWith(name, value);
      const alternatePath = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
      expect(findPage(path)?.name).toBe(name);
      if (name !== 'default-org') expect(findPage(alternatePath)).toEqual(findPage(path));
      expect(Object.values(findPage(path)?.params ?? {}).every((param) => param === value)).toBe(true);
    }),
  );
});

// @asvs 1.2.2
test('every part of a built address is encoded', () => {
  expect(pagePath('offsetter-page', { orgid: 'sample', offsetterid: 'a/b' })).toBe('/orgs/sample/offsetters/a%2Fb/');
  expect(pagePath('default-org', {})).toBe('/');
});

test.each([
  '/orgs/sample/unknown',
  '/orgs/sample/editor/unknown',
  '/a/b',
  '/orgs/%ff',
  '/%',
  '/orgs/sample/awardees/a/b',
])('%s matches no page', (path) => {
  expect(findPage(path)).toBeUndefined();
});

test('every path under an organization maps to it, even if no page exists', () => {
  for (const path of ['/orgs/o1', '/orgs/o1/', '/orgs/o1/about', '/orgs/o1/nothing/at/all', '/orgs/%6f1/donate']) {
    expect(findOrgId(path), path).toBe('o1');
  }
  for (const path of ['/', '/orgs', '/orgs/', '/orgs//about', '/login', '/o1', '/orgs/%ff/about']) {
    expect(findOrgId(path), path).toBeUndefined();
  }
});

/** First path segment of every other address the program serves. */
const OTHER_FIRST_SEGMENTS = [
  API_BASE.slice(1),
  'assets',
  'dev',
  'fonts',
  'healthz',
  'img',
  'media',
  'readyz',
  'sandbox',
  'sitemaps',
];

test('no organization slug can shadow a path the program uses', () => {
  const segments = SPECIFIED_ROUTES.map((path) => path.split('/')[1] ?? '').filter((word) => /^[a-z]/.test(word));
  expect(segments).toContain('forgot-password');
  for (const word of [...segments, ...OTHER_FIRST_SEGMENTS]) expect(RESERVED_SLUGS, word).toContain(word);
});

test.each(RESERVED_SLUGS)('%s is reserved but otherwise a valid slug', (word) => {
  expect(isSlug(word, RESERVED_SLUGS)).toBe(false);
  expect(isSlug(word, [])).toBe(true);
});
