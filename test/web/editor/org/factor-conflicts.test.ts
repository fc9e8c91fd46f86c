import { expect, test } from 'vitest';
import { createFactorSet, SPECIFIED_SET } from '#domain/factor-sets.ts';
import { findConflicts } from '#web/routes/editor/org/factor-conflicts.tsx';

test('the default factors disagree with each other and with the FAQ', () => {
  const sentences = findConflicts(SPECIFIED_SET).join(' ');
  expect(sentences).toContain('At 39.28 lb per gallon, 51 gallons make a ton.');
  expect(sentences).toContain('39.28 lb per gallon is exactly twice 19.64.');
  expect(sentences).toContain('equals 919 miles at 19.64 lb per gallon but only 460 miles at 39.28');
  expect(sentences).toContain('The natural gas factor, 25.2 lb per therm');
});

test('EPA’s fuels agree with the FAQ’s gallons', () => {
  const sentences = findConflicts(createFactorSet({ fuels: 'epa' }));
  expect(sentences[0]).toContain('At 19.36 lb per gallon it takes 103, so these agree.');
  expect(sentences).toHaveLength(3);
});
