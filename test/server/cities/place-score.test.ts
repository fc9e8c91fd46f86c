import { expect, test } from 'vitest';
import { computePlaceScore } from '#server/gateways/places/city-file.ts';

const village = { population: 990, feature: 'PPL', countryCode: 'FR' };

test('ten times the population adds a hundred points', () => {
  expect(computePlaceScore(village)).toBe(300);
  expect(computePlaceScore({ ...village, population: 9990 })).toBe(400);
});

test('of two similar places with the same name, the domestic one wins unless the other is ten times larger', () => {
  const domesticScore = computePlaceScore({ ...village, countryCode: 'US' });
  expect(domesticScore).toBeGreaterThan(computePlaceScore(village));
  expect(domesticScore).toBeLessThan(computePlaceScore({ ...village, population: 9990 }));
});

test('a capital ranks above a city of its size, a district below it, and no score is negative', () => {
  expect(computePlaceScore({ ...village, feature: 'PPLC' })).toBeGreaterThan(computePlaceScore(village));
  expect(computePlaceScore({ ...village, feature: 'PPLX' })).toBeLessThan(computePlaceScore(village));
  expect(computePlaceScore({ population: -9, feature: 'PPLX', countryCode: 'FR' })).toBe(0);
});
