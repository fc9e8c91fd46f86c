// @spec 2.home-screen 2.cart-tab 9.cost 9.display decisions.2
import fc from 'fast-check';
import { expect, expectTypeOf, test } from 'vitest';
import { calculatePrice } from '#domain/emissions.ts';
import type { CheckoutId, OrgId, UserId } from '#domain/ids.ts';
import {
  type Cents,
  type Dollars,
  fitsStoredDecimals,
  formatCents,
  formatDollars,
  formatPounds,
  formatWhole,
  formatWholeDollars,
  type Pounds,
  type TenThousandthsOfPound,
  toChargedCents,
  toDollars,
  toPounds,
  toTenThousandths,
} from '#domain/money.ts';
import { roundToNumber, roundToUnits, times, toExact } from '#test/support/rational.ts';

const PRICE = { numerator: 125n, denominator: 10_000n };
const pounds = fc.integer({ min: 0, max: 10 ** 13 }).map((units) => toExact(units, 4));
const dollars = fc.integer({ min: 0, max: 10 ** 12 }).map((units) => toExact(units, 4));

test.each([
  [3864, 48.3],
  [121.7, 1.5213],
  [121.6999, 1.5212],
  [0.8, 0.01],
  [0.0001, 0.01],
  [0.8001, 0.01],
  [0.81, 0.0101],
  [5e-324, 0.01],
  [8_640, 108],
])('%d lb cost $%d', (carbon, cost) => {
  expect(calculatePrice(carbon)).toBe(cost);
});

test('a price is the carbon times $0.0125, at least a cent, rounded half away from zero to 4 decimals', () => {
  fc.assert(
    fc.property(pounds, (carbon) => {
      expect(calculatePrice(carbon.number)).toBe(Math.max(0.01, roundToNumber(times(carbon.rational, PRICE), 4)));
    }),
  );
});

test.each([
  [1.5213, 152],
  [1.525, 153],
  [1.005, 101],
  [0.01, 1],
  [0.0049, 1],
  [0, 1],
  [48.3, 4830],
])('a cost of $%d is charged as %i cents', (cost, cents) => {
  expect(toChargedCents(cost)).toBe(cents);
});

test('a charge is the cost rounded once to whole cents, at least one cent', () => {
  fc.assert(
    fc.property(dollars, (cost) => {
      const cents = Number(roundToUnits(cost.rational, 2));
      expect(toChargedCents(cost.number)).toBe(Math.max(1, cents));
    }),
  );
});

test('cents and ten-thousandths convert to dollars and pounds and back without loss', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), (count) => {
      expect(toChargedCents(toDollars(Math.abs(count) + 1))).toBe(Math.abs(count) + 1);
      expect(toTenThousandths(toPounds(count))).toBe(count);
    }),
  );
});

test.each([
  [123_450, '$1,234.50'],
  [5, '$0.05'],
  [0, '$0.00'],
  [-0, '$0.00'],
  [-250_000, '-$2,500.00'],
  [99_999_999, '$999,999.99'],
])('%i cents are shown as %s', (cents, text) => {
  expect(formatCents(cents)).toBe(text);
});

test('pounds show two decimals and home stats none, exactly rounded, with thousands separators', () => {
  expect(formatPounds(3864)).toBe('3,864.00');
  expect(formatPounds(1.005)).toBe('1.01');
  expect(formatPounds(1_234_567.891)).toBe('1,234,567.89');
  expect(formatWhole(1234.5)).toBe('1,235');
  expect(formatWhole(999.4)).toBe('999');
  expect(formatWhole(1e21)).toBe('1,000,000,000,000,000,000,000');
});

test.each([
  [18_234.4, '$18,234'],
  [18_234.5, '$18,235'],
  [25, '$25'],
  [0, '$0'],
  [-0.4, '$0'],
  [-1234, '-$1,234'],
])('$%d as whole dollars is %s', (dollars, text) => {
  expect(formatWholeDollars(dollars)).toBe(text);
});

test('numbers with more than 4 decimals and non-finite numbers are rejected', () => {
  for (const valid of [0, 1, 0.1, 0.0001, 121.7, 1e9, -3.25]) expect(fitsStoredDecimals(valid)).toBe(true);
  for (const invalid of [0.00001, 1 / 3, 0.1 + 0.2, 5e-324, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(fitsStoredDecimals(invalid)).toBe(false);
  }
});

test.each([
  [12.5, '$12.50'],
  [1, '$1.00'],
  [1.5213, '$1.5213'],
  [0.123, '$0.1230'],
  [1_234_567.89, '$1,234,567.89'],
])('a cost of %d dollars is written as %s', (dollars, text) => {
  expect(formatDollars(dollars)).toBe(text);
});

test('values of different units or id kinds have incompatible types', () => {
  expectTypeOf<Dollars>().not.toExtend<Cents>();
  expectTypeOf<Cents>().not.toExtend<Dollars>();
  expectTypeOf<Pounds>().not.toExtend<TenThousandthsOfPound>();
  expectTypeOf<TenThousandthsOfPound>().not.toExtend<Cents>();
  expectTypeOf<UserId>().not.toExtend<OrgId>();
  expectTypeOf<CheckoutId>().not.toExtend<OrgId>();
});
