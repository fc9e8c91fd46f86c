import { dayOf, dayText, type TimeZone } from '#domain/days.ts';

/** "November 21, 2026" */
export function dateText(time: string, zone: TimeZone): string {
  return dayText(dayOf(new Date(time), zone));
}

/** "Nov 21, 2026, 2:04 PM" */
export function momentText(time: string, zone: TimeZone): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(
    new Date(time),
  );
}

/** "a, b, and c". Intl.ListFormat does the same, but takes browsers a hundred times longer to create. */
export function listed(things: readonly string[]): string {
  const [last = '', ...others] = things.toReversed();
  if (others.length === 0) return last;
  return `${others.toReversed().join(', ')}${others.length > 1 ? ',' : ''} and ${last}`;
}
