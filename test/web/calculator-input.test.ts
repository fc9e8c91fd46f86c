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
  const emptyFields = { county: undefined, postcode: undefined, state: undefined };
  return {
    name: `${name}, XX`,
    city: name,
    displayName: name,
    lat,
    lon,
    country: 'X',
    countryCode: 'XX',
    ...emptyFields,
  };
}

const ITHACA = city('Ithaca', 42.44, -76.5);
const LISBON = city('Lisbon', 38.72, -9.14);
const ALBANY = city('Albany', 42.65, -73.75);

const airTrip = { from: ITHACA, to: LISBON, miles: formatWhole(distanceMiles(ITHACA, LISBON)) };
const carTrip = { from: ITHACA, to: ALBANY, miles: formatWhole(drivingMiles(ITHACA, ALBANY)) };
const NO_CITIES = { from: undefined, to: undefined, miles: '3450' };

test.each<[TabInput, string]>([
  [
    { tab: 'air', fields: { trip: airTrip, travelers: '2', roundtrip: true } },
    'Ithaca ⇄ Lisbon, 2 travelers, round trip',
  ],
  [{ tab: 'air', fields: { trip: NO_CITIES, travelers: '1', roundtrip: false } }, '3,450 miles, 1 traveler, one way'],
  [
    { tab: 'air', fields: { trip: { ...airTrip, miles: '4 000' }, travelers: '1', roundtrip: false } },
    'Ithaca → Lisbon, 4,000 miles, 1 traveler, one way',
  ],
  [{ tab: 'car', fields: { trip: carTrip, mpg: '32', roundtrip: true } }, 'Ithaca ⇄ Albany, 32 mpg, round trip'],
  [{ tab: 'car', fields: { trip: carTrip, mpg: ' ', roundtrip: false } }, 'Ithaca → Albany, one way'],
  [
    { tab: 'home', fields: { propane: '', electricity: '1200.50', gas: '40', oil: 'none' } },
    '1,200.5 kWh of electricity, 40 therms of natural gas',
  ],
  [{ tab: 'quick', fields: { type: 'car', time: 'year' } }, 'An average year'],
])('%j is the trip "%s"', (input, text) => {
  expect(inputText(input)).toBe(text);
});

const FLIGHT: TabInput = { tab: 'air', fields: { trip: airTrip, travelers: '2', roundtrip: true } };

function buildLine(fields: { miles: string; travelers: string; roundtrip: boolean }, input: unknown) {
  const { item } = airEstimate(fields);
  if (!item) throw new Error('Not a flight.');
  return { id: 1, item, entered: input };
}

test('inputs survive a round trip through storage', () => {
  const storedInput: unknown = JSON.parse(JSON.stringify(FLIGHT));
  expect(inputOfLine(buildLine({ ...FLIGHT.fields, miles: airTrip.miles }, storedInput))).toEqual(FLIGHT);
});

test('stored inputs never describe a trip other than the item’s', () => {
  const fields = { miles: airTrip.miles, travelers: '2', roundtrip: true };
  expect(inputOfLine(buildLine({ ...fields, travelers: '1' }, FLIGHT))).toBeUndefined();
  const drive = carEstimate({ miles: '100', mpg: '25', roundtrip: false }).item;
  const flightInput = { tab: 'air', fields: { trip: NO_CITIES, travelers: '1', roundtrip: false } };
  expect(drive && inputOfLine({ id: 1, item: drive, entered: flightInput })).toBeUndefined();
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

test('only the items of a group estimate refer to it', () => {
  const groupInputs = { tab: 'group', text: serializeGroup(WEDDING) };
  const { items } = groupTotal(WEDDING.rows);
  const [air, car] = items;
  expect(items.map((item) => inputOfLine({ id: 1, item, entered: groupInputs }))).toEqual([groupInputs, groupInputs]);
  expect(groupItemText(WEDDING, air?.offsetType)).toBe('Ada and Tom’s wedding: Guests who fly');
  expect(groupItemText(WEDDING, car?.offsetType)).toBe('Ada and Tom’s wedding: Guests who drive');
  expect(groupItemText({ name: ' ', rows: WEDDING.rows.slice(2) }, 'air')).toBe('For a group');
  const [otherItem] = groupTotal(WEDDING.rows.slice(0, 1)).items;
  expect(otherItem && inputOfLine({ id: 1, item: otherItem, entered: groupInputs })).toBeUndefined();
  expect(air && inputOfLine({ id: 1, item: air, entered: { ...groupInputs, text: 'no estimate' } })).toBeUndefined();
});

test('corrupt storage never breaks the cart, and stored text is no longer than a city name', () => {
  const fields = { miles: airTrip.miles, travelers: '2', roundtrip: true };
  const longInput = {
    ...FLIGHT,
    fields: { ...FLIGHT.fields, trip: { ...airTrip, from: { ...ITHACA, city: 'x'.repeat(201) } } },
  };
  expect(inputOfLine(buildLine(fields, longInput))).toMatchObject({ fields: { trip: { from: undefined } } });
  const anyText = fc.oneof(
    fc.jsonValue(),
    fc.record({ tab: fc.constantFrom('air', 'car', 'home', 'quick'), fields: fc.jsonValue() }),
    fc.record({ tab: fc.constant('group'), text: fc.oneof(fc.jsonValue(), fc.base64String()) }),
  );
  fc.assert(
    fc.property(anyText, (input) => {
      expect(inputOfLine(buildLine(fields, input))).toBeUndefined();
    }),
  );
});
