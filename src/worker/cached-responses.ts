import { offlineCacheBytes } from '#domain/offline.ts';

/** Bump when the cache format changes; older caches are then discarded. */
const CACHE_NAME = 'seen-1';
/** The index's key in the cache that it lists. */
const LEDGER_URL = '/.kept';

/** A cache of visited pages, limited in size. */
export type CachedResponses = {
  /** Stores a copy, and removes the oldest entries above the limit. */
  add(url: string, response: Response): Promise<void>;
  /** @param unchecked true if it is served because the server could not be reached */
  find(url: string, unchecked: boolean): Promise<Response | undefined>;
  has(url: string): Promise<boolean>;
  remove(url: string): Promise<void>;
  stale(most: number): Promise<string[]>;
  /** Deletes the caches of earlier versions. */
  dropOlder(): Promise<void>;
};

/** @param room bytes of storage that the browser still offers */
export function cachedResponses(caches: CacheStorage, room: () => Promise<number | undefined>): CachedResponses {
  // One operation at a time reads and writes the index.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: (cache: Cache, ledger: CacheLedger) => Promise<T>): Promise<T> => {
    const result = turn.then(async () => {
      const cache = await caches.open(CACHE_NAME);
      return work(cache, await readLedger(cache));
    });
    turn = result.catch(() => {});
    return result;
  };
  return {
    add: async (url, response) => {
      const body = await response.blob();
      const { status, statusText } = response;
      // A new response, because a redirected one may not answer a navigation.
      const copy = new Response(body, { status, statusText, headers: withoutEncoding(response.headers) });
      await inTurn(async (cache, ledger) => {
        const next = withAdded(ledger, { url, bytes: body.size }, offlineCacheBytes(await room()));
        await Promise.all(next.gone.map((old) => cache.delete(old)));
        if (!next.gone.includes(url)) await cache.put(url, copy);
        await writeLedger(cache, next.ledger);
      });
    },
    find: async (url, unchecked) => {
      const found = await (await caches.open(CACHE_NAME)).match(url);
      if (!found) return undefined;
      await inTurn((cache, ledger) => writeLedger(cache, withUsed(ledger, url, unchecked)));
      return found;
    },
    has: async (url) => (await (await caches.open(CACHE_NAME)).match(url)) !== undefined,
    remove: (url) =>
      inTurn(async (cache, ledger) => {
        if (!(await cache.delete(url))) return;
        const others = ledger.filter((entry) => entry.url !== url);
        await writeLedger(cache, others);
      }),
    stale: (most) => inTurn(async (_cache, ledger) => staleUrls(ledger, most)),
    dropOlder: async () => {
      const names = await caches.keys();
      await Promise.all(names.filter((name) => name !== CACHE_NAME).map((name) => caches.delete(name)));
    },
  };
}

/** The body is already decoded, and must not be decoded again. */
function withoutEncoding(headers: Headers): Headers {
  const kept = new Headers(headers);
  for (const name of ['content-encoding', 'content-length']) kept.delete(name);
  return kept;
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

/** Adds an entry. `gone` lists what to delete to stay within `limit` bytes; an entry above the limit is deleted itself. */
export function withAdded(
  ledger: CacheLedger,
  { url, bytes }: { readonly url: string; readonly bytes: number },
  limit: number,
): { readonly ledger: CacheLedger; readonly gone: readonly string[] } {
  const entries = [...ledger.filter((entry) => entry.url !== url), { url, bytes }];
  const gone: string[] = [];
  let sum = sumOf(entries);
  while (sum > limit) {
    const oldest = entries.shift();
    if (!oldest) break;
    gone.push(oldest.url);
    sum -= oldest.bytes;
  }
  return { ledger: entries, gone };
}

/** Marks an entry as just used. */
export function withUsed(ledger: CacheLedger, url: string, stale: boolean): CacheLedger {
  const used = ledger.find((entry) => entry.url === url);
  if (!used) return ledger;
  const others = ledger.filter((entry) => entry !== used);
  return [...others, stale ? { ...used, stale: true } : used];
}

/** The entries that were served offline, the most recent first. */
export function staleUrls(ledger: CacheLedger, most: number): string[] {
  return ledger
    .filter((entry) => entry.stale)
    .map(({ url }) => url)
    .toReversed()
    .slice(0, most);
}

function sumOf(ledger: CacheLedger): number {
  return ledger.reduce((sum, { bytes }) => sum + bytes, 0);
}
