import { offlineCacheBytes } from '#domain/offline.ts';
import { type CacheLedger, type KeptEntry, staleOf, withKept, withUsed } from './cache-ledger.ts';

/** Raised when what is kept changes its form, so that an older one is thrown away. */
const CACHE_NAME = 'seen-1';
/** Where the ledger lies, in the same cache as what it lists. */
const LEDGER_URL = '/.kept';

/** What was seen, kept within its limit. */
export type KeptResponses = {
  /** Keeps a copy. The oldest go when there is too much. */
  keep(url: string, response: Response): Promise<void>;
  /** @param unchecked whether it is shown although the server could not be asked */
  find(url: string, unchecked: boolean): Promise<Response | undefined>;
  has(url: string): Promise<boolean>;
  stale(most: number): Promise<string[]>;
  /** Throws away what an earlier version of the program kept. */
  dropOlder(): Promise<void>;
};

/** @param room what the browser still has room for, in bytes */
export function keptResponses(caches: CacheStorage, room: () => Promise<number | undefined>): KeptResponses {
  // The ledger is read and written by one after the other.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: (cache: Cache, ledger: CacheLedger) => Promise<T>): Promise<T> => {
    const mine = turn.then(async () => {
      const cache = await caches.open(CACHE_NAME);
      return work(cache, await readLedger(cache));
    });
    turn = mine.catch(() => {});
    return mine;
  };
  return {
    keep: async (url, response) => {
      const body = await response.blob();
      const { status, statusText } = response;
      // A copy made of the body: a response that was redirected may not answer a navigation.
      const copy = new Response(body, { status, statusText, headers: withoutEncoding(response.headers) });
      await inTurn(async (cache, ledger) => {
        const next = withKept(ledger, { url, bytes: body.size }, offlineCacheBytes(await room()));
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
    stale: (most) => inTurn(async (_cache, ledger) => staleOf(ledger, most)),
    dropOlder: async () => {
      const names = await caches.keys();
      await Promise.all(names.filter((name) => name !== CACHE_NAME).map((name) => caches.delete(name)));
    },
  };
}

/** The body is decoded already; a header that says otherwise would have it decoded again. */
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

function isEntry(entry: unknown): entry is KeptEntry {
  return (
    typeof entry === 'object' &&
    entry !== null &&
    'url' in entry &&
    typeof entry.url === 'string' &&
    'bytes' in entry &&
    typeof entry.bytes === 'number'
  );
}
