import fc from 'fast-check';
import { expect, test } from 'vitest';
import { completeItem } from '#domain/cart.ts';
import { NOTHING_TO_OFFSET } from '#web/routes/home/calculator/estimate.ts';
import { type HomeForm, homeEstimate, isHomeFilled } from '#web/routes/home/calculator/home-estimate.ts';
import { quickEstimate } from '#web/routes/home/calculator/quick-estimate.ts';
import { airEstimate, carEstimate } from '#web/routes/home/calculator/trip-estimates.ts';

const flight = { miles: '3,450', travelers: '1', roundtrip: true };
const NO_HOME_ENERGY: HomeForm = { propane: '', electricity: '', gas: '', oil: '' };
const drive = { miles: '100', mpg: '25', roundtrip: false };

test('a flight becomes an item of the cart', () => {
  expect(airEstimate(flight).item).toMatchObject({ title: 'Air travel', carbon: 3864, cost: 48.3, recurring: 'no' });
});

const MILES_MISSING = 'Choose two cities, or enter the miles.';

test.each([
  [{ miles: '' }, MILES_MISSING],
  [{ travelers: ' ' }, 'Enter how many people travel.'],
  [{ miles: '', travelers: '' }, `${MILES_MISSING} Enter how many people travel.`],
])('a flight with %j waits without a reproach, and its hint names what is missing', (change, hint) => {
  expect(airEstimate({ ...flight, ...change })).toEqual({ item: undefined, problems: {}, problem: undefined, hint });
});

test.each([
  [{ miles: 'far' }, 'Correct the trip mileage.'],
  [{ travelers: '0' }, 'Correct the number of travelers.'],
  [{ miles: '', travelers: '1.5' }, `${MILES_MISSING} Correct the number of travelers.`],
])('the hint of a flight with %j names what is wrong', (change, hint) => {
  expect(airEstimate({ ...flight, ...change }).hint).toBe(hint);
});

test.each([
  [{ miles: '' }, MILES_MISSING],
  [{ miles: '', mpg: '' }, MILES_MISSING],
  [{ mpg: 'good' }, 'Correct the miles per gallon.'],
  [{ miles: '', mpg: '0' }, `${MILES_MISSING} Correct the miles per gallon.`],
  [{}, ''],
])('the hint of a drive with %j names the field that is at fault', (change, hint) => {
  expect(carEstimate({ ...drive, ...change }).hint).toBe(hint);
});

test.each([
  [{ miles: '0' }, { miles: 'Please say how many miles.' }],
  [{ miles: '-5' }, { miles: 'The number of miles cannot be below 0.' }],
  [{ miles: 'far' }, { miles: 'Please write the number of miles in digits, like 3,450.' }],
  [{ miles: '1000001' }, { miles: 'Please enter at most 1,000,000 miles.' }],
  [{ miles: '9'.repeat(400) }, { miles: 'Please enter at most 1,000,000 miles.' }],
  [{ travelers: '0' }, { travelers: 'Please say how many people travel.' }],
  [{ travelers: '1.5' }, { travelers: 'Please enter a whole number of travelers.' }],
  [{ travelers: '10001' }, { travelers: 'Please enter at most 10,000 travelers.' }],
])('a flight with %j is told what to correct', (change, problems) => {
  const estimate = airEstimate({ ...flight, ...change });
  expect(estimate.item).toBeUndefined();
  expect(estimate.problems).toEqual(problems);
});

test('both fields of a flight are told at once', () => {
  const { problems } = airEstimate({ ...flight, miles: 'x', travelers: 'y' });
  expect(Object.keys(problems)).toEqual(['miles', 'travelers']);
});

test('a drive without miles per gallon takes 25', () => {
  expect(carEstimate({ ...drive, mpg: '' }).item).toEqual(carEstimate(drive).item);
  expect(carEstimate(drive).item).toMatchObject({ title: 'Car travel', carbon: 157.12 });
});

test.each(['0', '-1', 'good', '1001'])('a drive with %j miles per gallon is told so', (mpg) => {
  const estimate = carEstimate({ ...drive, mpg });
  expect(estimate.item).toBeUndefined();
  expect(estimate.problems.mpg).toBeDefined();
});

test('a trip that is dearer than one checkout can be says so', () => {
  const estimate = airEstimate({ miles: '1,000,000', travelers: '10,000', roundtrip: true });
  expect(estimate.item).toBeUndefined();
  expect(estimate.problem).toBe('One checkout takes at most $999,999.99. Please write to us about a larger gift.');
});

test('a trip too short to weigh anything offers nothing to offset', () => {
  const estimate = airEstimate({ ...flight, miles: '0.00001' });
  expect(estimate).toMatchObject({ item: undefined, problems: {}, problem: NOTHING_TO_OFFSET });
});

test('a home is filled as soon as one field holds anything', () => {
  expect(isHomeFilled(NO_HOME_ENERGY)).toBe(false);
  expect(isHomeFilled({ ...NO_HOME_ENERGY, oil: '  ' })).toBe(false);
  expect(isHomeFilled({ ...NO_HOME_ENERGY, oil: 'abc' })).toBe(true);
});

test('what is blank or not a number in a home counts as 0', () => {
  const { item } = homeEstimate({ propane: '10', electricity: '', gas: 'abc', oil: '-3' });
  expect(item).toMatchObject({ title: 'Home energy use', carbon: 121.7, cost: 1.5213 });
});

test('a home of zeros offers nothing to offset', () => {
  for (const gas of ['0', 'abc', '-4']) {
    const estimate = homeEstimate({ ...NO_HOME_ENERGY, gas });
    expect(estimate).toEqual({ item: undefined, problems: {}, problem: NOTHING_TO_OFFSET });
  }
});

test('a home beyond all homes is told the most that is taken', () => {
  const estimate = homeEstimate({ ...NO_HOME_ENERGY, electricity: '1e', gas: '10,000,001' });
  expect(estimate.item).toBeUndefined();
  expect(estimate.problems).toEqual({ gas: 'Please enter at most 10,000,000 therms.' });
});

test('a quick estimate of a car for a year is twelve average months', () => {
  expect(quickEstimate({ type: 'car', time: 'year' }).item).toMatchObject({
    title: 'Car travel',
    carbon: 8664,
    cost: 108.3,
  });
});

test('whatever is typed, a calculator answers with a sentence or with an item that the server takes', () => {
  const typed = fc.oneof(
    fc.string(),
    fc.double({ min: 0, max: 2_000_000, noNaN: true }).map(String),
    fc.integer({ min: 0, max: 20_000 }).map(String),
  );
  fc.assert(
    fc.property(typed, typed, fc.boolean(), (miles, count, roundtrip) => {
      const estimates = [
        airEstimate({ miles, travelers: count, roundtrip }),
        carEstimate({ miles, mpg: count, roundtrip }),
        homeEstimate({ propane: miles, electricity: count, gas: miles, oil: count }),
      ];
      for (const { item } of estimates) if (item) expect(completeItem(item)).toEqual(item);
    }),
  );
});
