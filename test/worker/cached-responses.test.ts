// @spec 9.offline-cache 9.limbo decisions.6
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { offlineCacheBytes } from '#domain/offline.ts';
import { addEntry, type CacheIndex, createResponseCache, findStaleUrls, markUsed } from '#worker/cached-responses.ts';

const sumBytes = (index: CacheIndex) => index.reduce((bytes, entry) => bytes + entry.bytes, 0);
const entries = fc.array(fc.record({ url: fc.constantFrom('a', 'b', 'c', 'd', 'e'), bytes: fc.nat(500) }));

test('the cache stays within its limit and keeps the newest entry unless that entry alone exceeds the limit', () => {
  fc.assert(
    fc.property(entries, fc.integer({ min: 1, max: 900 }), (addedEntries, limit) => {
      let index: CacheIndex = [];
      for (const entry of addedEntries) {
        const initialUrls = index.map(({ url }) => url);
        const result = addEntry(index, entry, limit);
        index = result.index;
        const urls = index.map(({ url }) => url);
        expect(sumBytes(index)).toBeLessThanOrEqual(limit);
        expect(new Set(urls).size).toBe(urls.length);
        expect(urls.includes(entry.url)).toBe(entry.bytes <= limit);
        // Entries that are no longer listed are returned, so they can be deleted.
        const missingUrls = initialUrls.filter((url) => !urls.includes(url) && url !== entry.url);
        expect(result.removedUrls).toEqual(expect.arrayContaining(missingUrls));
      }
    }),
  );
});

test('the least recently used entry is removed first', () => {
  let index: CacheIndex = [];
  for (const url of ['a', 'b', 'c']) index = addEntry(index, { url, bytes: 10 }, 30).index;
  index = markUsed(index, 'a', false);
  expect(addEntry(index, { url: 'd', bytes: 10 }, 30)).toMatchObject({ removedUrls: ['b'] });
});

test('a page shown offline is stale until it’s fetched again', () => {
  let index: CacheIndex = [];
  for (const url of ['a', 'b', 'c']) index = addEntry(index, { url, bytes: 1 }, 100).index;
  for (const url of ['b', 'a', 'removed']) index = markUsed(index, url, true);
  expect(findStaleUrls(index, 100)).toEqual(['a', 'b']);
  expect(findStaleUrls(index, 1)).toEqual(['a']);
  index = addEntry(index, { url: 'a', bytes: 2 }, 100).index;
  expect(findStaleUrls(index, 100)).toEqual(['b']);
});

test.each([
  [undefined, 41_943_040],
  [Number.NaN, 41_943_040],
  [10_000_000_000, 41_943_040],
  [20_000_000, 10_000_000],
  [100_000, 1_048_576],
  [-5, 1_048_576],
])('with %s free bytes, the cache may use %i', (free, bytes) => {
  expect(offlineCacheBytes(free)).toBe(bytes);
});

/** Creates a response cache whose `put` the test can replace. */
function createCache() {
  const stored = new Map<string, Response>();
  const cache = {
    match: async (url: string) => stored.get(url)?.clone(),
    put: async (url: string, response: Response) => void stored.set(url, response),
  };
  const caches = { open: async () => cache } as unknown as CacheStorage;
  return { cache, responses: createResponseCache(caches, async () => undefined) };
}

test('a page shown offline is listed as stale right after it’s found', async () => {
  const { responses } = createCache();
  await responses.add('a', new Response('kept'));
  await responses.find('a', true);
  expect(await responses.listStaleUrls(1)).toEqual(['a']);
});

test.each([
  ['fails', () => Promise.reject(new DOMException('The storage is full.', 'QuotaExceededError'))],
  ['never ends', () => new Promise<never>(() => {})],
])('a cached response is found even if writing the index %s', { timeout: 1000 }, async (_outcome, put) => {
  const { cache, responses } = createCache();
  await responses.add('a', new Response('kept'));
  cache.put = put;
  expect(await (await responses.find('a', false))?.text()).toBe('kept');
});
