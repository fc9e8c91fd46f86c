import { expect, test } from 'vitest';
import { foundPlace } from '#contract/schemas/cities.ts';
import type { City } from '#server/gateways/places/places.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { createTestDatabase } from '#test/support/database.ts';

const lisbon: City = {
  lat: 38.72,
  lon: -9.14,
  displayName: 'Lisbon, Portugal',
  city: 'Lisbon',
  country: 'Portugal',
  countryCode: 'PT',
};
const queries: string[] = [];
const search = async (text: string) => {
  queries.push(text);
  return [lisbon];
};
const places = { search, credit: { text: 'nobody', url: 'https://example.org/' } };
const app = await buildTestApp(await createTestDeps(await createTestDatabase(), { places }));

test('a search returns places with the specified field names', async () => {
  const response = await app.inject({ url: '/api/autocomplete', query: { search: ' Lisbon & Žďár%00 ' } });
  expect(response.statusCode).toBe(200);
  expect(foundPlace.strict().array().parse(response.json())).toEqual([
    {
      lat: 38.72,
      lon: -9.14,
      display_name: 'Lisbon, Portugal',
      address: { city: 'Lisbon', country: 'Portugal', country_code: 'pt' },
    },
  ]);
  expect(queries).toEqual(['Lisbon & Žďár%00']);
});

test.each([
  ['?search=it', 422, 'search-too-short'],
  ['?search=', 422, 'search-too-short'],
  [`?search=${'x'.repeat(101)}`, 422, 'search-too-long'],
  [`?search=${'x'.repeat(401)}`, 400, 'invalid-input'],
  ['', 400, 'invalid-input'],
  ['?search=abc%00', 400, 'invalid-input'],
  ['?search=abc&search=def', 400, 'invalid-input'],
  ['?search=Ithaca&limit=9', 400, 'invalid-input'],
])('a search of %s is rejected', async (query, status, code) => {
  const response = await app.inject(`/api/autocomplete${query}`);
  expect([response.statusCode, response.json().code]).toEqual([status, code]);
});
