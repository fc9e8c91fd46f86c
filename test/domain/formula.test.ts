import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EMISSION_FACTORS } from '#domain/emissions.ts';
import { createFactorSet } from '#domain/factor-sets.ts';
import { type Calculation, calculateCarbon, findUsedFactors, formatFormula } from '#domain/formula.ts';

const FLIGHT: Calculation = { kind: 'air', travelers: 2, miles: 3450, roundtrip: true };
const HOME: Calculation = { kind: 'home', energy: { electricity: 600, gas: 60.5 }, repetitions: 12 };

test.each<[Calculation, string, string]>([
  [
    FLIGHT,
    '2 travelers × 3,450 miles × 0.56 lb × 2 (round trip) = 7,728.00 lb',
    '2 viajeros × 3,450 millas × 0.56 lb × 2 (ida y vuelta) = 7,728.00 lb',
  ],
  [
    { kind: 'air', travelers: 1, miles: 100.5, roundtrip: false },
    '1 traveler × 100.5 miles × 0.56 lb = 56.28 lb',
    '1 viajero × 100.5 millas × 0.56 lb = 56.28 lb',
  ],
  [
    { kind: 'car', miles: 100, mpg: 25, roundtrip: false },
    '100 miles ÷ 25 mpg × 39.28 lb = 157.12 lb',
    '100 millas ÷ 25 mi/gal × 39.28 lb = 157.12 lb',
  ],
  [
    { kind: 'car', miles: 60, mpg: 25, roundtrip: true, repetitions: 40 },
    '40 cars × 60 miles ÷ 25 mpg × 39.28 lb × 2 (round trip) = 7,541.76 lb',
    '40 autos × 60 millas ÷ 25 mi/gal × 39.28 lb × 2 (ida y vuelta) = 7,541.76 lb',
  ],
  [
    HOME,
    '12 bills × (600 kWh of electricity × 0.233 lb + 60.5 therms of natural gas × 25.2 lb) = 19,972.80 lb',
    '12 facturas × (600 kWh de electricidad × 0.233 lb + 60.5 termias de gas natural × 25.2 lb) = 19,972.80 lb',
  ],
  [
    { kind: 'quick', type: 'home', time: 'year' },
    '1,240 lb × 12 months = 14,880.00 lb',
    '1,240 lb × 12 meses = 14,880.00 lb',
  ],
])('the formula of %j shows its numbers', (calculation, english, spanish) => {
  expect(formatFormula(calculation)).toBe(english);
  expect(formatFormula(calculation, EMISSION_FACTORS, { locale: 'es' })).toBe(spanish);
});

test('a formula and its result use the factors of the given set', () => {
  const { factors } = createFactorSet({ flights: 'epa', fuels: 'epa', electricity: { region: 'NYCW', year: 2023 } });
  expect(formatFormula(FLIGHT, factors)).toBe('2 travelers × 3,450 miles × 0.359 lb × 2 (round trip) = 4,954.20 lb');
  expect(calculateCarbon(FLIGHT, factors)).toBe(4954.2);
  expect(calculateCarbon({ kind: 'home', energy: { electricity: 1000 } }, factors)).toBe(864.469);
  expect(calculateCarbon({ kind: 'quick', type: 'car', time: 'monthly' }, factors)).toBe(722);
});

test('a calculation lists exactly the factors it uses', () => {
  expect(findUsedFactors(FLIGHT)).toEqual(['air']);
  expect(findUsedFactors(HOME)).toEqual(['electricity', 'naturalGas']);
  expect(findUsedFactors({ kind: 'car', miles: 1, mpg: 25, roundtrip: false })).toEqual(['carFuel']);
  expect(findUsedFactors({ kind: 'quick', type: 'air', time: 'year' })).toEqual(['quickAir']);
});

/** The result of typing the formula into a pocket calculator. */
function evaluateFormula(formula: string): number {
  const [expression = ''] = formula.replace(/\(round trip\)/g, '').split(' = ');
  const parseFactor = (text: string) => Number(/[\d,.]+/.exec(text)?.[0].replaceAll(',', '') ?? Number.NaN);
  const evaluateProduct = (text: string) =>
    text.split(' × ').reduce((total, part) => total * evaluateQuotient(part), 1);
  const evaluateQuotient = (text: string) =>
    text
      .split(' ÷ ')
      .map(parseFactor)
      .reduce((numerator, denominator) => numerator / denominator);
  const [, multiplier, innerSum] = /^(.*) × \((.*)\)$/.exec(expression.trim()) ?? [];
  const evaluateSum = (text: string) => text.split(' + ').reduce((total, part) => total + evaluateProduct(part), 0);
  return innerSum === undefined ? evaluateSum(expression) : evaluateProduct(multiplier ?? '') * evaluateSum(innerSum);
}

const inputs = fc.integer({ min: 1, max: 999_999 }).map((count) => count / 10);
const calculation: fc.Arbitrary<Calculation> = fc.oneof(
  fc.record({
    kind: fc.constant('air' as const),
    travelers: fc.integer({ min: 1, max: 999 }),
    miles: inputs,
    roundtrip: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('car' as const), miles: inputs, mpg: inputs, roundtrip: fc.boolean() }),
  fc.record({
    kind: fc.constant('home' as const),
    energy: fc.record({ propane: inputs, electricity: inputs, gas: inputs, oil: inputs }),
    repetitions: fc.integer({ min: 1, max: 99 }),
  }),
);

test('evaluating the displayed formula gives the pounds sold', () => {
  fc.assert(
    fc.property(calculation, (input) => {
      const carbon = calculateCarbon(input);
      // A bill is rounded to the ten-thousandth before it is multiplied.
      const tolerance = 0.01 + carbon * 1e-9;
      expect(Math.abs(evaluateFormula(formatFormula(input)) - carbon)).toBeLessThanOrEqual(tolerance);
    }),
  );
});
