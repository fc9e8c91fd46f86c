import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCityFile, type KeyRow } from '#server/gateways/places/city-file.ts';
import { openCityTable } from '#server/gateways/places/city-table.ts';

const STATES = [
  { countryCode: 'US', code: 'NY', name: 'New York' },
  { countryCode: 'SN', code: '', name: '' },
];
const PLACES = [
  { score: 493, state: 0, name: 'Ithaca', county: 'Tompkins County', postcode: '14850', lat: 42.44063, lon: -76.49661 },
  { score: 0, state: 1, name: 'Saint-Louis', county: '', postcode: '', lat: 16.01793, lon: -16.48962 },
];

const buildTable = (keys: readonly KeyRow[]) => {
  const sortedKeys = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
  return openCityTable(Buffer.from(formatCityFile(STATES, PLACES, sortedKeys)));
};

test('a formatted list is parsed back unchanged', () => {
  const table = buildTable([
    { key: 'ithaca', place: 0, isOtherName: false },
    { key: 'ndar', place: 1, isOtherName: true },
  ]);
  expect(table.states).toEqual(STATES);
  expect(PLACES.map((_, place) => table.getPlace(place))).toEqual(PLACES);
  expect(PLACES.map((_, place) => [table.getScore(place), table.getState(place)])).toEqual([
    [493, 0],
    [0, 1],
  ]);
  const { start } = table.findKeys('ndar');
  expect([table.getPlaceOfKey(start), table.isOtherName(start), table.isOtherName(start - 1)]).toEqual([
    1,
    true,
    false,
  ]);
});

const anyKey = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', 'é', '東', '𐐀'), minLength: 1, maxLength: 4 }),
  fc.constantFrom('zz', 'zz0'),
);

test('finds all keys with a prefix, exact matches first', () => {
  fc.assert(
    fc.property(fc.array(anyKey, { maxLength: 30 }), fc.oneof(anyKey, fc.constant('')), (keys, text) => {
      const table = buildTable(keys.map((key, index) => ({ key, place: index, isOtherName: false })));
      const { start, exactEnd, end } = table.findKeys(text);
      const names = Array.from({ length: end - start }, (_, index) => keys[table.getPlaceOfKey(start + index)]);
      const matchingKeys = keys.filter((key) => key.startsWith(text));
      expect(names).toHaveLength(matchingKeys.length);
      expect(names).toEqual(expect.arrayContaining(matchingKeys));
      expect(exactEnd - start).toBe(keys.filter((key) => key === text).length);
      expect(names.slice(0, exactEnd - start).every((key) => key === text)).toBe(true);
      expect(table.findPlacesByName(text).size).toBe(exactEnd - start);
    }),
  );
});

test('searching an empty city table finds nothing', () => {
  expect(buildTable([]).findKeys('ithaca')).toEqual({ start: 0, exactEnd: 0, end: 0 });
});
