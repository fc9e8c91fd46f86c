import { expect, test } from 'vitest';
import { placeScore } from '#server/gateways/places/city-file.ts';

const village = { population: 990, feature: 'PPL', countryCode: 'FR' };

test('ten times the population adds a hundred points', () => {
  expect(placeScore(village)).toBe(300);
  expect(placeScore({ ...village, population: 9990 })).toBe(400);
});

test('of two similar places with the same name, the domestic one wins unless the other is ten times larger', () => {
  const domesticScore = placeScore({ ...village, countryCode: 'US' });
  expect(domesticScore).toBeGreaterThan(placeScore(village));
  expect(domesticScore).toBeLessThan(placeScore({ ...village, population: 9990 }));
});

test('a capital ranks above a city of its size, a district below it, and no score is negative', () => {
  expect(placeScore({ ...village, feature: 'PPLC' })).toBeGreaterThan(placeScore(village));
  expect(placeScore({ ...village, feature: 'PPLX' })).toBeLessThan(placeScore(village));
  expect(placeScore({ population: -9, feature: 'PPLX', countryCode: 'FR' })).toBe(0);
});
