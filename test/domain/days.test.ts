// @spec decisions.3
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, DAY_MS, dayOf, endOfDay, isDay, isTimeZone, startOfDay } from '#domain/days.ts';
import { pickRunCount } from '#test/support/run-count.ts';

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')];
/** The years in which the program may run, and a few more. */
const [RANGE_START, RANGE_END] = [Date.UTC(2024, 0, 1), Date.UTC(2030, 0, 1)];
const HOUR_MS = DAY_MS / 24;

type ZoneClock = { readonly dayAt: (time: number) => string; readonly offsetAt: (time: number) => string };

/** Local time read from Intl's calendar fields, unlike the code under test. */
function createClock(timeZone: string): ZoneClock {
  const fields = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const offset = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return {
    dayAt: (time) => fields.format(time).replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$1-$2'),
    offsetAt: (time) => offset.format(time).replace(/^.*GMT/, ''),
  };
}

/** Moments when a time zone's clocks were set forward or back. */
function findClockChanges({ offsetAt }: ZoneClock): number[] {
  const changes: number[] = [];
  for (let time = RANGE_START; time < RANGE_END; time += 7 * DAY_MS) {
    let [before, after] = [time, time + 7 * DAY_MS];
    if (offsetAt(before) === offsetAt(after)) continue;
    while (after - before > 1000) {
      const middle = (before + after) / 2;
      if (offsetAt(middle) === offsetAt(before)) before = middle;
      else after = middle;
    }
    changes.push(Math.floor(after / 1000) * 1000);
  }
  return changes;
}

/** Checks that a local day covers exactly the moments from its first to its last. @returns problems */
function findDayProblems(zone: string, day: string, { dayAt }: ZoneClock): string[] {
  const [start, end] = [startOfDay(day, zone).getTime(), endOfDay(day, zone).getTime()];
  const times = [start - HOUR_MS, start - 1, start, start + HOUR_MS, end - HOUR_MS, end - 1, end, end + HOUR_MS];
  return times
    .filter((time) => {
      const isWithinDay = start <= time && time < end;
      return dayOf(new Date(time), zone) !== dayAt(time) || isWithinDay !== (dayAt(time) === day);
    })
    .map((time) => `${zone} ${day}: ${new Date(time).toISOString()}`);
}

describe('days work in every time zone', () => {
  test('a day with a clock change has the right start and end', { timeout: 60_000 }, () => {
    let changeCount = 0;
    const wrongDays = ZONES.flatMap((zone) => {
      const clock = createClock(zone);
      return findClockChanges(clock).flatMap((change) => {
        changeCount += 1;
        const day = clock.dayAt(change);
        return [addDays(day, -1), day].flatMap((date) => findDayProblems(zone, date, clock));
      });
    });
    expect(wrongDays).toEqual([]);
    expect(changeCount).toBeGreaterThan(1000);
  });

  test('every moment lies between the start and end of its day', () => {
    const time = fc.date({ min: new Date(RANGE_START), max: new Date(RANGE_END), noInvalidDate: true });
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), time, (zone, moment) => {
        const day = dayOf(moment, zone);
        expect(startOfDay(day, zone).getTime()).toBeLessThanOrEqual(moment.getTime());
        expect(endOfDay(day, zone).getTime()).toBeGreaterThan(moment.getTime());
        expect(endOfDay(day, zone)).toEqual(startOfDay(addDays(day, 1), zone));
      }),
      { numRuns: pickRunCount(200, 1000) },
    );
  });
});

test.each([
  ['America/New_York', '2027-01-01T00:05:00Z', '2026-12-31'],
  ['UTC', '2027-01-01T00:05:00Z', '2027-01-01'],
  ['Pacific/Kiritimati', '2026-12-31T10:00:00Z', '2027-01-01'],
  ['Pacific/Honolulu', '2027-01-01T09:59:59Z', '2026-12-31'],
  ['Asia/Kathmandu', '2026-12-31T18:15:00Z', '2027-01-01'],
])('in %s, %s is on %s', (zone, time, day) => {
  expect(dayOf(new Date(time), zone)).toBe(day);
});

test.each([
  ['an hour shorter', 'America/New_York', '2026-03-08', '2026-03-08T05:00:00Z', 23],
  ['an hour longer', 'America/New_York', '2026-11-01', '2026-11-01T04:00:00Z', 25],
  ['half an hour shorter', 'Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30:00Z', 23.5],
  ['without a midnight', 'America/Asuncion', '2023-10-01', '2023-10-01T04:00:00Z', 23],
  ['with two midnights', 'America/Havana', '2026-11-01', '2026-11-01T04:00:00Z', 25],
  ['skipped entirely', 'Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00Z', 0],
])('a day that is %s: %s, %s', (_, zone, day, start, hours) => {
  expect(startOfDay(day, zone)).toEqual(new Date(start));
  expect((endOfDay(day, zone).getTime() - startOfDay(day, zone).getTime()) / HOUR_MS).toBe(hours);
});

test('the first and last representable days have a start and an end', () => {
  expect(startOfDay('0001-01-01', 'UTC')).toEqual(new Date('0001-01-01T00:00:00Z'));
  expect(endOfDay('9999-12-31', 'America/New_York').getTime()).toBe(Date.UTC(10_000, 0, 1, 5));
  expect(startOfDay('1850-01-01', 'America/New_York')).toEqual(new Date('1850-01-01T04:56:02Z'));
});

test('an unknown time zone is an error, not UTC', () => {
  expect(() => dayOf(new Date(0), 'Europe/Atlantis')).toThrow(RangeError);
});

test.each([
  ['2026-03-14', true],
  ['2028-02-29', true],
  ['2026-02-29', false],
  ['2026-13-01', false],
  ['14.3.2026', false],
  ['2026-3-14', false],
  ['', false],
])('isDay(%j) returns %s', (text, expected) => {
  expect(isDay(text)).toBe(expected);
});

test.each([
  ['2026-12-31', 1, '2027-01-01'],
  ['2028-03-01', -1, '2028-02-29'],
  ['2026-03-08', 7, '2026-03-15'],
])('%s plus %i days is %s', (day, days, expected) => {
  expect(addDays(day, days)).toBe(expected);
});

test.each([
  ['America/New_York', true],
  ['America/Argentina/Buenos_Aires', true],
  ['America/Port-au-Prince', true],
  ['Asia/Kolkata', true],
  ['UTC', true],
  ['Europe/Atlantis', false],
  ['+05:00', false],
  ['EST', false],
  ['US/Eastern', false],
  ['Etc/GMT+5', false],
  ['America/New_York\n', false],
  ['', false],
])('%j is a time zone: %s', (text, expected) => {
  expect(isTimeZone(text)).toBe(expected);
});
