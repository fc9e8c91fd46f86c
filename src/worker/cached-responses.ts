import { offlineCacheBytes } from '#domain/offline.ts';

/** Bump when the cache format changes; older caches are then discarded. */
const CACHE_NAME = 'seen-1';
/** The index is itself an entry of the cache, under this key. */
const LEDGER_URL = '/.kept';

/** A cache of visited pages, limited in size. */
export type CachedResponses = {
  /** Stores a copy, and removes the oldest entries above the limit. */
  add(url: string, response: Response): Promise<void>;
  /** @param unchecked true if the server couldn't be reached, so the response may be outdated */
  find(url: string, unchecked: boolean): Promise<Response | undefined>;
  has(url: string): Promise<boolean>;
  remove(url: string): Promise<void>;
  /** @returns at most `limit` URLs that were served offline */
  stale(limit: number): Promise<string[]>;
  /** Deletes the caches of earlier versions. */
  dropOlder(): Promise<void>;
};

/** @param freeBytes how much more storage the browser offers, if it says so */
export function cachedResponses(caches: CacheStorage, freeBytes: () => Promise<number | undefined>): CachedResponses {
  // Operations run one at a time, since each reads and writes the index.
  let queue: Promise<unknown> = Promise.resolve();
  const queued = <T>(work: (cache: Cache, ledger: CacheLedger) => Promise<T>): Promise<T> => {
    const result = queue.then(async () => {
      const cache = await caches.open(CACHE_NAME);
      return work(cache, await readLedger(cache));
    });
    queue = result.catch(() => {});
    return result;
  };
  return {
    add: async (url, response) => {
      const body = await response.blob();
      const { status, statusText } = response;
      // A new response, because a redirected one may not respond to a navigation.
      const copy = new Response(body, { status, statusText, headers: withoutEncoding(response.headers) });
      await queued(async (cache, ledger) => {
        const next = withAdded(ledger, { url, bytes: body.size }, offlineCacheBytes(await freeBytes()));
        await Promise.all(next.removed.map((old) => cache.delete(old)));
        if (!next.removed.includes(url)) await cache.put(url, copy);
        await writeLedger(cache, next.ledger);
      });
    },
    find: async (url, unchecked) => {
      const response = await (await caches.open(CACHE_NAME)).match(url);
      if (!response) return undefined;
      await queued((cache, ledger) => writeLedger(cache, withUsed(ledger, url, unchecked)));
      return response;
    },
    has: async (url) => (await (await caches.open(CACHE_NAME)).match(url)) !== undefined,
    remove: (url) =>
      queued(async (cache, ledger) => {
        if (!(await cache.delete(url))) return;
        const otherEntries = ledger.filter((entry) => entry.url !== url);
        await writeLedger(cache, otherEntries);
      }),
    stale: (limit) => queued(async (_cache, ledger) => staleUrls(ledger, limit)),
    dropOlder: async () => {
      const names = await caches.keys();
      await Promise.all(names.filter((name) => name !== CACHE_NAME).map((name) => caches.delete(name)));
    },
  };
}

/** The body is already decoded, and must not be decoded again. */
function withoutEncoding(headers: Headers): Headers {
  const decoded = new Headers(headers);
  for (const name of ['content-encoding', 'content-length']) decoded.delete(name);
  return decoded;
}

async function readLedger(cache: Cache): Promise<CacheLedger> {
  const stored: unknown = await (await cache.match(LEDGER_URL))?.json().catch(() => undefined);
  return Array.isArray(stored) ? stored.filter(isEntry) : [];
}

function writeLedger(cache: Cache, ledger: CacheLedger): Promise<void> {
  return cache.put(LEDGER_URL, Response.json(ledger));
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

/** A cached response; `stale` if it was served offline and may be outdated. */
export type CacheEntry = { readonly url: string; readonly bytes: number; readonly stale?: true };

/** Ordered by last use, the least recent first. */
export type CacheLedger = readonly CacheEntry[];

/** Adds an entry. `removed` lists URLs to delete to stay within `limit` bytes, including an entry that is too large itself. */
export function withAdded(
  ledger: CacheLedger,
  { url, bytes }: { readonly url: string; readonly bytes: number },
  limit: number,
): { readonly ledger: CacheLedger; readonly removed: readonly string[] } {
  const entries = [...ledger.filter((entry) => entry.url !== url), { url, bytes }];
  const removed: string[] = [];
  let sum = sumOf(entries);
  while (sum > limit) {
    const oldest = entries.shift();
    if (!oldest) break;
    removed.push(oldest.url);
    sum -= oldest.bytes;
  }
  return { ledger: entries, removed };
}

/** Marks an entry as just used. */
export function withUsed(ledger: CacheLedger, url: string, stale: boolean): CacheLedger {
  const entry = ledger.find((each) => each.url === url);
  if (!entry) return ledger;
  const otherEntries = ledger.filter((each) => each !== entry);
  return [...otherEntries, stale ? { ...entry, stale: true } : entry];
}

/** The entries that were served offline, the most recent first. */
export function staleUrls(ledger: CacheLedger, limit: number): string[] {
  return ledger
    .filter((entry) => entry.stale)
    .map(({ url }) => url)
    .toReversed()
    .slice(0, limit);
}

function sumOf(ledger: CacheLedger): number {
  return ledger.reduce((sum, { bytes }) => sum + bytes, 0);
}
