// @spec 9.car-factor 9.distance decisions.2
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distanceMiles, drivingMiles, EARTH_RADIUS_MILES, type Place } from '#domain/distance.ts';

const CITIES = {
  ithaca: { lat: 42.444, lon: -76.5019 },
  lisbon: { lat: 38.7167, lon: -9.1333 },
  newYork: { lat: 40.7128, lon: -74.006 },
  losAngeles: { lat: 34.0522, lon: -118.2437 },
  london: { lat: 51.5074, lon: -0.1278 },
  paris: { lat: 48.8566, lon: 2.3522 },
  sydney: { lat: -33.8688, lon: 151.2093 },
  fiji: { lat: -18.1416, lon: 178.4419 },
  samoa: { lat: -13.8333, lon: -171.7667 },
} as const;

const place = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lon: fc.double({ min: -180, max: 180, noNaN: true }),
});

test.each([
  ['newYork', 'losAngeles', 2446],
  ['london', 'paris', 213],
  ['ithaca', 'lisbon', 3447],
  ['london', 'sydney', 10_560],
  // Measured across the date line, not the long way around the world.
  ['fiji', 'samoa', 715],
] as const)('from %s to %s is %i miles, within 0.1%', (from, to, miles) => {
  expect(Math.abs(distanceMiles(CITIES[from], CITIES[to]) - miles)).toBeLessThanOrEqual(Math.ceil(miles / 1000));
});

test('distance is symmetric, and 0 from a place to itself', () => {
  fc.assert(
    fc.property(place, place, (a, b) => {
      expect(distanceMiles(a, b)).toBe(distanceMiles(b, a));
      expect(distanceMiles(a, a)).toBe(0);
    }),
  );
});

test('the angle at the center of the earth gives the same miles', () => {
  fc.assert(
    fc.property(place, place, (a, b) => {
      expect(Math.abs(distanceMiles(a, b) - EARTH_RADIUS_MILES * angleBetween(a, b))).toBeLessThan(0.51);
    }),
  );
});

test('antipodes are half the circumference apart, not NaN', () => {
  const halfCircumference = Math.round(Math.PI * EARTH_RADIUS_MILES);
  expect(distanceMiles({ lat: 90, lon: 0 }, { lat: -90, lon: 77 })).toBe(halfCircumference);
  fc.assert(
    fc.property(place, ({ lat, lon }) => {
      expect(distanceMiles({ lat, lon }, { lat: -lat, lon: lon > 0 ? lon - 180 : lon + 180 })).toBe(halfCircumference);
    }),
  );
});

test('road miles are the rounded distance × 1.2, rounded again', () => {
  expect(drivingMiles(CITIES.newYork, CITIES.losAngeles)).toBe(2935);
  fc.assert(
    fc.property(place, place, (a, b) => {
      expect(drivingMiles(a, b)).toBe(Number((12n * BigInt(distanceMiles(a, b)) + 5n) / 10n));
    }),
  );
});

/** Computed with cross and dot products, which are also accurate for nearby and opposite places. */
function angleBetween(a: Place, b: Place): number {
  const [x, y, z] = toDirectionVector(a);
  const [u, v, w] = toDirectionVector(b);
  const cross = Math.hypot(y * w - z * v, z * u - x * w, x * v - y * u);
  return Math.atan2(cross, x * u + y * v + z * w);
}

function toDirectionVector({ lat, lon }: Place): [number, number, number] {
  const [north, east] = [(lat * Math.PI) / 180, (lon * Math.PI) / 180];
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
}
