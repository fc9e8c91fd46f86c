// @spec 5.city 7.autocomplete 9.city-search
import { expect, test } from 'vitest';
import { foundPlace } from '#contract/schemas/cities.ts';
import { Failure } from '#domain/failures.ts';
import { failureSentence } from '#domain/server-failures.ts';
import { presentCity, searchCities } from '#server/features/cities/search-cities.ts';
import type { City, Places } from '#server/gateways/places/places.ts';

const ithaca: City = {
  lat: 42.44063,
  lon: -76.49661,
  displayName: 'Ithaca, Tompkins County, New York, United States',
  city: 'Ithaca',
  country: 'United States',
  countryCode: 'US',
  county: 'Tompkins County',
  postcode: '14850',
  state: 'New York',
};

/** Creates a fake place search that records the queries and always returns `count` results. */
const createRecordingPlaces = (count = 1) => {
  const queries: string[] = [];
  const places: Places = {
    search: async (text) => {
      queries.push(text);
      return Array.from({ length: count }, () => ithaca);
    },
    credit: { text: 'nobody', url: 'https://example.org/' },
  };
  return { queries, places };
};

test('the search text is trimmed', async () => {
  const { queries, places } = createRecordingPlaces();
  expect(await searchCities(places, '  Ithaca \n')).toEqual([ithaca]);
  expect(queries).toEqual(['Ithaca']);
});

test('an airport code finds its city before places that begin with the code', async () => {
  const buildPlace = (city: string): City => ({ ...ithaca, city, displayName: city });
  const results: Readonly<Record<string, City[]>> = {
    ord: [buildPlace('Ordos'), buildPlace('Ordu')],
    'Chicago, Illinois': [buildPlace('Chicago'), buildPlace('Chicago Heights')],
  };
  const places: Places = { ...createRecordingPlaces().places, search: async (text) => results[text] ?? [] };
  const cities = await searchCities(places, ' ord ');
  expect(cities instanceof Failure ? cities : cities.map(({ city }) => city)).toEqual(['Chicago', 'Ordos', 'Ordu']);
});

test.for([
  ['lin', ['Lincoln', 'Milan', 'Linz']],
  ['LIN', ['Milan', 'Lincoln', 'Linz']],
] as const)('"%s" finds %j: a foreign airport is first only in capitals', async ([query, expected]) => {
  const buildPlace = (city: string, countryCode: string): City => ({ ...ithaca, city, countryCode, displayName: city });
  const byName = [buildPlace('Lincoln', 'US'), buildPlace('Linz', 'AT')];
  const search = async (text: string) => (text === query ? byName : [buildPlace('Milan', 'IT')]);
  const cities = await searchCities({ ...createRecordingPlaces().places, search }, query);
  expect(cities instanceof Failure ? cities : cities.map(({ city }) => city)).toEqual(expected);
});

test.for([
  ['', 'search-too-short'],
  ['it', 'search-too-short'],
  ['  it  ', 'search-too-short'],
  ['<b>', 'search-without-letters'],
  ['...', 'search-without-letters'],
  ['i, t', 'search-without-letters'],
  ['x'.repeat(101), 'search-too-long'],
] as const)('"%s" is rejected: %s', async ([query, code]) => {
  const { queries, places } = createRecordingPlaces();
  const result = await searchCities(places, query);
  expect(result).toBeInstanceOf(Failure);
  expect(result).toMatchObject({ code });
  expect(queries).toEqual([]);
});

test('the error says how many characters are needed', async () => {
  const { places } = createRecordingPlaces();
  const readMessage = async (query: string) => {
    const result = await searchCities(places, query);
    return result instanceof Failure ? failureSentence(result) : undefined;
  };
  expect(await readMessage('it')).toBe('Please type at least 3 characters.');
  expect(await readMessage('<b>')).toBe('Please type at least 3 letters or digits of a city’s name.');
  expect(await readMessage('x'.repeat(101))).toBe('Please type at most 100 characters.');
});

test('3 to 100 characters are accepted', async () => {
  const { queries, places } = createRecordingPlaces();
  await searchCities(places, ' ith ');
  await searchCities(places, `${'x'.repeat(100)}  `);
  expect(queries).toEqual(['ith', 'x'.repeat(100)]);
});

test.for(['Ulm', '148', 'São', 'Łód', 'L’Aq', '東京都'])('"%s" has enough letters or digits', async (query) => {
  const { queries, places } = createRecordingPlaces();
  await searchCities(places, query);
  expect(queries).toEqual([query]);
});

test('at most ten places are returned, even if the source has more', async () => {
  const { places } = createRecordingPlaces(25);
  expect(await searchCities(places, 'Ithaca')).toHaveLength(10);
});

test('a place has the specified field names', () => {
  const response = presentCity(ithaca);
  expect(response).toEqual({
    lat: 42.44063,
    lon: -76.49661,
    display_name: 'Ithaca, Tompkins County, New York, United States',
    address: {
      city: 'Ithaca',
      country: 'United States',
      country_code: 'us',
      county: 'Tompkins County',
      postcode: '14850',
      state: 'New York',
    },
  });
  expect(foundPlace.parse(response)).toEqual(response);
});

test('unknown fields of a place are left out', () => {
  const { lat, lon, displayName, city, country, countryCode } = ithaca;
  const response = presentCity({ lat, lon, displayName, city, country, countryCode });
  expect(Object.keys(response.address)).toEqual(['city', 'country', 'country_code']);
});
