/** Default size of the offline cache, in bytes (§9). */
export const OFFLINE_CACHE_BYTES = 41_943_040;
/** The minimum (§9). */
export const OFFLINE_CACHE_LEAST_BYTES = 1_048_576;
/** How many documents are checked at once when the network returns (§9, limbo resolutions). */
export const RECHECKED_AT_ONCE = 100;

/** @param free the device's free space in bytes, of which at most half is used */
export function offlineCacheBytes(free: number | undefined): number {
  if (free === undefined || !Number.isFinite(free)) return OFFLINE_CACHE_BYTES;
  return Math.max(OFFLINE_CACHE_LEAST_BYTES, Math.min(OFFLINE_CACHE_BYTES, Math.floor(free / 2)));
}
