import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { formatCityFile, type KeyRow, type PlaceRow, type StateRow } from '#server/gateways/places/city-file.ts';
import { placeScore } from '#server/gateways/places/place-score.ts';
import { matchCounted } from './cities/match-counted.ts';
import { matchZipCodes, type PlaceZipCodes } from './cities/match-zip-codes.ts';
import { nameKeysOf, otherKeysOf } from './cities/name-keys.ts';
import {
  type CountedPlace,
  type ListedPlace,
  readCountedPlaces,
  readListedPlaces,
  readZipCodes,
} from './cities/sources.ts';
import { stateCodeOf } from './cities/state-codes.ts';

/** A village's other names would only crowd the list. */
const POPULATION_WITH_OTHER_NAMES = 3000;

/**
 * Writes the bundled list of places: some 171,000, gzipped, in the form that `city-file.ts` describes.
 * The places are GeoNames' (geonames.org), licensed CC BY 4.0, so the city picker must credit them.
 * The file appears whole or not at all, and the same sources make the same bytes.
 */
export async function buildCities(outFile: string): Promise<void> {
  const listed = await readListedPlaces();
  const counted = matchCounted(listed, await readCountedPlaces());
  const zipCodes = matchZipCodes(listed, await readZipCodes());
  const states = numberStates(listed);
  const places = listed.map((place) =>
    placeRow(place, states.numberOf(place), counted.get(place), zipCodes.get(place)),
  );
  const keys = listed.flatMap((place, number) => keyRows(place, number, counted.get(place), zipCodes.get(place)));
  const text = formatCityFile(states.rows, places, inByteOrder(keys));
  await writeWhole(outFile, await promisify(gzip)(text, { level: 9 }));
}

function numberStates(listed: readonly ListedPlace[]) {
  const rows: StateRow[] = [];
  const numbers = new Map<string, number>();
  for (const place of listed) {
    const key = stateKey(place);
    if (numbers.has(key)) continue;
    numbers.set(key, rows.length);
    rows.push({ countryCode: place.countryCode, code: stateCodeOf(place), name: place.state });
  }
  return { rows, numberOf: (place: ListedPlace) => numbers.get(stateKey(place)) ?? 0 };
}

const stateKey = (place: ListedPlace) => `${place.countryCode} ${place.state}`;

function placeRow(place: ListedPlace, state: number, counted?: CountedPlace, zips?: PlaceZipCodes): PlaceRow {
  const { countryCode, name, county, lat, lon } = place;
  const score = placeScore({ population: counted?.population ?? 0, feature: counted?.feature ?? '', countryCode });
  return { score, state, name, county, postcode: zips?.postcode ?? '', lat, lon };
}

function keyRows(place: ListedPlace, number: number, counted?: CountedPlace, zips?: PlaceZipCodes): KeyRow[] {
  const ownKeys = nameKeysOf(place.name);
  const hasOtherNames = counted && counted.population > POPULATION_WITH_OTHER_NAMES;
  const otherKeys = hasOtherNames ? otherKeysOf([counted.name, ...counted.otherNames], ownKeys) : [];
  return [
    ...[...ownKeys, ...(zips?.zipCodes ?? [])].map((key) => ({ key, place: number, isOtherName: false })),
    ...otherKeys.map((key) => ({ key, place: number, isOtherName: true })),
  ];
}

/** The order the search's halving relies on: that of the keys' bytes, which for rare letters is not that of `<`. */
function inByteOrder(keys: readonly KeyRow[]): KeyRow[] {
  return keys
    .map((row) => ({ row, bytes: Buffer.from(row.key) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ row }) => row);
}

async function writeWhole(outFile: string, content: Uint8Array): Promise<void> {
  const draft = `${outFile}.${randomUUID()}`;
  await mkdir(dirname(outFile), { recursive: true });
  await writeFile(draft, content);
  await rename(draft, outFile);
}

if (import.meta.main) {
  await buildCities(fileURLToPath(new URL('../../build/cities.tsv.gz', import.meta.url)));
}
