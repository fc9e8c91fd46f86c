import { createMemoryHistory } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { PAGES, PAGES_TO_COME, type PageName } from '#contract/pages.ts';
import { createApiClient } from '#web/api/client.ts';
import { createAppRouter } from '#web/router.tsx';

const router = createAppRouter({ api: createApiClient() }, createMemoryHistory());
const names = Object.keys(PAGES).filter((name): name is PageName => name in PAGES);
const pathOf = (name: PageName) => PAGES[name].replaceAll(/:\w+/g, 'x1');

/** The route that an address leads to; none when it leads nowhere. */
function routeOf(path: string): string | undefined {
  const [, rest, route] = router.getMatchedRoutes(path);
  // What is left over when an address only begins like a route's.
  return '**' in rest ? undefined : route?.fullPath;
}

test.each(names.filter((name) => !PAGES_TO_COME.includes(name)))('%s has a route of its own', (name) => {
  const expected = PAGES[name].replaceAll(':', '$').replace(/(.)\/$/, '$1');
  expect(routeOf(pathOf(name))?.replace(/(.)\/$/, '$1')).toBe(expected);
});

test.each(names)('%s is the same with and without a slash at its end', (name) => {
  const bare = pathOf(name).replace(/\/$/, '');
  expect(routeOf(`${bare}/`)).toBe(routeOf(bare || '/'));
});

test.each(PAGES_TO_COME)('%s has no route yet', (name) => {
  expect([undefined, '/$orgslug']).toContain(routeOf(pathOf(name)));
});

test('search parameters stay the texts they are, whatever they look like', () => {
  const { options } = router;
  expect(options.parseSearch?.('?receipt=1e10&cancelled=true')).toEqual({ receipt: '1e10', cancelled: 'true' });
  expect(options.stringifySearch?.({ receipt: '1e10', other: undefined })).toBe('?receipt=1e10');
  expect(options.stringifySearch?.({})).toBe('');
});
