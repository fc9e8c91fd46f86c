import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distanceMiles, drivingMiles } from '#domain/distance.ts';
import { formatWhole } from '#domain/money.ts';
import type { City } from '#web/api/city.ts';
import { describeInput, getLineInput, type TabInput } from '#web/routes/home/calculator/calculator-input.ts';
import { estimateAir } from '#web/routes/home/calculator/estimates.ts';
import { estimateCar } from '#web/routes/home/calculator/lazy-estimates.ts';
import {
  calculateGroupTotal,
  createRow,
  describeGroupItem,
  type GroupEstimate,
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
  expect(describeInput(input)).toBe(text);
});

const FLIGHT: TabInput = { tab: 'air', fields: { trip: airTrip, travelers: '2', roundtrip: true } };

function buildLine(fields: { miles: string; travelers: string; roundtrip: boolean }, input: unknown) {
  const { item } = estimateAir(fields);
  if (!item) throw new Error('Not a flight.');
  return { id: 1, item, input };
}

test('inputs survive a round trip through storage', () => {
  const storedInput: unknown = JSON.parse(JSON.stringify(FLIGHT));
  expect(getLineInput(buildLine({ ...FLIGHT.fields, miles: airTrip.miles }, storedInput))).toEqual(FLIGHT);
});

test('stored inputs never describe a trip other than the item’s', () => {
  const fields = { miles: airTrip.miles, travelers: '2', roundtrip: true };
  expect(getLineInput(buildLine({ ...fields, travelers: '1' }, FLIGHT))).toBeUndefined();
  const drive = estimateCar({ miles: '100', mpg: '25', roundtrip: false }).item;
  const flightInput = { tab: 'air', fields: { trip: NO_CITIES, travelers: '1', roundtrip: false } };
  expect(drive && getLineInput({ id: 1, item: drive, input: flightInput })).toBeUndefined();
});

const WEDDING: GroupEstimate = {
  name: 'Ada and Tom’s wedding',
  rows: [
    { ...createRow('air', 'Guests who fly'), count: '120', miles: '1,500' },
    { ...createRow('car', 'Guests who drive'), count: '40', miles: '60' },
    { ...createRow('air'), count: '2', miles: '90' },
    { ...createRow('air', 'The band'), count: 'all' },
  ],
};

test('only items from a group estimate are linked to it', () => {
  const groupInputs = { tab: 'group', text: serializeGroup(WEDDING) };
  const { items } = calculateGroupTotal(WEDDING.rows);
  const [air, car] = items;
  expect(items.map((item) => getLineInput({ id: 1, item, input: groupInputs }))).toEqual([groupInputs, groupInputs]);
  expect(describeGroupItem(WEDDING, air?.offsetType)).toBe('Ada and Tom’s wedding: Guests who fly');
  expect(describeGroupItem(WEDDING, car?.offsetType)).toBe('Ada and Tom’s wedding: Guests who drive');
  expect(describeGroupItem({ name: ' ', rows: WEDDING.rows.slice(2) }, 'air')).toBe('For a group');
  const [otherItem] = calculateGroupTotal(WEDDING.rows.slice(0, 1)).items;
  expect(otherItem && getLineInput({ id: 1, item: otherItem, input: groupInputs })).toBeUndefined();
  expect(air && getLineInput({ id: 1, item: air, input: { ...groupInputs, text: 'no estimate' } })).toBeUndefined();
});

test('corrupt storage never breaks the cart, and text longer than a city name isn’t restored', () => {
  const fields = { miles: airTrip.miles, travelers: '2', roundtrip: true };
  const longInput = {
    ...FLIGHT,
    fields: { ...FLIGHT.fields, trip: { ...airTrip, from: { ...ITHACA, city: 'x'.repeat(201) } } },
  };
  expect(getLineInput(buildLine(fields, longInput))).toMatchObject({ fields: { trip: { from: undefined } } });
  const anyText = fc.oneof(
    fc.jsonValue(),
    fc.record({ tab: fc.constantFrom('air', 'car', 'home', 'quick'), fields: fc.jsonValue() }),
    fc.record({ tab: fc.constant('group'), text: fc.oneof(fc.jsonValue(), fc.base64String()) }),
  );
  fc.assert(
    fc.property(anyText, (input) => {
      expect(getLineInput(buildLine(fields, input))).toBeUndefined();
    }),
  );
});
