import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createPageCache,
  ENTRY_OVERHEAD_BYTES,
  type EncodedPage,
  MAX_AGE_MS,
  type PageCache,
} from '#server/pages/page-cache.ts';
import { createTestClock } from '#test/support/clock.ts';

const clock = createTestClock();

/** A page that contains the version of its organization. */
const buildPage = (version: number, bytes = 10): EncodedPage => ({
  status: 200,
  etag: String(version),
  styleHash: '',
  bodies: { br: Buffer.alloc(bytes), gzip: Buffer.alloc(bytes), identity: Buffer.alloc(bytes) },
});
const failIfRendered = () => Promise.reject(new Error('rendered although it was cached'));

const ORGS = ['ours', 'theirs'] as const;
const PATHS = ['home', 'about', 'faqs'] as const;
type Org = (typeof ORGS)[number];

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('ask'), org: fc.constantFrom(...ORGS), path: fc.constantFrom(...PATHS) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('change', 'new totals'), org: fc.constantFrom(...ORGS) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('change all') }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('finish'), which: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail'), which: fc.nat(20) }) },
);

/** Creates organizations whose pages finish rendering when the test triggers it. */
function createSite(cache: PageCache) {
  const versions: Record<Org, number> = { ours: 1, theirs: 1 };
  const contentVersions: Record<Org, number> = { ours: 1, theirs: 1 };
  const renderings: PromiseWithResolvers<void>[] = [];
  const pending: Promise<void>[] = [];
  const cacheKey = (org: Org, path: string) => `${org}/${path}`;
  /** Reads the version at the very start, so the page is as stale as possible. */
  const startRender = (org: Org) => async () => {
    const versionRead = versions[org];
    const rendering = Promise.withResolvers<void>();
    renderings.push(rendering);
    await rendering.promise;
    return buildPage(versionRead);
  };
  return {
    request: (org: Org, path: string) => {
      const minimumVersion = versions[org];
      const response = cache.get(cacheKey(org, path), org, startRender(org)).then(
        ({ etag }) => expect(Number(etag)).toBeGreaterThanOrEqual(minimumVersion),
        (error: unknown) => expect(error).toMatchObject({ message: 'it failed' }),
      );
      pending.push(response);
    },
    change: (org: Org, hasNewTotalsOnly: boolean) => {
      versions[org] += 1;
      if (!hasNewTotalsOnly) contentVersions[org] = versions[org];
      cache.handleChange({ orgId: org, version: versions[org], contentVersion: contentVersions[org] });
    },
    changeAll: () => {
      for (const org of ORGS) versions[org] += 1;
      cache.handleChange(undefined);
    },
    endRender: async (which: number, result: 'finish' | 'fail') => {
      const [pendingRendering] = renderings.splice(which % Math.max(renderings.length, 1), 1);
      if (result === 'finish') pendingRendering?.resolve();
      else pendingRendering?.reject(new Error('it failed'));
      // Waiting requests continue before anything else happens.
      await new Promise(setImmediate);
    },
    finishAllRenders: async () => {
      for (const pendingRendering of renderings.splice(0)) pendingRendering.resolve();
      await Promise.all(pending);
    },
    expectNothingStale: () => {
      for (const org of ORGS) {
        for (const path of PATHS) {
          const cachedPage = cache.peek(cacheKey(org, path));
          if (cachedPage) expect(Number(cachedPage.etag), `${org}/${path}`).toBe(versions[org]);
        }
      }
    },
  };
}

test('no cached or later response is older than a change, in any order of events', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      const site = createSite(createPageCache(clock));
      for (const step of steps) {
        if ('path' in step) site.request(step.org, step.path);
        else if ('org' in step) site.change(step.org, step.kind === 'new totals');
        else if ('which' in step) await site.endRender(step.which, step.kind === 'fail' ? 'fail' : 'finish');
        else site.changeAll();
        site.expectNothingStale();
      }
      await site.finishAllRenders();
      site.expectNothingStale();
    }),
    { numRuns: 300 },
  );
});

test('a page is rendered once for concurrent requests, then cached', async () => {
  const cache = createPageCache(clock);
  const rendering = Promise.withResolvers<EncodedPage>();
  let renderCount = 0;
  const render = () => {
    renderCount += 1;
    return rendering.promise;
  };
  const requests = [
    cache.get('home', 'ours', render),
    cache.get('home', 'ours', render),
    cache.get('home', 'ours', render),
  ];
  rendering.resolve(buildPage(1));
  const pages = await Promise.all(requests);
  expect(new Set(pages).size).toBe(1);
  expect(await cache.get('home', 'ours', failIfRendered)).toBe(pages[0]);
  expect(renderCount).toBe(1);
});

test('a failed rendering fails every waiting request, isn’t cached, and is retried next time', async () => {
  const cache = createPageCache(clock);
  const rendering = Promise.withResolvers<EncodedPage>();
  const requests = [cache.get('home', 'ours', () => rendering.promise), cache.get('home', 'ours', failIfRendered)];
  rendering.reject(new Error('the store is gone'));
  for (const request of requests) await expect(request).rejects.toThrow('the store is gone');
  expect(cache.peek('home')).toBeUndefined();
  expect((await cache.get('home', 'ours', async () => buildPage(2))).etag).toBe('2');
});

