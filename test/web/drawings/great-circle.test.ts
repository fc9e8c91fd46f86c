import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distanceMiles } from '#domain/distance.ts';
import { greatCircle, type Position } from '#web/drawings/great-circle.ts';
import { frameRoute, MAP_RATIO } from '#web/drawings/route-map.tsx';

const ITHACA = { lat: 42.44, lon: -76.5 };
const LISBON = { lat: 38.72, lon: -9.14 };
const TOKYO = { lat: 35.69, lon: 139.69 };
const SEATTLE = { lat: 47.61, lon: -122.33 };

const anywhere = fc.record({
  lat: fc.double({ min: -85, max: 85, noNaN: true }),
  lon: fc.double({ min: -180, max: 180, noNaN: true }),
});

function computeLength(line: readonly Position[]): number {
  return line.slice(1).reduce((miles, to, index) => miles + distanceMiles(line[index] ?? to, to), 0);
}

test('the route from Ithaca to Lisbon bends north of both', () => {
  const line = greatCircle(ITHACA, LISBON);
  expect(line[0]).toEqual(ITHACA);
  expect(line.at(-1)).toEqual(LISBON);
  expect(Math.max(...line.map(({ lat }) => lat))).toBeGreaterThan(44);
});

test('a route over the Pacific continues past the date line', () => {
  const east = greatCircle(TOKYO, SEATTLE);
  expect(east.at(-1)?.lon).toBeCloseTo(360 - 122.33, 9);
  const west = greatCircle(SEATTLE, TOKYO);
  expect(west.at(-1)?.lon).toBeCloseTo(139.69 - 360, 9);
});

test('a route from a place to itself has zero length', () => {
  expect(greatCircle(ITHACA, ITHACA)).toEqual([ITHACA, ITHACA]);
});

test.each([
  ['on the equator', { lat: 0, lon: 0 }, { lat: 0, lon: 180 }],
  ['far from the equator', { lat: 40, lon: -75 }, { lat: -40, lon: 105 }],
  ['at the poles', { lat: 90, lon: 0 }, { lat: -90, lon: 0 }],
])('antipodes %s are half the earth’s circumference apart', (_, from, to) => {
  const line = greatCircle(from, to);
  expect(line.every(({ lat, lon }) => Number.isFinite(lat) && Number.isFinite(lon))).toBe(true);
  expect(Math.abs(computeLength(line) - Math.PI * 3958.8)).toBeLessThan(70);
});

test('the route’s length equals the distance, and no segment crosses the edge of the map', () => {
  fc.assert(
    fc.property(anywhere, anywhere, (from, to) => {
      const line = greatCircle(from, to);
      // Each step is rounded to a mile.
      expect(Math.abs(computeLength(line) - distanceMiles(from, to))).toBeLessThanOrEqual(line.length);
      for (const [index, { lon }] of line.entries()) {
        expect(Math.abs(lon - (line[index - 1]?.lon ?? lon))).toBeLessThan(180.000001);
      }
    }),
  );
});

test('the map shows the whole route with a margin', () => {
  fc.assert(
    fc.property(anywhere, anywhere, fc.constantFrom(...Object.values(MAP_RATIO)), (from, to, ratio) => {
      const { left, top, width, height, points } = frameRoute(from, to, ratio);
      expect(width / height).toBeCloseTo(ratio, 9);
      expect(width).toBeGreaterThanOrEqual(180);
      for (const { x, y } of points) {
        expect(x).toBeGreaterThan(left);
        expect(x).toBeLessThan(left + width);
        expect(y).toBeGreaterThan(top);
        expect(y).toBeLessThan(top + height);
      }
    }),
  );
});
