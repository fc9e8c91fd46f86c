import type { TimeZone } from '#domain/days.ts';
import { dateText, dateTimeText } from './text.ts';

/** A day in the reader's time zone: "November 21, 2026" */
export function localDateText(time: string): string {
  return dateText(time, localZone());
}

/** A time in the reader's time zone: "Nov 21, 2026, 2:04 PM" */
export function localDateTimeText(time: string): string {
  return dateTimeText(time, localZone());
}

export function localZone(): TimeZone {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
