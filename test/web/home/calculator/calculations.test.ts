import { expect, test } from 'vitest';
import { calculateCarbon } from '#domain/formula.ts';
import { toCalculation, toRowCalculation } from '#web/routes/home/calculator/calculations.ts';
import { estimateTab, type TabInput } from '#web/routes/home/calculator/calculator-input.ts';
import { createRow, estimateRow } from '#web/routes/home/group/group-estimate.ts';

const NO_CITIES = { from: undefined, to: undefined, miles: '3,450.5' };
const BILL = { propane: '10', electricity: '1,200', gas: '-4', oil: 'none' };

test.each<TabInput>([
  { tab: 'air', fields: { trip: NO_CITIES, travelers: '2', roundtrip: true } },
  { tab: 'car', fields: { trip: NO_CITIES, mpg: '31.5', roundtrip: false } },
  { tab: 'car', fields: { trip: NO_CITIES, mpg: ' ', roundtrip: true } },
  { tab: 'home', fields: BILL },
  { tab: 'quick', fields: { type: 'home', time: 'quarter' } },
])('the explanation of %j matches the offset item', (input) => {
  const calculation = toCalculation(input);
  expect(calculation && calculateCarbon(calculation)).toBe(estimateTab(input).item?.carbon);
  expect(calculation).toBeDefined();
});

test('no explanation is shown before there is an estimate', () => {
  expect(toCalculation({ tab: 'air', fields: { trip: NO_CITIES, travelers: '0', roundtrip: true } })).toBeUndefined();
  expect(toRowCalculation(createRow('car'))).toBeUndefined();
});

const rows = [
  { ...createRow('air'), count: '120', miles: '1,500' },
  { ...createRow('car'), count: '40', miles: '60', mpg: '' },
  { ...createRow('car'), count: '3', miles: '7', mpg: '33' },
  { ...createRow('home'), count: '12', ...BILL },
];

test.each(rows)('the explanation of a group row matches its result: %j', (row) => {
  const calculation = toRowCalculation(row);
  expect(calculation && calculateCarbon(calculation)).toBe(estimateRow(row).item?.carbon);
  expect(calculation).toBeDefined();
});
