import { LIMITS, type Limit, type LimitedAction } from '#server/features/rate-limits/limits.ts';

/** How many requests a limit allows. @param key such as 'email+client' */
export function limitOf(action: LimitedAction, by: string): number {
  const { counts }: Limit = LIMITS[action];
  const maximum = counts.find((count) => count.by.join('+') === by)?.most;
  if (maximum === undefined) throw new Error(`${action} is not limited by ${by}.`);
  return maximum;
}
