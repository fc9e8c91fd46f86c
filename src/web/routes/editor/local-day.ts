import type { Day } from '#domain/days.ts';

/** Today by the clock on the editor's wall. */
export function localDay(now: Date = new Date()): Day {
  const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  return parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0')).join('-');
}
