import { expect, test } from 'vitest';
import { ELECTRICITY_REGIONS } from '#domain/electricity-regions.ts';
import { withValues } from '#domain/factor-sets.ts';
import {
  EMPTY_CUSTOM_FACTOR,
  findCustomFactorProblems,
  findTonPriceProblem,
  REGION_OPTIONS,
  toFactorChoice,
  toFactorsDraft,
} from '#web/routes/editor/org/factors-draft.ts';

const YEAR = 2026;
const EMPTY_DRAFT = toFactorsDraft(undefined);
const CUSTOM_FACTOR = { value: '0.05', publisher: ' City Power ', year: '2025', address: 'https://power.example/2025' };

test('no choice means the default, and a choice survives a round trip', () => {
  expect(toFactorChoice(EMPTY_DRAFT, YEAR)).toEqual({});
  const choice = {
    fuels: 'eia',
    flights: 'epa',
    electricity: { region: 'NYLI', year: 2023 },
    dollarsPerTon: 27.5,
    customFactors: { quickCar: { value: '788', publisher: 'EPA', year: 2025, address: 'https://www.epa.gov/x' } },
  } as const;
  const set = withValues({ version: '2026-1.1', choice });
  expect(toFactorChoice(toFactorsDraft(set), YEAR)).toEqual(choice);
});

test('a custom factor requires a complete source', () => {
  expect(toFactorChoice({ ...EMPTY_DRAFT, customFactors: { electricity: CUSTOM_FACTOR } }, YEAR)).toEqual({
    customFactors: {
      electricity: { value: '0.05', publisher: 'City Power', year: 2025, address: 'https://power.example/2025' },
    },
  });
  for (const missing of ['value', 'publisher', 'year', 'address'] as const) {
    const incompleteFactor = { ...CUSTOM_FACTOR, [missing]: ' ' };
    expect(Object.keys(findCustomFactorProblems('electricity', incompleteFactor, YEAR))).toEqual([missing]);
    expect(toFactorChoice({ ...EMPTY_DRAFT, customFactors: { electricity: incompleteFactor } }, YEAR)).toBeUndefined();
  }
  expect(Object.keys(findCustomFactorProblems('electricity', EMPTY_CUSTOM_FACTOR, YEAR))).toHaveLength(4);
});

test.each([
  ['value', '242.089'],
  ['value', '0,05'],
  ['value', '0'],
  ['year', '2027'],
  ['year', '25'],
  ['address', 'power.example'],
  ['address', 'javascript://x.example/%0aalert(1)'],
] as const)('%s %s in a custom factor is invalid', (field, text) => {
  const factor = { ...CUSTOM_FACTOR, [field]: text };
  expect(Object.keys(findCustomFactorProblems('electricity', factor, YEAR))).toEqual([field]);
});

test.each([
  ['', true],
  ['25', true],
  ['1,000', true],
  ['27.55', true],
  ['0.5', false],
  ['1001', false],
  ['25.001', false],
  ['x', false],
])('“%s” as a price per ton is valid: %s', (text, isValid) => {
  expect(findTonPriceProblem(text) === undefined).toBe(isValid);
});

test('every region is listed with its states, name, and rate', () => {
  expect(REGION_OPTIONS).toHaveLength(Object.keys(ELECTRICITY_REGIONS).length);
  expect(REGION_OPTIONS).toContainEqual({ value: 'CAMX', label: 'CA: WECC California (CAMX), 0.4285 lb per kWh' });
});
