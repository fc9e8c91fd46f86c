import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fillPath, matchPath } from '#contract/path-pattern.ts';
import { arbitraryText } from '#test/support/arbitrary-text.ts';

const PATTERN = '/orgs/:orgid/checkouts/:checkoutid/complete';
// Any text: slashes, question marks, percent signs, other scripts, and line breaks.
const value = arbitraryText({ minLength: 1, maxLength: 30 });

test('parameters survive a round trip through a path, with and without a trailing slash', () => {
  fc.assert(
    fc.property(value, value, fc.boolean(), (orgId, checkoutId, hasTrailingSlash) => {
      const path = fillPath(PATTERN, { orgid: orgId, checkoutid: checkoutId });
      expect(matchPath(PATTERN, hasTrailingSlash ? `${path}/` : path)).toEqual({
        orgid: orgId,
        checkoutid: checkoutId,
      });
    }),
  );
});

test('a pattern with a trailing slash matches a path without one', () => {
  fc.assert(
    fc.property(value, (orgId) => {
      const path = fillPath('/orgs/:orgid/', { orgid: orgId });
      expect(path.endsWith('/')).toBe(true);
      expect(matchPath('/orgs/:orgid/', path.slice(0, -1))).toEqual({ orgid: orgId });
    }),
  );
});

// @asvs 1.2.2
test('no parameter can break out of its path segment', () => {
  fc.assert(
    fc.property(value, (orgId) => {
      expect(fillPath('/orgs/:orgid', { orgid: orgId })).toMatch(/^\/orgs\/[^/?#\s]+$/);
    }),
  );
});

test.each([
  ['/orgs/:orgid', '/orgs'],
  ['/orgs/:orgid', '/orgs/'],
  ['/orgs/:orgid', '/orgs/a/b'],
  ['/orgs/:orgid', '/ORGS/a'],
  ['/orgs/:orgid', '//orgs/a'],
  ['/orgs/:orgid', '/orgs/a//'],
  ['/orgs/:orgid', '/orgs/%'],
  ['/orgs/:orgid', '/orgs/%ff'],
  ['/orgs/:orgid', '/orgs/%E0%A4%A'],
  ['/login', '/logins'],
  ['/', '/x'],
])('%s does not match %s', (pattern, path) => {
  expect(matchPath(pattern, path)).toBeUndefined();
});

test.each([
  ['/', '/', {}],
  ['/login', '/login/', {}],
  ['/orgs/:orgid', '/orgs/a%2Fb', { orgid: 'a/b' }],
  ['/orgs/:orgid', '/orgs/Zürich', { orgid: 'Zürich' }],
  ['/orgs/:orgid', '/orgs/Z%C3%BCrich/', { orgid: 'Zürich' }],
  ['/orgs/:orgid', '/%6Frgs/a', { orgid: 'a' }],
])('%s matches %s', (pattern, path, params) => {
  expect(matchPath(pattern, path)).toEqual(params);
});
