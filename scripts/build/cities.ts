import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import {
  computePlaceScore,
  formatCityFile,
  type KeyRow,
  type PlaceRow,
  type StateRow,
} from '#server/gateways/places/city-file.ts';
import { matchPopulations } from './cities/match-populations.ts';
import { matchZipCodes, type PlaceZipCodes } from './cities/match-zip-codes.ts';
import { toNameKeys, toOtherNameKeys } from './cities/name-keys.ts';
import {
  type ListedPlace,
  type PlaceWithPopulation,
  readListedPlaces,
  readPlacesWithPopulation,
  readZipCodes,
} from './cities/sources.ts';

/** Places with more people are also searchable by their alternate names. */
const MAX_POPULATION_WITHOUT_OTHER_NAMES = 3000;

/**
 * Writes the bundled list of about 171,000 places, gzipped, in the format of `city-file.ts`. The data is from GeoNames
 * (geonames.org, CC BY 4.0), which the city picker must credit. The file is written atomically and reproducibly.
 */
export async function buildCities(outFile: string): Promise<void> {
  const listedPlaces = await readListedPlaces();
  const populations = matchPopulations(listedPlaces, await readPlacesWithPopulation());
  const zipCodes = matchZipCodes(listedPlaces, await readZipCodes());
  const states = assignStateNumbers(listedPlaces);
  const places = listedPlaces.map((place) =>
    toPlaceRow(place, states.getNumber(place), populations.get(place), zipCodes.get(place)),
  );
  const keys = listedPlaces.flatMap((place, placeIndex) =>
    toKeyRows(place, placeIndex, populations.get(place), zipCodes.get(place)),
  );
  const text = formatCityFile(states.rows, places, sortByBytes(keys));
  await writeAtomically(outFile, await promisify(gzip)(text, { level: 9 }));
}

function assignStateNumbers(listedPlaces: readonly ListedPlace[]) {
  const rows: StateRow[] = [];
  const numbers = new Map<string, number>();
  for (const place of listedPlaces) {
    const key = toStateKey(place);
    if (numbers.has(key)) continue;
    numbers.set(key, rows.length);
    rows.push({ countryCode: place.countryCode, code: findStateCode(place), name: place.state });
  }
  return { rows, getNumber: (place: ListedPlace) => numbers.get(toStateKey(place)) ?? 0 };
}

const toStateKey = (place: ListedPlace) => `${place.countryCode} ${place.state}`;

function toPlaceRow(
  place: ListedPlace,
  state: number,
  populationRecord?: PlaceWithPopulation,
  zips?: PlaceZipCodes,
): PlaceRow {
  const { countryCode, name, county, lat, lon } = place;
  const score = computePlaceScore({
    population: populationRecord?.population ?? 0,
    feature: populationRecord?.feature ?? '',
    countryCode,
  });
  return { score, state, name, county, postcode: zips?.postcode ?? '', lat, lon };
}

function toKeyRows(
  place: ListedPlace,
  placeIndex: number,
  populationRecord?: PlaceWithPopulation,
  zips?: PlaceZipCodes,
): KeyRow[] {
  const nameKeys = toNameKeys(place.name);
  const hasOtherNames = populationRecord && populationRecord.population > MAX_POPULATION_WITHOUT_OTHER_NAMES;
  const otherKeys = hasOtherNames
    ? toOtherNameKeys([populationRecord.name, ...populationRecord.alternateNames], nameKeys)
    : [];
  return [
    ...[...nameKeys, ...(zips?.zipCodes ?? [])].map((key) => ({ key, place: placeIndex, isOtherName: false })),
    ...otherKeys.map((key) => ({ key, place: placeIndex, isOtherName: true })),
  ];
}

/** The binary search needs byte order, which differs from `<` for characters above U+FFFF. */
function sortByBytes(keys: readonly KeyRow[]): KeyRow[] {
  return keys
    .map((row) => ({ row, bytes: Buffer.from(row.key) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ row }) => row);
}

async function writeAtomically(outFile: string, content: Uint8Array): Promise<void> {
  const tempFile = `${outFile}.${randomUUID()}`;
  await mkdir(dirname(outFile), { recursive: true });
  await writeFile(tempFile, content);
  await rename(tempFile, outFile);
}

/** Postal abbreviations of states for which GeoNames has numeric codes. */
const POSTAL_CODES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  CA: {
    Alberta: 'AB',
    'British Columbia': 'BC',
    Manitoba: 'MB',
    'New Brunswick': 'NB',
    'Newfoundland and Labrador': 'NL',
    'Northwest Territories': 'NT',
    'Nova Scotia': 'NS',
    Nunavut: 'NU',
    Ontario: 'ON',
    'Prince Edward Island': 'PE',
    Quebec: 'QC',
    Saskatchewan: 'SK',
    Yukon: 'YT',
  },
  AU: {
    'Australian Capital Territory': 'ACT',
    'New South Wales': 'NSW',
    'Northern Territory': 'NT',
    Queensland: 'QLD',
    'South Australia': 'SA',
    Tasmania: 'TAS',
    Victoria: 'VIC',
    'Western Australia': 'WA',
  },
};

/** Postal abbreviation of a state in the US, Canada, or Australia; empty for other countries. */
function findStateCode(place: { countryCode: string; admin1: string; state: string }): string {
  if (place.countryCode === 'US') return place.admin1;
  return POSTAL_CODES[place.countryCode]?.[place.state] ?? '';
}

if (import.meta.main) {
  await buildCities(fileURLToPath(new URL('../../build/cities.tsv.gz', import.meta.url)));
}
