import fc from 'fast-check';
import { expect, test } from 'vitest';
import { litStreet, type Street } from '#web/drawings/lit-street.tsx';

const litIn = ({ blocks }: Street) => blocks.flatMap(({ lit }) => lit);
const candlesIn = ({ blocks }: Street) => blocks.flatMap(({ candles }) => candles);
const allIn = ({ blocks }: Street) => blocks.flatMap(({ lit, candles, dark }) => [...lit, ...candles, ...dark]);
const WINDOWS = allIn(litStreet(0)).length;

test('each grant lights one window while there are enough windows', () => {
  for (let grants = 0; grants <= WINDOWS; grants += 1) {
    const street = litStreet(grants);
    expect(litIn(street)).toHaveLength(grants);
    expect(street.grantsPerWindow).toBe(1);
  }
});

test('with more grants than windows, each lit window counts for several, accurate to half a window', () => {
  fc.assert(
    fc.property(fc.integer({ min: WINDOWS + 1, max: 1_000_000 }), (grants) => {
      const street = litStreet(grants);
      const lit = litIn(street).length;
      expect(lit).toBeLessThanOrEqual(WINDOWS);
      expect(Math.abs(lit * street.grantsPerWindow - grants)).toBeLessThanOrEqual(street.grantsPerWindow / 2);
    }),
  );
});

test('one more grant lights one more window and keeps the others lit', () => {
  for (let grants = 0; grants < WINDOWS; grants += 1) {
    const windowsAfter = litIn(litStreet(grants + 1));
    expect(windowsAfter).toEqual(expect.arrayContaining(litIn(litStreet(grants))));
  }
});

test('each gift lights a candle in its own window, as long as windows remain', () => {
  fc.assert(
    fc.property(fc.nat(WINDOWS), fc.nat(3 * WINDOWS), (grants, gifts) => {
      const street = litStreet(grants, gifts);
      expect(candlesIn(street)).toHaveLength(Math.min(gifts, WINDOWS));
      expect(litIn(street)).toHaveLength(Math.min(grants, WINDOWS - candlesIn(street).length));
      expect(allIn(street)).toHaveLength(WINDOWS);
    }),
  );
});

test('the first two gifts have their candles in the block shown on phones', () => {
  for (const gifts of [1, 2]) expect(litStreet(0, gifts).blocks[0]?.candles).toHaveLength(gifts);
});

test('a checkout’s candle is always in the same window', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 22, maxLength: 22 }), fc.nat(100_000), (checkoutId, grants) => {
      const ownCandles = candlesIn(litStreet(grants, { checkoutId }));
      expect(ownCandles).toHaveLength(1);
      expect(ownCandles).toEqual(candlesIn(litStreet(0, { checkoutId })));
      expect(litStreet(grants, { checkoutId }).blocks[1]?.candles).toEqual([]);
    }),
  );
  const places = new Set(
    Array.from({ length: 200 }, (_, index) => JSON.stringify(candlesIn(litStreet(9, { checkoutId: `c${index}` })))),
  );
  expect(places.size).toBeGreaterThan(10);
});

test('both blocks are equally wide', () => {
  const columns = litStreet(0).blocks.map(({ houses }) =>
    houses.map((house) => house.columns).reduce((sum, houseColumns) => sum + houseColumns, 0),
  );
  const houses = litStreet(0).blocks.map((block) => block.houses.length);
  expect(new Set(columns).size).toBe(1);
  expect(new Set(houses).size).toBe(1);
});
