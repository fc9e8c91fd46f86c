/** Default size of the offline cache, in bytes (§9). */
export const OFFLINE_CACHE_BYTES = 41_943_040;
/** Minimum size of the offline cache, in bytes (§9). */
export const MIN_OFFLINE_CACHE_BYTES = 1_048_576;
/** Maximum number of pages rechecked at a time after the network comes back (§9, limbo resolutions). */
export const CONCURRENT_RECHECKS = 100;

/** @param free the device's free space in bytes, at most half of which is used */
export function offlineCacheBytes(free: number | undefined): number {
  if (free === undefined || !Number.isFinite(free)) return OFFLINE_CACHE_BYTES;
  return Math.max(MIN_OFFLINE_CACHE_BYTES, Math.min(OFFLINE_CACHE_BYTES, Math.floor(free / 2)));
}
