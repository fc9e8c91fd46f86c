import { expect, test } from 'vitest';
import { calculateCarbon } from '#domain/formula.ts';
import { calculationOf, calculationOfRow } from '#web/routes/home/calculator/calculations.ts';
import { estimateFor, type TabInput } from '#web/routes/home/calculator/calculator-input.ts';
import { newRow, rowEstimate } from '#web/routes/home/group/group-estimate.ts';

const NO_CITIES = { from: undefined, to: undefined, miles: '3,450.5' };
const BILL = { propane: '10', electricity: '1,200', gas: '-4', oil: 'none' };

test.each<TabInput>([
  { tab: 'air', fields: { trip: NO_CITIES, travelers: '2', roundtrip: true } },
  { tab: 'car', fields: { trip: NO_CITIES, mpg: '31.5', roundtrip: false } },
  { tab: 'car', fields: { trip: NO_CITIES, mpg: ' ', roundtrip: true } },
  { tab: 'home', fields: BILL },
  { tab: 'quick', fields: { type: 'home', time: 'quarter' } },
])('the explanation of %j matches the offset item', (input) => {
  const calculation = calculationOf(input);
  expect(calculation && calculateCarbon(calculation)).toBe(estimateFor(input).item?.carbon);
  expect(calculation).toBeDefined();
});

test('no explanation is shown before there is an estimate', () => {
  expect(calculationOf({ tab: 'air', fields: { trip: NO_CITIES, travelers: '0', roundtrip: true } })).toBeUndefined();
  expect(calculationOfRow(newRow('car'))).toBeUndefined();
});

const rows = [
  { ...newRow('air'), count: '120', miles: '1,500' },
  { ...newRow('car'), count: '40', miles: '60', mpg: '' },
  { ...newRow('car'), count: '3', miles: '7', mpg: '33' },
  { ...newRow('home'), count: '12', ...BILL },
];

test.each(rows)('the explanation of a group row matches its result: %j', (row) => {
  const calculation = calculationOfRow(row);
  expect(calculation && calculateCarbon(calculation)).toBe(rowEstimate(row).item?.carbon);
  expect(calculation).toBeDefined();
});
