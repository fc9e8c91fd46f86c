import { expect, test } from 'vitest';
import { placeScore } from '#server/gateways/places/city-file.ts';

const village = { population: 990, feature: 'PPL', countryCode: 'FR' };

test('ten times the population is worth a hundred', () => {
  expect(placeScore(village)).toBe(300);
  expect(placeScore({ ...village, population: 9990 })).toBe(400);
});

test('of two namesakes of like size the one at home is meant, and the one ten times as large is meant before it', () => {
  const atHome = placeScore({ ...village, countryCode: 'US' });
  expect(atHome).toBeGreaterThan(placeScore(village));
  expect(atHome).toBeLessThan(placeScore({ ...village, population: 9990 }));
});

test('a capital comes before a city of its size, a part of a city after it, and no place below zero', () => {
  expect(placeScore({ ...village, feature: 'PPLC' })).toBeGreaterThan(placeScore(village));
  expect(placeScore({ ...village, feature: 'PPLX' })).toBeLessThan(placeScore(village));
  expect(placeScore({ population: -9, feature: 'PPLX', countryCode: 'FR' })).toBe(0);
});
