/** How much of what was seen is kept for a time without a network, in bytes (§9). */
export const OFFLINE_CACHE_BYTES = 41_943_040;
/** Never less than this (§9). */
export const OFFLINE_CACHE_LEAST_BYTES = 1_048_576;
/** So many documents at most are checked again at once when the network is back (§9, limbo resolutions). */
export const RECHECKED_AT_ONCE = 100;

/**
 * How many bytes may be kept on this device.
 * @param free what the browser says it still has room for, in bytes; half of it stays free
 */
export function offlineCacheBytes(free: number | undefined): number {
  if (free === undefined || !Number.isFinite(free)) return OFFLINE_CACHE_BYTES;
  return Math.max(OFFLINE_CACHE_LEAST_BYTES, Math.min(OFFLINE_CACHE_BYTES, Math.floor(free / 2)));
}
