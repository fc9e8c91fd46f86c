import { LIMITS, type Limit, type LimitedAction } from '#server/features/rate-limits/limits.ts';

/** Maximum number of requests that a limit allows. @param key such as 'email+client' */
export function findMaxRequests(action: LimitedAction, key: string): number {
  const { counts }: Limit = LIMITS[action];
  const max = counts.find((count) => count.keys.join('+') === key)?.max;
  if (max === undefined) throw new Error(`${action} is not limited by ${key}.`);
  return max;
}
