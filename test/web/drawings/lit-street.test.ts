import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildStreet, type Street, type StreetWindow } from '#web/drawings/lit-street.tsx';

const findLitWindows = ({ blocks }: Street) => blocks.flatMap(({ litWindows }) => litWindows);
const findCandles = ({ blocks }: Street) => blocks.flatMap(({ candles }) => candles);
const findAllWindows = ({ blocks }: Street) =>
  blocks.flatMap(({ litWindows, candles, darkWindows }) => [...litWindows, ...candles, ...darkWindows]);
const toText = (position: StreetWindow) => JSON.stringify(position);
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

test('gifts light candles in their own windows, and grants light the other windows', () => {
  fc.assert(
    fc.property(fc.nat(WINDOW_COUNT), fc.array(fc.option(fc.string())), (grants, checkoutIds) => {
      const street = buildStreet(grants, checkoutIds);
      const candles = new Set(checkoutIds.flatMap((id) => findCandles(buildStreet(0, [id])).map(toText)));
      expect(new Set(findCandles(street).map(toText))).toEqual(candles);
      expect(findLitWindows(street)).toHaveLength(Math.min(grants, WINDOW_COUNT - candles.size));
      expect(findAllWindows(street)).toHaveLength(WINDOW_COUNT);
    }),
  );
});

test('a check’s candle is in the block shown on phones', () => {
  expect(buildStreet(0, [null]).blocks[0]?.candles).toHaveLength(1);
});

test('a checkout’s candle is always in the same window', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 22, maxLength: 22 }), fc.nat(100_000), (checkoutId, grants) => {
      const ownCandles = findCandles(buildStreet(grants, [checkoutId]));
      expect(ownCandles).toHaveLength(1);
      expect(ownCandles).toEqual(findCandles(buildStreet(0, [checkoutId])));
      expect(buildStreet(grants, [checkoutId]).blocks[1]?.candles).toEqual([]);
    }),
  );
  const candlePositions = new Set(
    Array.from({ length: 200 }, (_, index) => JSON.stringify(findCandles(buildStreet(9, [`c${index}`])))),
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
