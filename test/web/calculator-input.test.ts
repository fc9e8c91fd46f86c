import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distanceMiles, drivingMiles } from '#domain/distance.ts';
import { formatWhole } from '#domain/money.ts';
import type { City } from '#web/api/city.ts';
import { inputOfLine, inputText, type TabInput } from '#web/routes/home/calculator/calculator-input.ts';
import { airEstimate } from '#web/routes/home/calculator/estimates.ts';
import { carEstimate } from '#web/routes/home/calculator/more-estimates.ts';
import {
  type GroupEstimate,
  groupItemText,
  groupTotal,
  newRow,
  serializeGroup,
} from '#web/routes/home/group/group-estimate.ts';

function city(name: string, lat: number, lon: number): City {
  const unknown = { county: undefined, postcode: undefined, state: undefined };
  return { name: `${name}, XX`, city: name, displayName: name, lat, lon, country: 'X', countryCode: 'XX', ...unknown };
}

const ITHACA = city('Ithaca', 42.44, -76.5);
const LISBON = city('Lisbon', 38.72, -9.14);
const ALBANY = city('Albany', 42.65, -73.75);

const byAir = { from: ITHACA, to: LISBON, miles: formatWhole(distanceMiles(ITHACA, LISBON)) };
const byCar = { from: ITHACA, to: ALBANY, miles: formatWhole(drivingMiles(ITHACA, ALBANY)) };
const NO_CITIES = { from: undefined, to: undefined, miles: '3450' };

test.each<[TabInput, string]>([
  [
    { tab: 'air', fields: { trip: byAir, travelers: '2', roundtrip: true } },
    'Ithaca ⇄ Lisbon, 2 travelers, round trip',
  ],
  [{ tab: 'air', fields: { trip: NO_CITIES, travelers: '1', roundtrip: false } }, '3,450 miles, 1 traveler, one way'],
  [
    { tab: 'air', fields: { trip: { ...byAir, miles: '4 000' }, travelers: '1', roundtrip: false } },
    'Ithaca → Lisbon, 4,000 miles, 1 traveler, one way',
  ],
  [{ tab: 'car', fields: { trip: byCar, mpg: '32', roundtrip: true } }, 'Ithaca ⇄ Albany, 32 mpg, round trip'],
  [{ tab: 'car', fields: { trip: byCar, mpg: ' ', roundtrip: false } }, 'Ithaca → Albany, one way'],
  [
    { tab: 'home', fields: { propane: '', electricity: '1200.50', gas: '40', oil: 'none' } },
    '1,200.5 kWh of electricity, 40 therms of natural gas',
  ],
  [{ tab: 'quick', fields: { type: 'car', time: 'year' } }, 'An average year'],
])('%j is the trip "%s"', (entered, text) => {
  expect(inputText(entered)).toBe(text);
});

const FLIGHT: TabInput = { tab: 'air', fields: { trip: byAir, travelers: '2', roundtrip: true } };

function lineOf(fields: { miles: string; travelers: string; roundtrip: boolean }, entered: unknown) {
  const { item } = airEstimate(fields);
  if (!item) throw new Error('Not a flight.');
  return { id: 1, item, entered };
}

test('inputs survive a round trip through storage', () => {
  const stored: unknown = JSON.parse(JSON.stringify(FLIGHT));
  expect(inputOfLine(lineOf({ ...FLIGHT.fields, miles: byAir.miles }, stored))).toEqual(FLIGHT);
});

test('an inputs row never describes a trip other than the paid one', () => {
  const fields = { miles: byAir.miles, travelers: '2', roundtrip: true };
  expect(inputOfLine(lineOf({ ...fields, travelers: '1' }, FLIGHT))).toBeUndefined();
  const drive = carEstimate({ miles: '100', mpg: '25', roundtrip: false }).item;
  const asFlight = { tab: 'air', fields: { trip: NO_CITIES, travelers: '1', roundtrip: false } };
  expect(drive && inputOfLine({ id: 1, item: drive, entered: asFlight })).toBeUndefined();
});

const WEDDING: GroupEstimate = {
  name: 'Ada and Tom’s wedding',
  rows: [
    { ...newRow('air', 'Guests who fly'), count: '120', miles: '1,500' },
    { ...newRow('car', 'Guests who drive'), count: '40', miles: '60' },
    { ...newRow('air'), count: '2', miles: '90' },
    { ...newRow('air', 'The band'), count: 'all' },
  ],
};

test('each item of a group estimate refers to it, and no other item does', () => {
  const groupInputs = { tab: 'group', text: serializeGroup(WEDDING) };
  const { items } = groupTotal(WEDDING.rows);
  const [air, car] = items;
  expect(items.map((item) => inputOfLine({ id: 1, item, entered: groupInputs }))).toEqual([groupInputs, groupInputs]);
  expect(groupItemText(WEDDING, air?.offsetType)).toBe('Ada and Tom’s wedding: Guests who fly');
  expect(groupItemText(WEDDING, car?.offsetType)).toBe('Ada and Tom’s wedding: Guests who drive');
  expect(groupItemText({ name: ' ', rows: WEDDING.rows.slice(2) }, 'air')).toBe('For a group');
  const [other] = groupTotal(WEDDING.rows.slice(0, 1)).items;
  expect(other && inputOfLine({ id: 1, item: other, entered: groupInputs })).toBeUndefined();
  expect(air && inputOfLine({ id: 1, item: air, entered: { ...groupInputs, text: 'no estimate' } })).toBeUndefined();
});

test('corrupt storage never breaks the cart, and stored text is no longer than a city name', () => {
  const fields = { miles: byAir.miles, travelers: '2', roundtrip: true };
  const long = {
    ...FLIGHT,
    fields: { ...FLIGHT.fields, trip: { ...byAir, from: { ...ITHACA, city: 'x'.repeat(201) } } },
  };
  expect(inputOfLine(lineOf(fields, long))).toMatchObject({ fields: { trip: { from: undefined } } });
  const anyText = fc.oneof(
    fc.jsonValue(),
    fc.record({ tab: fc.constantFrom('air', 'car', 'home', 'quick'), fields: fc.jsonValue() }),
    fc.record({ tab: fc.constant('group'), text: fc.oneof(fc.jsonValue(), fc.base64String()) }),
  );
  fc.assert(
    fc.property(anyText, (entered) => {
      expect(inputOfLine(lineOf(fields, entered))).toBeUndefined();
    }),
  );
});
