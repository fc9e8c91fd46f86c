import { offlineCacheBytes } from '#domain/offline.ts';

/** Bump when the cache format changes; older caches are then discarded. */
const CACHE_NAME = 'seen-1';
/** Key of the index, which is itself an entry in the cache. */
const INDEX_URL = '/.kept';

/** A cache of visited pages, limited in size. */
export type ResponseCache = {
  /** Stores a copy, and removes the oldest entries above the limit. */
  add(url: string, response: Response): Promise<void>;
  /** @param isOffline true if the server couldn't be reached, so the response may be outdated */
  find(url: string, isOffline: boolean): Promise<Response | undefined>;
  has(url: string): Promise<boolean>;
  remove(url: string): Promise<void>;
  /** @returns at most `limit` URLs that were served offline */
  listStaleUrls(limit: number): Promise<string[]>;
  /** Deletes the caches of earlier versions. */
  deleteOldCaches(): Promise<void>;
};

/** @param freeBytes storage that is still available in the browser, if known */
export function createResponseCache(caches: CacheStorage, freeBytes: () => Promise<number | undefined>): ResponseCache {
  // Operations run one at a time, since each reads and writes the index.
  let queue: Promise<unknown> = Promise.resolve();
  const enqueue = <T>(work: (cache: Cache, index: CacheIndex) => Promise<T>): Promise<T> => {
    const result = queue.then(async () => {
      const cache = await caches.open(CACHE_NAME);
      return work(cache, await readIndex(cache));
    });
    queue = result.catch(() => {});
    return result;
  };
  return {
    add: async (url, response) => {
      const body = await response.blob();
      const { status, statusText } = response;
      // Builds a new response, because browsers reject a redirected response to a navigation.
      const copy = new Response(body, { status, statusText, headers: removeEncodingHeaders(response.headers) });
      await enqueue(async (cache, index) => {
        const update = addEntry(index, { url, bytes: body.size }, offlineCacheBytes(await freeBytes()));
        await Promise.all(update.removedUrls.map((removedUrl) => cache.delete(removedUrl)));
        if (!update.removedUrls.includes(url)) await cache.put(url, copy);
        await writeIndex(cache, update.index);
      });
    },
    find: async (url, isOffline) => {
      const response = await (await caches.open(CACHE_NAME)).match(url);
      if (!response) return undefined;
      // Neither delays nor fails the response: the index can't be written when the storage is full.
      void enqueue((cache, index) => writeIndex(cache, markUsed(index, url, isOffline))).catch(() => {});
      return response;
    },
    has: async (url) => (await (await caches.open(CACHE_NAME)).match(url)) !== undefined,
    remove: (url) =>
      enqueue(async (cache, index) => {
        if (!(await cache.delete(url))) return;
        const otherEntries = index.filter((entry) => entry.url !== url);
        await writeIndex(cache, otherEntries);
      }),
    listStaleUrls: (limit) => enqueue(async (_cache, index) => findStaleUrls(index, limit)),
    deleteOldCaches: async () => {
      const names = await caches.keys();
      await Promise.all(names.filter((name) => name !== CACHE_NAME).map((name) => caches.delete(name)));
    },
  };
}

/** Removes the headers that would make the browser decode the body again. */
function removeEncodingHeaders(headers: Headers): Headers {
  const newHeaders = new Headers(headers);
  for (const name of ['content-encoding', 'content-length']) newHeaders.delete(name);
  return newHeaders;
}

async function readIndex(cache: Cache): Promise<CacheIndex> {
  const storedIndex: unknown = await (await cache.match(INDEX_URL))?.json().catch(() => undefined);
  return Array.isArray(storedIndex) ? storedIndex.filter(isEntry) : [];
}

function writeIndex(cache: Cache, index: CacheIndex): Promise<void> {
  return cache.put(INDEX_URL, Response.json(index));
}

function isEntry(entry: unknown): entry is CacheEntry {
  return (
    typeof entry === 'object' &&
    entry !== null &&
    'url' in entry &&
    typeof entry.url === 'string' &&
    'bytes' in entry &&
    typeof entry.bytes === 'number'
  );
}

/** A cached response. `stale` means it was served offline and may be outdated. */
export type CacheEntry = { readonly url: string; readonly bytes: number; readonly stale?: true };

/** Entries ordered by last use, least recent first. */
export type CacheIndex = readonly CacheEntry[];

/** Adds an entry. `removedUrls` lists the URLs to delete to stay within `limit` bytes, possibly including the new one. */
export function addEntry(
  index: CacheIndex,
  { url, bytes }: { readonly url: string; readonly bytes: number },
  limit: number,
): { readonly index: CacheIndex; readonly removedUrls: readonly string[] } {
  const entries = [...index.filter((entry) => entry.url !== url), { url, bytes }];
  const removedUrls: string[] = [];
  let sum = totalBytes(entries);
  while (sum > limit) {
    const oldest = entries.shift();
    if (!oldest) break;
    removedUrls.push(oldest.url);
    sum -= oldest.bytes;
  }
  return { index: entries, removedUrls };
}

/** Marks an entry as just used. */
export function markUsed(index: CacheIndex, url: string, isStale: boolean): CacheIndex {
  const entry = index.find((candidate) => candidate.url === url);
  if (!entry) return index;
  const otherEntries = index.filter((other) => other !== entry);
  return [...otherEntries, isStale ? { ...entry, stale: true } : entry];
}

/** Returns the URLs of entries that were served offline, most recently used first. */
export function findStaleUrls(index: CacheIndex, limit: number): string[] {
  return index
    .filter((entry) => entry.stale)
    .map(({ url }) => url)
    .toReversed()
    .slice(0, limit);
}

function totalBytes(index: CacheIndex): number {
  return index.reduce((sum, { bytes }) => sum + bytes, 0);
}
