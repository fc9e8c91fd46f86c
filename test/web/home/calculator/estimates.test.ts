// @spec 1.visitors 2.car 2.home-tab 2.quick 4.home-button 4.calculator-buttons 5.home 5.air 5.car 8.strings
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { completeItem } from '#domain/cart.ts';
import { estimateAir, NOTHING_TO_OFFSET } from '#web/routes/home/calculator/estimates.ts';
import {
  estimateCar,
  estimateHome,
  estimateQuick,
  type HomeForm,
  isHomeFilled,
} from '#web/routes/home/calculator/lazy-estimates.ts';

const flight = { miles: '3,450', travelers: '1', roundtrip: true };
const NO_HOME_ENERGY: HomeForm = { propane: '', electricity: '', gas: '', oil: '' };
const drive = { miles: '100', mpg: '25', roundtrip: false };

test('a flight becomes a cart item', () => {
  expect(estimateAir(flight).item).toMatchObject({ title: 'Air travel', carbon: 3864, cost: 48.3, recurring: 'no' });
});

const MILES_MISSING = 'Choose where you’re going, or enter the miles.';

test.each([
  [{ miles: '' }, MILES_MISSING],
  [{ travelers: ' ' }, 'Enter the number of travelers.'],
  [{ miles: '', travelers: '' }, `${MILES_MISSING} Enter the number of travelers.`],
])('a flight with %j shows a hint for the missing field instead of an error', (change, hint) => {
  expect(estimateAir({ ...flight, ...change })).toEqual({ item: undefined, problems: {}, problem: undefined, hint });
});

test.each([
  [{ miles: 'far' }, 'Check the trip mileage.'],
  [{ travelers: '0' }, 'Check the number of travelers.'],
  [{ miles: '', travelers: '1.5' }, `${MILES_MISSING} Check the number of travelers.`],
])('the hint for a flight with %j names the problem', (change, hint) => {
  expect(estimateAir({ ...flight, ...change }).hint).toBe(hint);
});

test.each([
  [{ miles: '' }, MILES_MISSING],
  [{ miles: '', mpg: '' }, MILES_MISSING],
  [{ mpg: 'good' }, 'Check the miles per gallon.'],
  [{ miles: '', mpg: '0' }, `${MILES_MISSING} Check the miles per gallon.`],
  [{}, ''],
])('the hint for a drive with %j names the invalid field', (change, hint) => {
  expect(estimateCar({ ...drive, ...change }).hint).toBe(hint);
});

test.each([
  [{ miles: '0' }, { miles: 'Please enter the number of miles.' }],
  [{ miles: '-5' }, { miles: 'The number of miles can’t be less than 0.' }],
  [{ miles: 'far' }, { miles: 'Enter the miles as a number, such as 3,450.' }],
  [{ miles: '1000001' }, { miles: 'Enter at most 1,000,000 miles.' }],
  [{ miles: '9'.repeat(400) }, { miles: 'Enter at most 1,000,000 miles.' }],
  [{ travelers: '0' }, { travelers: 'Please enter the number of travelers.' }],
  [{ travelers: '1.5' }, { travelers: 'Enter a whole number of travelers.' }],
  [{ travelers: '10001' }, { travelers: 'Enter at most 10,000 travelers.' }],
])('a flight with %j shows what to correct', (change, problems) => {
  const estimate = estimateAir({ ...flight, ...change });
  expect(estimate.item).toBeUndefined();
  expect(estimate.problems).toEqual(problems);
});

test('both flight fields can show an error', () => {
  const { problems } = estimateAir({ ...flight, miles: 'x', travelers: 'y' });
  expect(Object.keys(problems)).toEqual(['miles', 'travelers']);
});

test('a drive without miles per gallon uses 25', () => {
  expect(estimateCar({ ...drive, mpg: '' }).item).toEqual(estimateCar(drive).item);
  expect(estimateCar(drive).item).toMatchObject({ title: 'Car travel', carbon: 157.12 });
});

test.each(['0', '-1', 'good', '1001'])('a drive with %j miles per gallon is rejected', (mpg) => {
  const estimate = estimateCar({ ...drive, mpg });
  expect(estimate.item).toBeUndefined();
  expect(estimate.problems.mpg).toBeDefined();
});

test('a trip above the checkout maximum shows a problem', () => {
  const estimate = estimateAir({ miles: '1,000,000', travelers: '10,000', roundtrip: true });
  expect(estimate.item).toBeUndefined();
  expect(estimate.problem).toBe('A checkout can be at most $999,999.99. For a larger gift, please contact us.');
});

test('a trip too short to emit carbon can’t be offset', () => {
  const estimate = estimateAir({ ...flight, miles: '0.00001' });
  expect(estimate).toMatchObject({ item: undefined, problems: {}, problem: NOTHING_TO_OFFSET });
});

test('the home form counts as filled once one field has text', () => {
  expect(isHomeFilled(NO_HOME_ENERGY)).toBe(false);
  expect(isHomeFilled({ ...NO_HOME_ENERGY, oil: '  ' })).toBe(false);
  expect(isHomeFilled({ ...NO_HOME_ENERGY, oil: 'abc' })).toBe(true);
});

test('blank and non-numeric fields of a home count as 0', () => {
  const { item } = estimateHome({ propane: '10', electricity: '', gas: 'abc', oil: '-3' });
  expect(item).toMatchObject({ title: 'Home energy use', carbon: 121.7, cost: 1.5213 });
});

test('a home with zero energy use can’t be offset', () => {
  for (const gas of ['0', 'abc', '-4']) {
    const estimate = estimateHome({ ...NO_HOME_ENERGY, gas });
    expect(estimate).toEqual({ item: undefined, problems: {}, problem: NOTHING_TO_OFFSET });
  }
});

test('an impossibly large home amount is rejected', () => {
  const estimate = estimateHome({ ...NO_HOME_ENERGY, electricity: '1e', gas: '10,000,001' });
  expect(estimate.item).toBeUndefined();
  expect(estimate.problems).toEqual({ gas: 'Enter at most 10,000,000 therms.' });
});

test('a quick estimate of a car for a year is twelve average months', () => {
  expect(estimateQuick({ type: 'car', time: 'year' }).item).toMatchObject({
    title: 'Car travel',
    carbon: 8664,
    cost: 108.3,
  });
});

test('the server accepts every item the calculator produces', () => {
  const fieldText = fc.oneof(
    fc.string(),
    fc.double({ min: 0, max: 2_000_000, noNaN: true }).map(String),
    fc.integer({ min: 0, max: 20_000 }).map(String),
  );
  fc.assert(
    fc.property(fieldText, fieldText, fc.boolean(), (miles, count, roundtrip) => {
      const estimates = [
        estimateAir({ miles, travelers: count, roundtrip }),
        estimateCar({ miles, mpg: count, roundtrip }),
        estimateHome({ propane: miles, electricity: count, gas: miles, oil: count }),
      ];
      for (const { item } of estimates) if (item) expect(completeItem(item)).toEqual(item);
    }),
  );
});
