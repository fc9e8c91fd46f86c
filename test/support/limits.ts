import { LIMITS, type Limit, type LimitedAction } from '#server/features/rate-limits/limits.ts';

/** How many requests a limit allows by what it counts, such as 'email+client'. */
export function mostBy(action: LimitedAction, by: string): number {
  const { counts }: Limit = LIMITS[action];
  const most = counts.find((count) => count.by.join('+') === by)?.most;
  if (most === undefined) throw new Error(`${action} is not limited by ${by}.`);
  return most;
}
