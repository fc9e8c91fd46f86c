// @spec 2.route-names decisions.4
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { safeReturnTo } from '#domain/return-to.ts';
import { arbitraryText } from '#test/support/arbitrary-text.ts';
import { HOSTILE_RETURNS } from '#test/support/hostile-returns.ts';

const ORIGIN = 'https://fund.example';

test.each([
  '/',
  '/orgs/ithaca',
  '/orgs/ithaca/offsetters/abc_DEF-123/',
  '/orgs/ithaca/.edit/offsetters/abc/',
  '/orgs/ithaca/checkouts/abc?receipt=key',
  '/orgs/ithaca?cancelled=abc#cart',
  '/orgs/ithaca/faqs#what',
  '/user-home',
  '/admin',
  '/login?return_to=%2Forgs%2Fithaca',
  '/users?query=uma%40example.org',
  '/orgs/ithaca?next=https://elsewhere.example//',
  '/orgs/caf%C3%A9',
  '/...',
  '/.hidden',
  '/a..b/c.',
])('a path on this site is accepted: %s', (path) => {
  expect(safeReturnTo(path)).toBe(path);
});

test('the corpus is large and has no duplicates', () => {
  expect(HOSTILE_RETURNS.length).toBeGreaterThanOrEqual(100);
  expect(new Set(HOSTILE_RETURNS).size).toBe(HOSTILE_RETURNS.length);
});

test.each(HOSTILE_RETURNS)('anything but a path on this site is rejected: %j', (text) => {
  expect(safeReturnTo(text)).toBeUndefined();
});

test('a missing path is rejected', () => {
  expect(safeReturnTo(undefined)).toBeUndefined();
});

/** Pieces that, in some order, could form the address of another site. */
const pieces = ['/', '\\', '.', '..', '%2f', '%5C', '%2e', '%25', '%', '\t', '\n', '\r', '\0', ' ', '@', ':', '?', '#'];
const words = ['orgs', 'evil.example', 'javascript:', 'https:', '／', '。', '\u202e', 'é', '[::1]'];
const anyText = fc.oneof(
  fc.array(fc.constantFrom(...pieces, ...words), { maxLength: 12 }).map((parts) => parts.join('')),
  fc.array(fc.constantFrom(...pieces, ...words), { maxLength: 12 }).map((parts) => `/${parts.join('')}`),
  arbitraryText(),
  fc.webUrl(),
  fc.webPath(),
);

/** Resolves the address as a browser would, and again as a program that uses only the path would. */
function expectSameOrigin(path: string): void {
  const url = new URL(path, ORIGIN);
  expect(url.origin).toBe(ORIGIN);
  expect(new URL(url.pathname + url.search + url.hash, ORIGIN).origin).toBe(ORIGIN);
  expect(new URL(decodeURIComponent(url.pathname), ORIGIN).origin).toBe(ORIGIN);
  expect(path).toMatch(/^\/(?![/\\])/);
  expect(url.pathname).toMatch(/^\/(?!\/)/);
  expect(url.pathname).toBe(path.split(/[?#]/)[0]);
}

// @asvs 3.7.2
test('every accepted path stays on this site', () => {
  let acceptedCount = 0;
  fc.assert(
    fc.property(anyText, (text) => {
      const path = safeReturnTo(text);
      if (path === undefined) return;
      acceptedCount += 1;
      expect(path).toBe(text);
      expectSameOrigin(path);
    }),
    { numRuns: 5000 },
  );
  expect(acceptedCount).toBeGreaterThan(100);
});
