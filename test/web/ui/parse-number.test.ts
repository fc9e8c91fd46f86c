import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatWhole } from '#domain/money.ts';
import { parseDollars, parseNumber } from '#web/ui/parse-number.ts';

test.each([
  ['3450', 3450],
  ['3,450', 3450],
  ['1,234,567.5', 1234567.5],
  ['3 450', 3450],
  ['3\u202f450', 3450],
  [' 12 ', 12],
  ['.5', 0.5],
  ['5.', 5],
  ['0', 0],
  ['-7', -7],
  ['−1,000', -1000],
])('%j is parsed as %d', (text, number) => {
  expect(parseNumber(text)).toBe(number);
});

test.each([
  '3,45',
  '3,4500',
  '1,2,3',
  ',500',
  '1 23',
  '12abc',
  '1e5',
  'NaN',
  'Infinity',
  '--5',
  '.',
  '-',
  '1.2.3',
  '0x10',
  '٣',
])('%j is ambiguous', (text) => {
  expect(parseNumber(text)).toBe('unclear');
});

test.each(['', '   ', '\u00a0'])('%j is blank', (text) => {
  expect(parseNumber(text)).toBe('blank');
});

test('a very long string of digits exceeds any limit', () => {
  expect(parseNumber('9'.repeat(400))).toBe(Number.POSITIVE_INFINITY);
});

test('a minus sign before zero doesn’t produce negative zero', () => {
  expect(parseNumber('-0')).toBe(0);
});

test('every count in the program’s own format is parsed', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (count) => {
      expect(parseNumber(formatWhole(count))).toBe(count);
    }),
  );
});

test.each([
  ['$120.50', 120.5],
  [' $ 1,000', 1000],
  ['25', 25],
  ['', 'blank'],
  ['$', 'blank'],
  ['$$5', 'unclear'],
])('parseDollars parses %j as %s', (text, dollars) => {
  expect(parseDollars(text)).toBe(dollars);
});
