import { type InLanguage, LANGUAGE, type Language } from '#messages';

/** A calendar day: "2026-03-14". */
export type Day = string;
/** A name from the IANA time zone database: "America/New_York". */
export type TimeZone = string;

const SECOND_MS = 1000;
const HOUR_MS = 60 * 60 * SECOND_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The calendar day in a time zone. */
export function dayOf(time: Date, zone: TimeZone): Day {
  return formatDay(localTime(time.getTime(), zone));
}

/**
 * The first moment of a day in a time zone. If the clocks skip midnight, the day starts at the skip. A day that is
 * skipped entirely starts and ends at the same moment.
 */
export function startOfDay(day: Day, zone: TimeZone): Date {
  return firstMoment(midnight(day), zone);
}

/** The first moment after a day in a time zone. */
export function endOfDay(day: Day, zone: TimeZone): Date {
  return firstMoment(midnight(day) + DAY_MS, zone);
}

/** Adds days; subtracts them if the number is negative. */
export function addDays(day: Day, days: number): Day {
  return formatDay(midnight(day) + days * DAY_MS);
}

/** "March 14, 2026", "14 de marzo de 2026". */
export function dayText(day: Day, { locale = LANGUAGE }: InLanguage = {}): string {
  const format =
    dayFormats.get(locale) ?? new Intl.DateTimeFormat(`${locale}-US`, { dateStyle: 'long', timeZone: 'UTC' });
  dayFormats.set(locale, format);
  return format.format(midnight(day));
}

const dayFormats = new Map<Language, Intl.DateTimeFormat>();

const DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/;

/** @returns false for days that don't exist, such as February 30 */
export function isDay(text: string): boolean {
  if (!DAY_PATTERN.test(text)) return false;
  const time = midnight(text);
  return !Number.isNaN(time) && formatDay(time) === text;
}

/** An organization's time zone until someone chooses another one. */
export const DEFAULT_TIME_ZONE: TimeZone = 'America/New_York';

/** Place names in the IANA database. Not every engine supports its other names, which are offsets and abbreviations. */
const ZONE_NAME_PATTERN =
  /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)\/[A-Za-z][\w/+-]*$/;

export function isTimeZone(text: string): boolean {
  if (text === 'UTC') return true;
  try {
    return ZONE_NAME_PATTERN.test(text) && zoneFormat(text) !== undefined;
  } catch {
    return false;
  }
}

/** Larger than any offset from UTC. */
const MAX_OFFSET_MS = 16 * HOUR_MS;

/** The first moment at which a time zone's clocks show a local time or a later one. */
function firstMoment(local: number, zone: TimeZone): Date {
  let [before, after] = [local - MAX_OFFSET_MS, local + MAX_OFFSET_MS];
  while (after - before > SECOND_MS) {
    const middle = before + Math.floor((after - before) / 2 / SECOND_MS) * SECOND_MS;
    if (localTime(middle, zone) < local) before = middle;
    else after = middle;
  }
  return new Date(after);
}

/** Local time in a time zone, in milliseconds as if it were UTC. */
function localTime(time: number, zone: TimeZone): number {
  return time + offsetAt(time, zone);
}

const OFFSET_PATTERN = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/** Milliseconds by which a time zone is ahead of UTC. */
function offsetAt(time: number, zone: TimeZone): number {
  const [, sign, hours = 0, minutes = 0, seconds = 0] = OFFSET_PATTERN.exec(zoneFormat(zone).format(time)) ?? [];
  const offsetMs = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * SECOND_MS;
  return sign === '-' ? -offsetMs : offsetMs;
}

const zoneFormats = new Map<TimeZone, Intl.DateTimeFormat>();

/** Cached because creating a format takes a hundred times longer than using it. */
function zoneFormat(zone: TimeZone): Intl.DateTimeFormat {
  const format =
    zoneFormats.get(zone) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  zoneFormats.set(zone, format);
  return format;
}

function midnight(day: Day): number {
  return Date.parse(`${day}T00:00:00.000Z`);
}

function formatDay(local: number): Day {
  return new Date(local).toISOString().slice(0, 10);
}
