// @spec 1.visitors 3.calculator-inputs 5.home 5.air 5.car 8.strings 9.quick 9.quick-period 9.roundtrip 9.air 9.car
// @spec decisions.2
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { airCarbon, carCarbon, gasEquivalent, homeCarbon, quickCarbon } from '#domain/emissions.ts';
import { Failure } from '#domain/failures.ts';
import { dividedBy, plus, roundToNumber, roundToUnits, times, toExact } from '#test/support/rational.ts';

// Uses fractions, so that the test doesn't repeat an error in the program's table or arithmetic.
const AIR = { numerator: 56n, denominator: 100n };
const CAR = { numerator: 3928n, denominator: 100n };
const HOME = {
  propane: { numerator: 1217n, denominator: 100n },
  electricity: { numerator: 233n, denominator: 1000n },
  gas: { numerator: 252n, denominator: 10n },
  oil: { numerator: 2237n, denominator: 100n },
};
const ONE = { numerator: 1n, denominator: 1n };
const TWO = { numerator: 2n, denominator: 1n };

const amount = fc
  .tuple(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 0, max: 4 }))
  .map(([units, scale]) => toExact(units, scale));
const INVALID_NUMBERS = [0, -0, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

test.each([
  [{ travelers: 1, miles: 3450, roundtrip: true }, 3864],
  [{ travelers: 2, miles: 3450, roundtrip: true }, 7728],
  [{ travelers: 1, miles: 1, roundtrip: false }, 0.56],
  [{ travelers: 3, miles: 0.0001, roundtrip: false }, 0.0002],
])('a flight of %j emits %d lb', (flight, carbon) => {
  expect(airCarbon(flight)).toBe(carbon);
});

test.each([
  [{ miles: 100, mpg: 25, roundtrip: false }, 157.12],
  [{ miles: 100, mpg: 30, roundtrip: true }, 261.8667],
  [{ miles: 1, mpg: 3, roundtrip: false }, 13.0933],
])('a drive of %j emits %d lb', (drive, carbon) => {
  expect(carCarbon(drive)).toBe(carbon);
});

test('a flight is exactly travelers × miles × 0.56, doubled for a round trip', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), amount, fc.boolean(), (travelers, miles, roundtrip) => {
      const expected = times(toExact(travelers, 0).rational, miles.rational, AIR, roundtrip ? TWO : ONE);
      expect(airCarbon({ travelers, miles: miles.number, roundtrip })).toBe(roundToNumber(expected, 4));
    }),
  );
});

test('a drive is miles / mpg × 39.28, doubled for a round trip, and rounded once', () => {
  fc.assert(
    fc.property(amount, amount, fc.boolean(), (miles, mpg, roundtrip) => {
      const expected = dividedBy(times(miles.rational, CAR, roundtrip ? TWO : ONE), mpg.rational);
      expect(carCarbon({ miles: miles.number, mpg: mpg.number, roundtrip })).toBe(roundToNumber(expected, 4));
    }),
  );
});

test('home energy is the exact sum of its four fuels', () => {
  fc.assert(
    fc.property(
      fc.record({ propane: amount, electricity: amount, gas: amount, oil: amount }),
      ({ propane, electricity, gas, oil }) => {
        const parts = [
          times(propane.rational, HOME.propane),
          times(electricity.rational, HOME.electricity),
          times(gas.rational, HOME.gas),
          times(oil.rational, HOME.oil),
        ];
        const energy = { propane: propane.number, electricity: electricity.number, gas: gas.number, oil: oil.number };
        expect(homeCarbon(energy)).toBe(roundToNumber(plus(...parts), 4));
      },
    ),
  );
});

test('blank, negative, and non-numeric home energy counts as 0', () => {
  expect(homeCarbon({})).toBe(0);
  for (const invalid of INVALID_NUMBERS) expect(homeCarbon({ propane: invalid, gas: 1 })).toBe(25.2);
});

test('a flight without travelers or miles is rejected with the missing field', () => {
  for (const invalid of INVALID_NUMBERS) {
    expect(resultCode(() => airCarbon({ travelers: invalid, miles: 100, roundtrip: false }))).toBe('no-travelers');
    expect(resultCode(() => airCarbon({ travelers: 1, miles: invalid, roundtrip: false }))).toBe('no-miles');
    expect(resultCode(() => carCarbon({ miles: invalid, mpg: 25, roundtrip: false }))).toBe('no-miles');
  }
});

test('a drive without miles per gallon uses 25', () => {
  for (const invalid of INVALID_NUMBERS) expect(carCarbon({ miles: 100, mpg: invalid, roundtrip: false })).toBe(157.12);
});

test('extreme numbers don’t fail', () => {
  expect(airCarbon({ travelers: 1, miles: 1e21, roundtrip: false })).toBe(5.6e20);
  expect(airCarbon({ travelers: 1, miles: 5e-324, roundtrip: false })).toBe(0);
  expect(carCarbon({ miles: 5e-324, mpg: 1e21, roundtrip: true })).toBe(0);
  expect(homeCarbon({ electricity: 1e21 })).toBe(2.33e20);
});

test('a quick estimate is the monthly base times the number of months in the period', () => {
  const estimates = (['car', 'home', 'air'] as const).map((type) =>
    (['year', 'quarter', 'monthly'] as const).map((time) => quickCarbon({ type, time })),
  );
  expect(estimates).toEqual([
    [8664, 2166, 722],
    [14_880, 3720, 1240],
    [5100, 1275, 425],
  ]);
});

test('carbon converts to 102 gallons of gasoline per 2,000 pounds, negative for a refund', () => {
  expect(gasEquivalent(2000_0000)).toBe(102_0000);
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), (carbon) => {
      const expected = times(toExact(carbon, 0).rational, { numerator: 102n, denominator: 2000n });
      expect(gasEquivalent(carbon)).toBe(Number(roundToUnits(expected, 0)));
      expect(gasEquivalent(carbon) + gasEquivalent(-carbon)).toBe(0);
    }),
  );
});

function resultCode(calculate: () => number): string {
  try {
    return String(calculate());
  } catch (error) {
    return error instanceof Failure ? error.code : 'not a failure';
  }
}
