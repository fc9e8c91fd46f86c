import { expect, test } from 'vitest';
import { timelineOf } from '#domain/overview.ts';

/** A Saturday. */
const NOW = new Date('2026-03-14T09:30:00Z');

test('a month is thirty days, today among them', () => {
  const { step, starts } = timelineOf('month', NOW, undefined);
  expect([step, starts.length, starts[0], starts.at(-1)]).toEqual(['day', 30, '2026-02-13', '2026-03-14']);
});

test('a quarter is thirteen weeks from Monday on', () => {
  const { step, starts } = timelineOf('quarter', NOW, undefined);
  expect([step, starts.length, starts[0], starts.at(-1)]).toEqual(['week', 13, '2025-12-15', '2026-03-09']);
  expect(timelineOf('quarter', new Date('2026-03-09T00:00:00Z'), undefined).starts.at(-1)).toBe('2026-03-09');
});

test('a year is twelve months, also over the end of one', () => {
  const { step, starts } = timelineOf('year', NOW, undefined);
  expect([step, starts.length, starts[0], starts.at(-1)]).toEqual(['month', 12, '2025-04-01', '2026-03-01']);
});

test.each([
  [undefined, 'month', '2025-04-01'],
  ['2026-02-01T00:00:00Z', 'month', '2025-04-01'],
  ['2023-04-30T23:59:59Z', 'month', '2023-04-01'],
  ['2023-03-31T23:59:59Z', 'year', '2023-01-01'],
  ['2019-12-31T23:59:59Z', 'year', '2019-01-01'],
])('all of a ledger that begins at %s is shown by the %s, from %s on', (first, step, start) => {
  const stretch = timelineOf('all', NOW, first === undefined ? undefined : new Date(first));
  expect([stretch.step, stretch.starts[0]]).toEqual([step, start]);
});
