// @spec 9.cost decisions.2
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { add, compare, decimal, divide, multiply, round, toNumber, toText, toUnits } from '#domain/decimal.ts';
import { dividedBy, plus, roundToUnits, times, toExact } from '#test/support/rational.ts';

const exactNumber = fc
  .tuple(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), fc.integer({ min: 0, max: 8 }))
  .map(([units, scale]) => toExact(units, scale));
const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

test('a number becomes the decimal of its digits, not the nearest binary fraction', () => {
  expect(toText(add(decimal(0.1), decimal(0.2)))).toBe('0.3');
  expect(toText(multiply(decimal(1.1), decimal(1.1)))).toBe('1.21');
  expect(toText(round(decimal(1.005), 2))).toBe('1.01');
});

test.each([
  [1e21, '1000000000000000000000'],
  [1.5e300, `15${'0'.repeat(299)}`],
  [5e-324, `0.${'0'.repeat(323)}5`],
  [1e-7, '0.0000001'],
  [-1.25e-7, '-0.000000125'],
  [-0, '0'],
  ['007.50', '7.50'],
])('%d is written as %s', (value, text) => {
  expect(toText(decimal(value)).replace(/^0+(?=\d)/, '')).toBe(text);
});

test.each([
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  '',
  ' 1',
  '1,000',
  '0x10',
  '1.',
  '.5',
  '1e',
  '--1',
  '١',
])('%j is not a decimal number', (value) => {
  expect(() => decimal(value)).toThrow(RangeError);
});

test('every finite number survives a round trip', () => {
  fc.assert(
    fc.property(finite, (value) => {
      expect(toNumber(decimal(value))).toBe(value === 0 ? 0 : value);
    }),
  );
});

test('sums and products are exact', () => {
  fc.assert(
    fc.property(exactNumber, exactNumber, (a, b) => {
      const sum = add(decimal(a.text), decimal(b.text));
      const product = multiply(decimal(a.number), decimal(b.number));
      expect(round(sum, 16).units).toBe(roundToUnits(plus(a.rational, b.rational), 16));
      expect(round(product, 16).units).toBe(roundToUnits(times(a.rational, b.rational), 16));
    }),
  );
});

test('a quotient is rounded once, half away from zero', () => {
  fc.assert(
    fc.property(exactNumber, exactNumber, fc.integer({ min: 0, max: 6 }), (a, b, places) => {
      fc.pre(b.rational.numerator !== 0n);
      const quotient = divide(decimal(a.number), decimal(b.number), places);
      expect(quotient).toEqual({ units: roundToUnits(dividedBy(a.rational, b.rational), places), scale: places });
    }),
  );
  expect(() => divide(decimal(1), decimal(0), 4)).toThrow(RangeError);
});

test.each([
  ['1.52125', 4, '1.5213'],
  ['-1.52125', 4, '-1.5213'],
  ['1.52124999999', 4, '1.5212'],
  ['0.5', 0, '1'],
  ['-0.5', 0, '-1'],
  ['-0.4', 0, '0'],
  ['0.00005', 4, '0.0001'],
  ['9.99995', 4, '10.0000'],
  ['25', 2, '25.00'],
])('%s rounded to %i decimals is %s', (value, places, rounded) => {
  expect(toText(round(decimal(value), places))).toBe(rounded);
});

test('comparison matches the sign of the difference at any scale', () => {
  fc.assert(
    fc.property(exactNumber, exactNumber, (a, b) => {
      const difference = plus(a.rational, {
        numerator: -b.rational.numerator,
        denominator: b.rational.denominator,
      }).numerator;
      expect(compare(decimal(a.text), decimal(b.text))).toBe(difference < 0n ? -1 : difference > 0n ? 1 : 0);
    }),
  );
});

// @asvs 1.4.2
test('counts too large to be exact are rejected, never rounded', () => {
  expect(toUnits(decimal('90071992547409.91'), 2)).toBe(Number.MAX_SAFE_INTEGER);
  expect(() => toUnits(decimal('90071992547409.92'), 2)).toThrow('too large to be exact');
});