test('a rendering that throws synchronously isn’t cached either', async () => {
  const cache = createPageCache(clock);
  const throwSynchronously = () => {
    throw new Error('no renderer');
  };
  await expect(cache.get('home', 'ours', throwSynchronously)).rejects.toThrow('no renderer');
  expect((await cache.get('home', 'ours', async () => buildPage(1))).etag).toBe('1');
});

test('one organization’s change keeps the cached pages of other organizations and of the site', async () => {
  const cache = createPageCache(clock);
  await cache.get('a', 'ours', async () => buildPage(1));
  await cache.get('b', 'theirs', async () => buildPage(2));
  await cache.get('c', undefined, async () => buildPage(3));
  cache.handleChange({ orgId: 'ours', version: 0, contentVersion: 0 });
  expect(['a', 'b', 'c'].map((key) => cache.peek(key)?.etag)).toEqual([undefined, '2', '3']);
  cache.handleChange(undefined);
  expect(['a', 'b', 'c'].map((key) => cache.peek(key))).toEqual([undefined, undefined, undefined]);
});

test('new totals or missed changes make a page outdated; any other change drops it', async () => {
  const cache = createPageCache(clock);
  const render = (version: number) => cache.get('home', 'ours', async () => buildPage(version));
  const change = (version: number, contentVersion: number) =>
    cache.handleChange({ orgId: 'ours', version, contentVersion });
  const readTags = () => [cache.peek('home')?.etag, cache.peekOutdated('home')?.etag];
  change(1, 1);
  await render(1);
  expect(readTags()).toEqual(['1', '1']);
  change(2, 1);
  expect(readTags()).toEqual([undefined, '1']);
  await render(2);
  expect(readTags()).toEqual(['2', '2']);
  change(3, 1);
  change(4, 4);
  expect(readTags()).toEqual([undefined, undefined]);
  await render(4);
  cache.handleChange(undefined);
  expect(readTags()).toEqual([undefined, '4']);
});

test('a page is also kept if the totals change while it is rendered, unless there is a newer one', async () => {
  const cache = createPageCache(clock);
  const change = (contentVersion: number) => cache.handleChange({ orgId: 'ours', version: 1, contentVersion });
  const renderDuring = async (version: number, work: () => unknown) => {
    const rendering = Promise.withResolvers<EncodedPage>();
    const request = cache.get('home', 'ours', () => rendering.promise);
    await work();
    rendering.resolve(buildPage(version));
    await request;
    return [cache.peek('home')?.etag, cache.peekOutdated('home')?.etag];
  };
  change(1);
  expect(await renderDuring(1, () => change(1))).toEqual([undefined, '1']);
  expect(await renderDuring(2, () => [change(1), change(2), change(2)])).toEqual([undefined, undefined]);
  expect(
    await renderDuring(3, async () => {
      change(2);
      await cache.get('home', 'ours', async () => buildPage(4));
    }),
  ).toEqual(['4', '4']);
});

test('a page is rendered again once it is 15 minutes old, no matter how often it was requested', async () => {
  const cache = createPageCache(clock);
  const render = async () => buildPage(clock.now().getTime());
  const first = await cache.get('home', 'ours', render);
  clock.advance(MAX_AGE_MS - 1);
  expect(await cache.get('home', 'ours', failIfRendered)).toBe(first);
  clock.advance(1);
  expect(cache.peek('home')).toBeUndefined();
  expect((await cache.get('home', 'ours', render)).etag).toBe(String(clock.now().getTime()));
});

test('the cache never exceeds its limit and drops the least recently requested page first', async () => {
  const pageRequest = fc.record({ key: fc.integer({ min: 0, max: 12 }), bytes: fc.integer({ min: 1, max: 1000 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(pageRequest, { maxLength: 60 }), async (pageRequests) => {
      const cache = createPageCache({ now: clock.now, maxBytes: 8000 });
      // Expected entries, oldest first. An entry's size includes its three encodings, key, and headers.
      let expectedEntries: { key: string; bytes: number }[] = [];
      for (const { key: number, bytes } of pageRequests) {
        const key = String(number);
        const existingEntry = expectedEntries.find((entry) => entry.key === key);
        await cache.get(key, 'ours', async () => buildPage(1, bytes));
        expectedEntries = [
          ...expectedEntries.filter((entry) => entry.key !== key),
          existingEntry ?? { key, bytes: ENTRY_OVERHEAD_BYTES + key.length + bytes * 3 },
        ];
        while (expectedEntries.reduce((sum, entry) => sum + entry.bytes, 0) > 8000) expectedEntries.shift();
        for (let otherKey = 0; otherKey <= 12; otherKey += 1) {
          const isCached = expectedEntries.some((entry) => entry.key === String(otherKey));
          // Reading a page counts as a request for it, so only evicted pages are read.
          if (!isCached) expect(cache.peek(String(otherKey)), `${otherKey} is evicted`).toBeUndefined();
        }
      }
      for (const { key } of expectedEntries) expect(cache.peek(key), `${key} is cached`).toBeDefined();
    }),
  );
});
