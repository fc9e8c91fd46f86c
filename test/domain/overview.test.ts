// @spec decisions.3
import { expect, test } from 'vitest';
import { createTimeline, getMonthsToDate } from '#domain/overview.ts';

/** A Saturday. */
const TODAY = '2026-03-14';

test('a month is thirty days including today', () => {
  const { step, periodStarts } = createTimeline('month', TODAY, undefined);
  expect([step, periodStarts.length, periodStarts[0], periodStarts.at(-1)]).toEqual([
    'day',
    30,
    '2026-02-13',
    '2026-03-14',
  ]);
});

test('a quarter is thirteen weeks starting on Mondays', () => {
  const { step, periodStarts } = createTimeline('quarter', TODAY, undefined);
  expect([step, periodStarts.length, periodStarts[0], periodStarts.at(-1)]).toEqual([
    'week',
    13,
    '2025-12-15',
    '2026-03-09',
  ]);
  expect(createTimeline('quarter', '2026-03-09', undefined).periodStarts.at(-1)).toBe('2026-03-09');
});

test('a year is twelve months and may span two calendar years', () => {
  const { step, periodStarts } = createTimeline('year', TODAY, undefined);
  expect([step, periodStarts.length, periodStarts[0], periodStarts.at(-1)]).toEqual([
    'month',
    12,
    '2025-04-01',
    '2026-03-01',
  ]);
});

test.each([
  [undefined, 'month', '2025-04-01'],
  ['2026-02-01', 'month', '2025-04-01'],
  ['2023-04-30', 'month', '2023-04-01'],
  ['2023-03-31', 'year', '2023-01-01'],
  ['2019-12-31', 'year', '2019-01-01'],
])('a ledger starting on %s has a timeline by %s from %s', (first, step, start) => {
  const timeline = createTimeline('all', TODAY, first);
  expect([timeline.step, timeline.periodStarts[0]]).toEqual([step, start]);
});

test.each([
  ['2026-03-14', { from: '2026-03-01', to: '2026-03-14' }, { from: '2025-03-01', to: '2025-03-14' }],
  ['2028-02-29', { from: '2028-02-01', to: '2028-02-29' }, { from: '2027-02-01', to: '2027-02-28' }],
])('month-to-date through %s is compared with the same days last year', (today, thisMonth, lastYear) => {
  expect(getMonthsToDate(today)).toEqual({ thisMonth, lastYear });
});
