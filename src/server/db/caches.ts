/** In-memory caches of values derived from a database. Each opened database has its own. */
export type Caches = {
  /** Returns a feature's cache. @param create creates the cache on its first use, and is the key for later uses */
  getOrCreate<Cache extends object>(create: () => Cache): Cache;
};

export function createCaches(): Caches {
  const caches = new Map<() => object, object>();
  return {
    getOrCreate: <Cache extends object>(create: () => Cache) => {
      const cache = caches.get(create) ?? create();
      caches.set(create, cache);
      // Each function is mapped to the cache that it created, but the type checker can't infer that.
      return cache as Cache;
    },
  };
}

type CachedResult<Result> = { readonly version: string; readonly result: Promise<Result> };

/** Caches the newest result for each key. Evicts the oldest keys beyond `maxKeys`. */
export class VersionedCache<Result> {
  readonly #results = new Map<string, CachedResult<Result>>();
  readonly #maxKeys: number;

  constructor(maxKeys: number) {
    this.#maxKeys = maxKeys;
  }

  /** Returns the cached result if it has this version. Concurrent callers share one computation. */
  read(key: string, version: string, compute: () => Promise<Result>): Promise<Result> {
    const cachedResult = this.#results.get(key);
    if (cachedResult?.version === version) return cachedResult.result;
    const result = compute();
    this.#results.delete(key);
    this.#results.set(key, { version, result });
    for (const oldest of this.#results.keys()) {
      if (this.#results.size <= this.#maxKeys) break;
      this.#results.delete(oldest);
    }
    result.catch(() => {
      if (this.#results.get(key)?.result === result) this.#results.delete(key);
    });
    return result;
  }
}
