// @spec decisions.3
import { expect, test } from 'vitest';
import { isTimeZone } from '#domain/days.ts';
import { groupTimeZones } from '#web/site/time-zones.ts';
import { formatDate, formatDateTime } from '#web/ui/text.ts';

/** 7:05 pm on New Year's Eve in New York. */
const EVENING = '2027-01-01T00:05:00.000Z';

test('dates and times use the organization’s time zone, not the browser’s', () => {
  expect(formatDate(EVENING, 'America/New_York')).toBe('December 31, 2026');
  expect(formatDate(EVENING, 'UTC')).toBe('January 1, 2027');
  expect(formatDateTime(EVENING, 'America/New_York')).toMatch(/^Dec 31, 2026, 7:05\sPM$/);
  expect(formatDateTime(EVENING, 'Asia/Tokyo')).toMatch(/^Jan 1, 2027, 9:05\sAM$/);
});

test('every time zone is listed once and accepted by the server', () => {
  const zones = groupTimeZones('Asia/Kolkata').flatMap(({ options }) => options.map(({ value }) => value));
  expect(new Set(zones).size).toBe(zones.length);
  expect(zones).toEqual(expect.arrayContaining([...Intl.supportedValuesOf('timeZone'), 'UTC', 'Asia/Kolkata']));
  expect(zones.filter((zone) => !isTimeZone(zone))).toEqual([]);
});

test('U.S. time zones come first by common name, then the rest by area', () => {
  const [first, second] = groupTimeZones('America/New_York');
  expect(first?.label).toBe('United States');
  expect(first?.options[0]).toEqual({ value: 'America/New_York', label: 'New York (Eastern)' });
  expect(second).toMatchObject({ label: 'Africa' });
  expect(second?.options[0]).toEqual({ value: 'Africa/Abidjan', label: 'Abidjan' });
  const allZones = groupTimeZones('America/New_York').flatMap(({ options }) => options);
  expect(allZones).toContainEqual({ value: 'America/Indiana/Knox', label: 'Indiana, Knox' });
});
