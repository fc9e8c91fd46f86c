import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeMalformedPath, splitUrl } from '#server/http/address.ts';

test.each([
  ['/orgs/sample?cancelled=1', '/orgs/sample', '?cancelled=1'],
  ['/orgs/sample', '/orgs/sample', ''],
  ['/?a?b', '/', '?a?b'],
  ['//', '//', ''],
  ['', '', ''],
])('%s splits into a path and a query', (url, path, search) => {
  expect(splitUrl(url)).toEqual({ path, search });
});

test.each([
  ['/orgs/Z%C3%BCrich?q=%', '/orgs/Z%C3%BCrich?q=%'],
  ['/orgs/a%2Fb', '/orgs/a%2Fb'],
  ['/%', '/%25'],
  ['/%zz?a=%', '/%25zz?a=%'],
  ['/%ff', '/%25ff'],
  ['/a%20b/%E0%A4%A', '/a%2520b/%25E0%25A4%25A'],
])('%s is looked up as %s', (url, address) => {
  expect(escapeMalformedPath(url)).toBe(address);
});

test('every address can be decoded, and valid ones stay unchanged', () => {
  const part = fc.oneof(fc.constantFrom('/', '%', '%2F', '%C3%BC', '%ff', '?', 'a', '..'), fc.string({ maxLength: 3 }));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const address = escapeMalformedPath(`/${parts.join('')}`);
      expect(() => decodeURIComponent(splitUrl(address).path)).not.toThrow();
      expect(escapeMalformedPath(address)).toBe(address);
    }),
  );
});
