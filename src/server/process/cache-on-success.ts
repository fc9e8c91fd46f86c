/** Computes a value on first use and caches it. A failure is not cached. */
export function cacheOnSuccess<T>(compute: () => Promise<T>): () => Promise<T> {
  let cachedValue: Promise<T> | undefined;
  return () => {
    cachedValue ??= compute().catch((error: unknown) => {
      cachedValue = undefined;
      throw error;
    });
    return cachedValue;
  };
}
