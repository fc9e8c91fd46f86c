import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildStreet, type Street } from '#web/drawings/lit-street.tsx';

const findLitWindows = ({ blocks }: Street) => blocks.flatMap(({ litWindows }) => litWindows);
const findCandles = ({ blocks }: Street) => blocks.flatMap(({ candles }) => candles);
const findAllWindows = ({ blocks }: Street) =>
  blocks.flatMap(({ litWindows, candles, darkWindows }) => [...litWindows, ...candles, ...darkWindows]);
const WINDOW_COUNT = findAllWindows(buildStreet(0)).length;

test('each grant lights one window while there are enough windows', () => {
  for (let grants = 0; grants <= WINDOW_COUNT; grants += 1) {
    const street = buildStreet(grants);
    expect(findLitWindows(street)).toHaveLength(grants);
    expect(street.grantsPerWindow).toBe(1);
  }
});

test('with more grants than windows, each lit window counts for several, accurate to half a window', () => {
  fc.assert(
    fc.property(fc.integer({ min: WINDOW_COUNT + 1, max: 1_000_000 }), (grants) => {
      const street = buildStreet(grants);
      const litCount = findLitWindows(street).length;
      expect(litCount).toBeLessThanOrEqual(WINDOW_COUNT);
      expect(Math.abs(litCount * street.grantsPerWindow - grants)).toBeLessThanOrEqual(street.grantsPerWindow / 2);
    }),
  );
});

test('one more grant lights one more window and keeps the others lit', () => {
  for (let grants = 0; grants < WINDOW_COUNT; grants += 1) {
    const windowsAfter = findLitWindows(buildStreet(grants + 1));
    expect(windowsAfter).toEqual(expect.arrayContaining(findLitWindows(buildStreet(grants))));
  }
});

test('each gift lights a candle in its own window, as long as windows remain', () => {
  fc.assert(
    fc.property(fc.nat(WINDOW_COUNT), fc.nat(3 * WINDOW_COUNT), (grants, gifts) => {
      const street = buildStreet(grants, gifts);
      expect(findCandles(street)).toHaveLength(Math.min(gifts, WINDOW_COUNT));
      expect(findLitWindows(street)).toHaveLength(Math.min(grants, WINDOW_COUNT - findCandles(street).length));
      expect(findAllWindows(street)).toHaveLength(WINDOW_COUNT);
    }),
  );
});

test('the first two gifts have their candles in the block shown on phones', () => {
  for (const gifts of [1, 2]) expect(buildStreet(0, gifts).blocks[0]?.candles).toHaveLength(gifts);
});

test('a checkout’s candle is always in the same window', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 22, maxLength: 22 }), fc.nat(100_000), (checkoutId, grants) => {
      const ownCandles = findCandles(buildStreet(grants, { checkoutId }));
      expect(ownCandles).toHaveLength(1);
      expect(ownCandles).toEqual(findCandles(buildStreet(0, { checkoutId })));
      expect(buildStreet(grants, { checkoutId }).blocks[1]?.candles).toEqual([]);
    }),
  );
  const candlePositions = new Set(
    Array.from({ length: 200 }, (_, index) => JSON.stringify(findCandles(buildStreet(9, { checkoutId: `c${index}` })))),
  );
  expect(candlePositions.size).toBeGreaterThan(10);
});

test('both blocks have the same width and number of houses', () => {
  const columns = buildStreet(0).blocks.map(({ houses }) =>
    houses.map((house) => house.columns).reduce((sum, houseColumns) => sum + houseColumns, 0),
  );
  const houses = buildStreet(0).blocks.map((block) => block.houses.length);
  expect(new Set(columns).size).toBe(1);
  expect(new Set(houses).size).toBe(1);
});
