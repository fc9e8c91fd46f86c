import fc from 'fast-check';
import { expect, test } from 'vitest';
import { litStreet, type Street } from '#web/drawings/lit-street.tsx';

const litIn = ({ blocks }: Street) => blocks.flatMap(({ lit }) => lit);
const allIn = ({ blocks }: Street) => blocks.flatMap(({ lit, dark }) => [...lit, ...dark]);
const WINDOWS = allIn(litStreet(0)).length;

test('one window is lit per grant, while there are windows left', () => {
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

test('one more grant lights one more window, and the others stay lit', () => {
  for (let grants = 0; grants < WINDOWS; grants += 1) {
    const after = litIn(litStreet(grants + 1));
    expect(after).toEqual(expect.arrayContaining(litIn(litStreet(grants))));
  }
});

test('the two blocks are equally wide, so that they fit side by side', () => {
  const columns = litStreet(0).blocks.map(({ houses }) =>
    houses.map((house) => house.columns).reduce((sum, one) => sum + one, 0),
  );
  const houses = litStreet(0).blocks.map((block) => block.houses.length);
  expect(new Set(columns).size).toBe(1);
  expect(new Set(houses).size).toBe(1);
});
