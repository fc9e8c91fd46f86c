import { dayOf, dayText, type TimeZone } from '#domain/days.ts';
import { LANGUAGE, type Language } from '#messages';

/** "November 21, 2026" */
export function formatDate(time: string, zone: TimeZone): string {
  return dayText(dayOf(new Date(time), zone));
}

/** "Nov 21, 2026, 2:04 PM" */
export function formatDateTime(time: string, zone: TimeZone): string {
  return new Intl.DateTimeFormat(getLocale(LANGUAGE), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: zone,
  }).format(new Date(time));
}

/** "2:04 PM" */
export function formatTimeOfDay(time: string, zone: TimeZone): string {
  return new Intl.DateTimeFormat(getLocale(LANGUAGE), { timeStyle: 'short', timeZone: zone }).format(new Date(time));
}

/** "a, b, and c" in English, "a, b y c" in Spanish. */
export function formatList(texts: readonly string[], language: Language = LANGUAGE): string {
  const [firstText = ''] = texts;
  if (texts.length < 2) return firstText;
  return new Intl.ListFormat(getLocale(language)).format(texts);
}

/** The Intl locale, with US formats for numbers and dates. */
function getLocale(language: Language): string {
  return `${language}-US`;
}
