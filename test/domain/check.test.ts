// @spec decisions.3
import { expect, test } from 'vitest';
import { calculateLedgerTime, receivedDayFailure } from '#domain/check.ts';
import { dayOf } from '#domain/days.ts';

test.each([
  ['2026-03-14', undefined],
  ['2026-03-15', 'day-in-future'],
  ['2016-03-14', undefined],
  ['2016-03-13', 'day-too-long-ago'],
  ['2026-02-30', 'day-invalid'],
  ['', 'day-invalid'],
  ['14.3.2026', 'day-invalid'],
])('a check received on %j returns %s', (day, code) => {
  expect(receivedDayFailure(day, '2026-03-14')?.code).toBe(code);
});

const NOW = new Date('2026-03-14T09:30:00Z');

test('a day is stored as noon of that day, but never in the future', () => {
  expect(calculateLedgerTime('2026-03-13', 'UTC', NOW)).toEqual(new Date('2026-03-13T12:00:00Z'));
  expect(calculateLedgerTime('2026-03-13', 'America/New_York', NOW)).toEqual(new Date('2026-03-13T16:00:00Z'));
  expect(calculateLedgerTime('2026-03-14', 'UTC', NOW)).toEqual(NOW);
});

test.each(['America/New_York', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Australia/Lord_Howe'])(
  'the stored time falls on that day in %s',
  (zone) => {
    for (const day of ['2026-03-08', '2026-10-04', '2026-11-01', '2026-12-31'])
      expect(dayOf(calculateLedgerTime(day, zone, new Date('2027-01-02T00:00:00Z')), zone)).toBe(day);
  },
);
