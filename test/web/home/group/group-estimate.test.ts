import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cartTotal } from '#domain/cart.ts';
import { OFFSET_TYPES } from '#domain/emissions.ts';
import { toChargedCents } from '#domain/money.ts';
import { arbitraryText } from '#test/support/arbitrary-text.ts';
import { pickRunCount } from '#test/support/run-count.ts';
import {
  calculateGroupTotal,
  createRow,
  EXAMPLES,
  estimateRow,
  type GroupEstimate,
  type GroupRow,
  isExample,
  listMissingFields,
  MAX_LABEL_LENGTH,
  MAX_ROWS,
  parseGroup,
  serializeGroup,
} from '#web/routes/home/group/group-estimate.ts';

const flights = (count: string, miles: string, roundtrip = true) => ({ ...createRow('air'), count, miles, roundtrip });

test.each<[string, GroupRow, number | undefined]>([
  ['120 guests who fly 1,500 miles and back', flights('120', '1,500'), 120 * 1500 * 0.56 * 2],
  ['no travelers', flights('', '1,500'), undefined],
  ['no miles', flights('120', ''), undefined],
  ['40 cars, 60 miles one way', { ...createRow('car'), count: '40', miles: '60', mpg: '30', roundtrip: false }, 3142.4],
  ['without miles per gallon: 25', { ...createRow('car'), count: '2', miles: '25', mpg: '', roundtrip: false }, 78.56],
  [
    'twelve bills',
    { ...createRow('home'), count: '12', electricity: '600', gas: '40' },
    12 * (600 * 0.233 + 40 * 25.2),
  ],
  ['no bill', { ...createRow('home'), count: '12' }, undefined],
])('%s', (_title, row, carbon) => {
  const { item, problems } = estimateRow(row);
  expect(problems).toEqual({});
  if (carbon === undefined) expect(item).toBeUndefined();
  else expect(item?.carbon).toBeCloseTo(carbon, 4);
});

test.each<[string, GroupRow, string]>([
  ['half a traveler', flights('1.5', '100'), 'count'],
  ['too many', flights('10,001', '100'), 'count'],
  ['words for miles', flights('2', 'far'), 'miles'],
  ['words for cars', { ...createRow('car'), count: 'many', miles: '10' }, 'count'],
])('%s is reported at its field and adds nothing', (_title, row, field) => {
  const { item, problems } = estimateRow(row);
  expect(item).toBeUndefined();
  expect(Object.keys(problems)).toEqual([field]);
});

test('every preset has a result in each row and counts as an example until a number changes', () => {
  for (const example of EXAMPLES) {
    expect(example.rows.flatMap(listMissingFields)).toEqual([]);
    for (const row of example.rows) expect(estimateRow(row)).toMatchObject({ item: { type: 'offset' }, problems: {} });
    expect(isExample({ ...example, name: 'Ours' })).toBe(true);
    const [first, ...rest] = example.rows;
    expect(isExample({ ...example, rows: [{ ...(first ?? createRow('air')), count: '3' }, ...rest] })).toBe(false);
  }
  expect(isExample({ name: '', rows: [] })).toBe(false);
});

test.each<[string, GroupRow, string[]]>([
  ['empty flights', createRow('air'), ['Travelers', 'Average miles, one way']],
  ['no cars', { ...createRow('car'), count: '0', miles: '60' }, ['Cars']],
  ['no energy', { ...createRow('home'), count: '12' }, ['an amount of energy']],
  ['a mistake reported at its field', { ...createRow('car'), count: 'many', miles: '10' }, []],
])('missing inputs are listed: %s', (_title, row, expected) => {
  expect(listMissingFields(row)).toEqual(expected);
});

const label = fc.string({
  maxLength: MAX_LABEL_LENGTH,
  unit: fc.constantFrom('a', 'Z', ' ', 'é', '9', '–', 'お', '😀'),
});
const number = fc.integer({ min: 0, max: 99_999 }).map(String);
const group: fc.Arbitrary<GroupEstimate> = fc.record({
  name: label,
  rows: fc.array(
    fc.record({
      type: fc.constantFrom(...OFFSET_TYPES),
      label,
      roundtrip: fc.boolean(),
      count: number,
      miles: number,
      mpg: number,
      propane: number,
      electricity: number,
      gas: number,
      oil: number,
    }),
    { maxLength: MAX_ROWS },
  ),
});

test('the cart charges the displayed amount: one item per kind with the sum of its rows', () => {
  fc.assert(
    fc.property(group, ({ rows }) => {
      const { items, carbon, charge } = calculateGroupTotal(rows);
      expect(charge).toBe(cartTotal(items));
      expect(charge).toBe(items.map(({ cost }) => toChargedCents(cost)).reduce((sum, cents) => sum + cents, 0));
      expect(new Set(items.map(({ offsetType }) => offsetType)).size).toBe(items.length);
      const pounds = rows
        .map((row) => estimateRow(row).item?.carbon ?? 0)
        .reduce((sum, rowPounds) => sum + rowPounds, 0);
      expect(carbon).toBeCloseTo(pounds, 3);
    }),
  );
});

test('a link restores the same estimate and uses only safe characters', () => {
  fc.assert(
    fc.property(group, (estimate) => {
      const text = serializeGroup(estimate);
      expect(text).toMatch(/^[\w-]*$/);
      expect(parseGroup(text)).toEqual(estimate);
    }),
  );
  for (const example of EXAMPLES) expect(parseGroup(serializeGroup(example))).toEqual(example);
});

test('a forged link restores no estimate and no address', () => {
  fc.assert(
    fc.property(arbitraryText(), (text) => void parseGroup(text)),
    { numRuns: pickRunCount(8, 100) },
  );
  fc.assert(
    fc.property(fc.json(), (json) => {
      const group = parseGroup(btoa(unescape(encodeURIComponent(json))));
      if (group) expect(parseGroup(serializeGroup(group))).toEqual(group);
    }),
    { numRuns: pickRunCount(8, 100) },
  );
  const [example] = EXAMPLES;
  const parseWithName = (name: string) => parseGroup(serializeGroup({ name, rows: example?.rows ?? [] }));
  expect(parseWithName('Our wedding')).toBeDefined();
  expect(parseWithName('See https://evil.example')).toBeUndefined();
  expect(parseWithName('x'.repeat(MAX_LABEL_LENGTH + 1))).toBeUndefined();
  const tooManyRows = Array.from({ length: MAX_ROWS + 1 }, () => createRow('air'));
  expect(parseGroup(serializeGroup({ name: '', rows: tooManyRows }))).toBeUndefined();
});
