// @spec decisions.3
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Overview } from '#contract/schemas/treasury.ts';
import {
  compareWithLastYear,
  formatColumnName,
  listSeriesWithEntries,
  sumOverview,
} from '#web/routes/editor/overview/chart-data.ts';
import { getAxisTicks, getLabelInterval, stackParts } from '#web/ui/chart-scale.ts';

test('positive parts stack up from zero, negative parts down', () => {
  const parts = [
    { key: 'card', value: 30 },
    { key: 'check', value: 0 },
    { key: 'returns', value: -10 },
    { key: 'renewal', value: 5 },
    { key: 'adjustment', value: -1 },
  ];
  expect(stackParts(parts)).toEqual([
    { key: 'card', from: 0, to: 30 },
    { key: 'returns', from: 0, to: -10 },
    { key: 'renewal', from: 30, to: 35 },
    { key: 'adjustment', from: -10, to: -11 },
  ]);
});

test.each([
  [[2036], [0, 1000, 2000, 3000]],
  [
    [-20, 80],
    [0, 50, 100],
  ],
  [
    [-120, 80],
    [-100, -50, 0, 50, 100],
  ],
  [[], [0, 1]],
  [[0.3], [0, 0.1, 0.2, 0.3]],
])('the scale of %j is %j', (values, scale) => {
  expect(getAxisTicks(values)).toEqual(scale);
});

test('a scale covers zero and the highest value in a few equal steps, and no value is a full step below its first tick', () => {
  const values = fc.array(fc.double({ min: -1e7, max: 1e7, noNaN: true }).filter((value) => Math.abs(value) > 0.01));
  fc.assert(
    fc.property(values, (samples) => {
      const scale = getAxisTicks(samples);
      expect(scale).toContain(0);
      const [first = 0, second = 0] = scale;
      expect(first - (second - first)).toBeLessThan(Math.min(0, ...samples));
      expect(Math.max(...scale)).toBeGreaterThanOrEqual(Math.max(0, ...samples));
      expect(scale.length).toBeLessThanOrEqual(7);
    }),
  );
});

test('labels don’t overlap', () => {
  expect(getLabelInterval(12, 640, 52)).toBe(1);
  expect(getLabelInterval(30, 640, 52)).toBe(3);
  expect(getLabelInterval(12, 250, 52)).toBe(3);
});

const OVERVIEW: Pick<Overview, 'columns'> = {
  columns: [
    { start: '2026-01-01', kinds: { payment: { amount: 0.1, carbon: 10, entries: 1 } } },
    {
      start: '2026-02-01',
      kinds: {
        renewal: { amount: 0.2, carbon: 0, entries: 2 },
        refund: { amount: -0.1, carbon: -10, entries: 1 },
        dispute: { amount: -0.2, carbon: 0, entries: 1 },
      },
    },
  ],
};

test('totals are exact, and returned money is subtracted', () => {
  expect(sumOverview(OVERVIEW)).toBe(0);
  expect(listSeriesWithEntries(OVERVIEW).map(({ key }) => key)).toEqual(['card', 'renewal', 'returns']);
});

test.each([
  ['2026-03-14', 'day', 'Mar 14', 'Mar 14'],
  ['2026-03-09', 'week', 'Week of Mar 9', 'Mar 9'],
  ['2026-03-01', 'month', 'March 2026', 'Mar'],
  ['2026-01-01', 'month', 'January 2026', 'Jan ’26'],
  ['2026-01-01', 'year', '2026', '2026'],
] as const)('a column starting on %s, by %s, has the name %s and the short name %s', (start, step, name, short) => {
  expect([formatColumnName(start, step), formatColumnName(start, step, true)]).toEqual([name, short]);
});

test.each([
  [130, 50, 'Up 160% from the same days last year'],
  [50, 50, 'Same as on these days last year'],
  [49.9, 50, 'About the same as on these days last year'],
  [20, 50, 'Down 60% from the same days last year'],
  [20, 0, 'No gifts on the same days last year'],
  [0, 0, 'No gifts this month yet'],
  [-50, 0, 'No gifts on the same days last year'],
])('$%d this month after $%d a year ago is "%s"', (amount, lastYear, text) => {
  expect(compareWithLastYear({ amount, lastYear })).toBe(text);
});
