/** Computes a value on first use and caches it. A failure is not cached. */
export function cachedOnSuccess<T>(compute: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | undefined;
  return () => {
    cached ??= compute().catch((error: unknown) => {
      cached = undefined;
      throw error;
    });
    return cached;
  };
}
