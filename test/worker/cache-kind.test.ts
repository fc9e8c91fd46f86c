// @spec decisions.6
import { expect, test } from 'vitest';
import { CALLS, callPath, LIVE_PATH } from '#contract/calls.ts';
import { isRenderedPage, PAGES, type PageName } from '#contract/pages.ts';
import { getCacheKey, getCacheKind } from '#worker/cache-kind.ts';

const SITE = 'https://fund.example';
const readCacheKind = (path: string, overrides: Partial<Parameters<typeof getCacheKind>[0]> = {}) =>
  getCacheKind({ method: 'GET', url: SITE + path, mode: 'cors', isSignedIn: false, ...overrides }, SITE);

const names = Object.keys(PAGES).filter((name): name is PageName => name in PAGES);

test.each(names)('the document of %s is cached if it’s the same for everyone', (name) => {
  const path = PAGES[name].replaceAll(/:\w+/g, 'x1');
  expect(readCacheKind(path, { mode: 'navigate' })).toBe(isRenderedPage(name) ? 'page' : undefined);
});

test.each([
  ['/assets/index-a1.js', 'file'],
  ['/img/hero.svg', 'file'],
  ['/media/key/640.webp', 'picture'],
  ['/media/key/640.webp?pass=p', undefined],
  ['/api/site', 'read'],
  ['/api/orgs/ours', 'read'],
  ['/api/orgs/ours/offsetters?cursorRef=x', 'read'],
  [callPath('readCheckout', { orgid: 'ours', checkoutid: 'c1' }), undefined],
  [callPath('readMyOffsetter', { orgid: 'ours' }), undefined],
  [callPath('readEditors', { orgid: 'ours' }), undefined],
  [callPath('waitForChange', { orgid: 'ours' }), undefined],
  [callPath('authorize', {}), undefined],
  [`/api${LIVE_PATH.replace(':orgid', 'ours')}`, undefined],
  ['/dev/mailbox.json', undefined],
  ['/service-worker.js', undefined],
])('%s is cached as %s', (path, kind) => {
  expect(readCacheKind(path)).toBe(kind);
});

// @asvs 14.3.1
test('signed-in reads and changes are never cached', () => {
  expect(readCacheKind('/api/orgs/ours/offsetters/o1', { isSignedIn: true })).toBeUndefined();
  for (const { method, path } of Object.values(CALLS)) {
    if (method !== 'GET') expect(readCacheKind(`/api${path.replaceAll(/:\w+/g, 'x1')}`, { method })).toBeUndefined();
  }
});

test('requests to other sites bypass the cache', () => {
  const url = 'https://elsewhere.example/assets/index-a1.js';
  expect(getCacheKind({ method: 'GET', url, mode: 'cors', isSignedIn: false }, SITE)).toBeUndefined();
});

test('a page has one cache entry regardless of its query; a read’s entry includes its query', () => {
  expect(getCacheKey('page', `${SITE}/orgs/ours/?cancelled=c1#cart`)).toBe(`${SITE}/orgs/ours`);
  expect(getCacheKey('page', `${SITE}/`)).toBe(`${SITE}/`);
  expect(getCacheKey('read', `${SITE}/api/orgs/ours/awardees?max=2`)).toBe(`${SITE}/api/orgs/ours/awardees?max=2`);
});
