import { expect, test } from 'vitest';
import { momentOf, receivedFailure } from '#domain/check.ts';

const NOW = new Date('2026-03-14T09:30:00Z');

test.each([
  ['2026-03-14', undefined],
  ['2026-03-15', undefined],
  ['2026-03-16', 'day-to-come'],
  ['2016-03-14', undefined],
  ['2016-03-13', 'day-too-long-ago'],
  ['2026-02-30', 'day-invalid'],
  ['', 'day-invalid'],
  ['14.3.2026', 'day-invalid'],
])('a check received on %j is answered with %s', (day, code) => {
  expect(receivedFailure(day, NOW)?.code).toBe(code);
});

test('a day is recorded as its noon, and never as a future time', () => {
  expect(momentOf('2026-03-13', NOW)).toEqual(new Date('2026-03-13T12:00:00Z'));
  expect(momentOf('2026-03-14', NOW)).toEqual(NOW);
  expect(momentOf('2026-03-15', NOW)).toEqual(NOW);
});
