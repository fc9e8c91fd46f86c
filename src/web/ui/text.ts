import { dayOf, dayText as textOfDay } from '#domain/days.ts';

/** "November 21, 2026", in UTC as on a receipt. */
export function dayText(time: string): string {
  return textOfDay(dayOf(new Date(time), 'UTC'));
}

/** "a, b, and c". Intl.ListFormat does the same, but takes browsers a hundred times longer to create. */
export function listed(things: readonly string[]): string {
  const [last = '', ...others] = things.toReversed();
  if (others.length === 0) return last;
  return `${others.toReversed().join(', ')}${others.length > 1 ? ',' : ''} and ${last}`;
}
