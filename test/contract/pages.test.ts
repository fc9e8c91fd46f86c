import fc from 'fast-check';
import { expect, test } from 'vitest';
import { API_BASE } from '#contract/calls.ts';
import { orgIdAt, PAGES, type PageName, pageAt, pagePath, RESERVED_SLUGS } from '#contract/pages.ts';
import { fillPath } from '#contract/path-pattern.ts';
import { isSlug } from '#domain/org.ts';

/** The routes of §2, in its order and its words; the editor area's four are written out. */
const SPECIFIED = [
  '/',
  '/login',
  '/forgot-password',
  '/signup',
  '/sent-link',
  '/email-signin',
  // Where a mailed link leads to a new password, and to the proof of an address (decisions §4).
  '/reset-password',
  '/verify-email',
  '/user-home',
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
  // Who looks after a fund begins there.
  '/orgs/{orgid}/editor/',
  '/orgs/{orgid}/editor/org',
  '/orgs/{orgid}/editor/pages',
  '/orgs/{orgid}/editor/checkouts',
  '/orgs/{orgid}/editor/editors',
  // Stories are looked after by editors (decisions §5).
  '/orgs/{orgid}/editor/offsetters',
  '/orgs/{orgid}/editor/awardees',
  '/orgs/{orgid}/editor/awardees/{awardeeid}',
  '/orgs/{orgid}/editor/installers',
  '/orgs/{orgid}/editor/installers/{installerid}',
  '/admin',
  '/test',
  '/{orgslug}',
];

/** "Route names used internally" of §2. */
const NAMES = [
  ...['home-page', 'offsetters-page', 'offsetter-page', 'edit-offsetter-page', 'awardees-page'],
  ...['future-awardees-page', 'installers-page', 'installer-page', 'faqs-page', 'qrcode-page', 'about-page'],
  ...['donate-page', 'login-page', 'forgot-password-page', 'org-page', 'pages-editor-page', 'checkouts-page'],
  ...['editors-page', 'admin-page'],
];

const names = Object.keys(PAGES).filter((name): name is PageName => name in PAGES);
const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/);

function filled(name: PageName, value: string): string {
  const pattern: string = PAGES[name];
  const params = [...pattern.matchAll(/:(\w+)/g)].map(([, param]) => [param, value]);
  return fillPath<string>(pattern, Object.fromEntries(params));
}

test('every route of the specification is a page, with the very address it gives', () => {
  expect(Object.values(PAGES).map((pattern) => pattern.replace(/:(\w+)/g, '{$1}'))).toEqual(SPECIFIED);
});

test('every route name of the specification is the name of a page', () => {
  expect(NAMES.filter((name) => !(name in PAGES))).toEqual([]);
});

test('the address of every page leads to it, with and without a slash at the end, and to no other', () => {
  fc.assert(
    fc.property(fc.constantFrom(...names), id, (name, value) => {
      fc.pre(name !== 'org-by-slug' || !RESERVED_SLUGS.includes(value));
      const path = filled(name, value);
      const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
      expect(pageAt(path)?.name).toBe(name);
      if (name !== 'default-org') expect(pageAt(other)).toEqual(pageAt(path));
      expect(Object.values(pageAt(path)?.params ?? {}).every((param) => param === value)).toBe(true);
    }),
  );
});

test('an address is built with every part encoded', () => {
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
])('%s is the address of no page', (path) => {
  expect(pageAt(path)).toBeUndefined();
});

test('every address of an organization lies in its part of the site, whether there is such a page or not', () => {
  for (const path of ['/orgs/o1', '/orgs/o1/', '/orgs/o1/about', '/orgs/o1/nothing/at/all', '/orgs/%6f1/donate']) {
    expect(orgIdAt(path), path).toBe('o1');
  }
  for (const path of ['/', '/orgs', '/orgs/', '/orgs//about', '/login', '/o1', '/orgs/%ff/about']) {
    expect(orgIdAt(path), path).toBeUndefined();
  }
});

/** The first words of every other address that the program answers. */
const OTHER_FIRST_WORDS = [
  API_BASE.slice(1),
  'assets',
  'dev',
  'fonts',
  'healthz',
  'img',
  'media',
  'sandbox',
  'sitemaps',
];

test('no organization can take the first word of an address that the program uses', () => {
  const words = SPECIFIED.map((path) => path.split('/')[1] ?? '').filter((word) => /^[a-z]/.test(word));
  expect(words).toContain('forgot-password');
  for (const word of [...words, ...OTHER_FIRST_WORDS]) expect(RESERVED_SLUGS, word).toContain(word);
});

test.each(RESERVED_SLUGS)('%s is no slug, and would be one if it were not reserved', (word) => {
  expect(isSlug(word, RESERVED_SLUGS)).toBe(false);
  expect(isSlug(word, [])).toBe(true);
});
