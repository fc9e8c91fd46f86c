// @spec 2.city-picker decisions.6
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { type BundledPlaces, loadBundledPlaces } from '#server/gateways/places/bundled-places.ts';
import { formatCityFile } from '#server/gateways/places/city-file.ts';
import { arbitraryText } from '#test/support/arbitrary-text.ts';
import { pickRunCount } from '#test/support/run-count.ts';
import { BUILD_TIMEOUT, loadBuiltPlaces } from './built-places.ts';

let places: BundledPlaces;
beforeAll(async () => {
  places = await loadBuiltPlaces();
}, BUILD_TIMEOUT);

const createTemporaryPath = async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'places-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return path.join(folder, 'cities.tsv.gz');
};

const ITHACA_FILE = gzipSync(
  formatCityFile(
    [{ countryCode: 'US', code: 'NY', name: 'New York' }],
    [{ score: 493, state: 0, name: 'Ithaca', county: '', postcode: '', lat: 42.44063, lon: -76.49661 }],
    [{ key: 'ithaca', place: 0, isOtherName: false }],
  ),
);

test('display names distinguish places with the same name', async () => {
  const [ithaca] = await places.search('Ithaca, NY');
  expect(ithaca).toEqual({
    lat: expect.closeTo(42.44, 1),
    lon: expect.closeTo(-76.5, 1),
    displayName: 'Ithaca, Tompkins County, New York, United States',
    city: 'Ithaca',
    country: 'United States',
    countryCode: 'US',
    county: 'Tompkins County',
    postcode: '14850',
    state: 'New York',
  });
});

test('a display name does not repeat a county or state with the same name as the place', async () => {
  const [lisbon] = await places.search('Lisbon');
  expect(lisbon?.displayName).toBe('Lisbon, Portugal');
  const [washington] = await places.search('Washington, DC');
  expect(washington?.displayName).toBe('Washington, District of Columbia, United States');
});

test('a place found by ZIP Code has that code, and a place found by name has its default code', async () => {
  const [newYork] = await places.search('10118');
  expect(newYork?.postcode).toBe('10118');
  const [berlin] = await places.search('Berlin 10115');
  expect(berlin).toMatchObject({ city: 'Berlin', countryCode: 'DE' });
  expect(berlin).not.toHaveProperty('postcode');
});

test('the start of a ZIP Code finds the places around it', async () => {
  const results = await places.search('1485');
  expect(results.map((city) => city.city)).toContain('Ithaca');
});

test('a query without matches returns no places', async () => {
  for (const text of ['', '   ', ',,,', '---', 'constructor', 'hasOwnProperty', '99999', 'xq zzv qqj', '\u0000', '🏙️']) {
    expect(await places.search(text), text).toEqual([]);
  }
});

const hostileText = fc.oneof(
  arbitraryText({ maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  // Lone halves of surrogate pairs, which are not valid Unicode
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 }).map((units) => String.fromCharCode(...units)),
  fc
    .array(fc.constantFrom('st ', 'new york', ',', ' ', '14850', 'ca', 'usa', '\t', "'", 'ß', '\ufdfa', 'san'))
    .map((parts) => parts.join('')),
);

test('any text returns at most ten complete places with different display names', async () => {
  await fc.assert(
    fc.asyncProperty(hostileText, async (text) => {
      const results = await places.search(text);
      expect(results.length).toBeLessThanOrEqual(10);
      expect(new Set(results.map((city) => city.displayName)).size).toBe(results.length);
      for (const city of results) {
        expect(Math.abs(city.lat)).toBeLessThanOrEqual(90);
        expect(Math.abs(city.lon)).toBeLessThanOrEqual(180);
        expect(city.countryCode).toMatch(/^[A-Z]{2}$/);
        expect(city.country.length && city.city.length && city.displayName.length).toBeGreaterThan(0);
      }
    }),
    { numRuns: pickRunCount(60, 300) },
  );
});

test('only the first hundred characters of a long text are searched', async () => {
  expect(await places.search(`Ithaca${' '.repeat(94)}${'x'.repeat(1_000_000)}`)).toEqual(await places.search('Ithaca'));
  expect(await places.search('x'.repeat(1_000_000))).toEqual([]);
});

test('GeoNames is credited, as its license requires', () => {
  expect(places.credit).toEqual({ text: expect.stringContaining('GeoNames'), url: 'https://www.geonames.org/' });
});

test('a missing list fails the search and is read once it exists', async () => {
  const file = await createTemporaryPath();
  const latePlaces = loadBundledPlaces(file);
  await expect(latePlaces.search('Ithaca')).rejects.toThrow('ENOENT');
  await writeFile(file, ITHACA_FILE);
  expect(await latePlaces.search('Ithaca')).toHaveLength(1);
});

test('the list is read once, at or before the first search', async () => {
  const file = await createTemporaryPath();
  await writeFile(file, ITHACA_FILE);
  const warmPlaces = loadBundledPlaces(file);
  await warmPlaces.warm();
  await rm(file);
  expect(await warmPlaces.search('Ithaca')).toHaveLength(1);
});

test('an unused list is unloaded and read again for the next search', async () => {
  const file = await createTemporaryPath();
  await writeFile(file, ITHACA_FILE);
  const shortLivedPlaces = loadBundledPlaces(file, 0);
  expect(await shortLivedPlaces.search('Ithaca')).toHaveLength(1);
  await rm(file);
  const search = () => shortLivedPlaces.search('Ithaca').then(() => 'remembered', String);
  await expect.poll(search).toContain('ENOENT');
});

test('a list from another version of the program is rejected', async () => {
  const file = await createTemporaryPath();
  await writeFile(file, gzipSync('city-climate-fund places 0\n\n\n\n'));
  await expect(loadBundledPlaces(file).warm()).rejects.toThrow('another version');
});
