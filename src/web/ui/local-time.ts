import type { TimeZone } from '#domain/days.ts';
import { formatDate, formatDateTime } from './text.ts';

/** A day in the reader's time zone: "November 21, 2026" */
export function formatLocalDate(time: string): string {
  return formatDate(time, getLocalTimeZone());
}

/** A time in the reader's time zone: "Nov 21, 2026, 2:04 PM" */
export function formatLocalDateTime(time: string): string {
  return formatDateTime(time, getLocalTimeZone());
}

export function getLocalTimeZone(): TimeZone {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
