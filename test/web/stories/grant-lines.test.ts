import { expect, test } from 'vitest';
import type { PublishedGrant } from '#contract/schemas/stories.ts';
import { describeGrants } from '#web/stories/grant-lines.ts';

const CASES: readonly (readonly [grants: PublishedGrant[] | undefined, line: string])[] = [
  [[{ amount: 1840, measures: ['attic-insulation', 'heat-pump'] }], '$1,840 · attic insulation and heat pump'],
  [[{ amount: 1840.5 }], '$1,840.50'],
  [[{ measures: ['attic-insulation', 'heat-pump'] }], 'Attic insulation and heat pump'],
  [[{ amount: 500 }, { amount: 700, measures: ['heat-pump'] }], '$500; $700 · heat pump'],
  [[{ measures: [] }], ''],
  [undefined, ''],
];

test.each(CASES)('grants %j are described as "%s"', (grants, line) => {
  expect(describeGrants({ grants })).toBe(line);
});
