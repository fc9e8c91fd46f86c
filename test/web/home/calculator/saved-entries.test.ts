// @spec 2.air 2.city-picker
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRecentCities } from '#web/routes/home/calculator/city-picker.tsx';
import { AIR_DEFAULTS, CAR_DEFAULTS, EXAMPLE_FLIGHT } from '#web/routes/home/calculator/estimates.ts';
import { parseEntries, serializeEntries } from '#web/routes/home/calculator/saved-entries.ts';

test.each([
  ['nothing', { air: undefined, lazyFields: {} }],
  ['a flight', { air: EXAMPLE_FLIGHT, lazyFields: {} }],
  [
    'all calculators',
    {
      air: AIR_DEFAULTS,
      lazyFields: {
        car: CAR_DEFAULTS,
        home: { propane: '1', electricity: '2', gas: '', oil: '4' },
        quick: { type: 'air', time: 'monthly' },
      },
    },
  ],
] as const)('entries survive a reload: %s', (_title, entries) => {
  expect(parseEntries(serializeEntries(entries))).toEqual(entries);
});

test('invalid stored text is ignored', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const { lazyFields } = parseEntries(text);
      expect(Object.keys(lazyFields).filter((tab) => !['car', 'home', 'quick'].includes(tab))).toEqual([]);
      expect(parseRecentCities(text).length).toBeLessThanOrEqual(5);
    }),
  );
});
