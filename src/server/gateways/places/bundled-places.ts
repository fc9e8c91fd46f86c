import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { cacheOnSuccess } from '#server/process/cache-on-success.ts';
import { type CitySearch, createCitySearch } from './city-search.ts';
import { type CityTable, openCityTable } from './city-table.ts';
import { searchKey } from './fold-name.ts';
import { type City, MAX_CITIES, type Places } from './places.ts';
import { getCountryName } from './region-names.ts';
import { isZipCode, parseSearch } from './search-text.ts';

export type BundledPlaces = Places & {
  /** Loads the list in advance, which takes a quarter of a second, so that the first search doesn't wait for it. */
  warm(): Promise<void>;
};

/** Credit required by GeoNames' license (CC BY 4.0). The same in every language. */
export const GEONAMES_CREDIT = { text: 'GeoNames (CC BY 4.0)', url: 'https://www.geonames.org/' };

/** Above the maximum number of results, because places with the same display name are listed only once. */
const LOOKUP_LIMIT = 2 * MAX_CITIES;

type PlaceList = { table: CityTable; search: CitySearch };

/** Time without searches after which the list, which takes 60 MB, is unloaded. */
const IDLE_MS = 10 * 60_000;

/**
 * Searches the bundled file (`scripts/build/cities.ts`), which is loaded by the first search or by `warm`. If the file can't
 * be read, that search fails and the next one tries again.
 */
export function loadBundledPlaces(file: string, idleMs = IDLE_MS): BundledPlaces {
  const createLoader = () => cacheOnSuccess(() => openList(file));
  let loadList = createLoader();
  let idleTimer: NodeJS.Timeout | undefined;
  const getList = () => {
    clearTimeout(idleTimer);
    idleTimer = setTimeout(() => {
      loadList = createLoader();
    }, idleMs).unref();
    return loadList();
  };
  return {
    credit: GEONAMES_CREDIT,
    warm: async () => {
      await getList();
    },
    search: async (text) => findCities(await getList(), text),
  };
}

async function openList(file: string): Promise<PlaceList> {
  const table = openCityTable(await promisify(gunzip)(await readFile(file)));
  return { table, search: createCitySearch(table) };
}

function findCities({ table, search }: PlaceList, text: string): City[] {
  const zipCode = findZipCode(text);
  const zipPlaces = table.findPlacesByName(zipCode);
  const cities = new Map<string, City>();
  for (const place of search(text, LOOKUP_LIMIT)) {
    if (cities.size === MAX_CITIES) break;
    const city = readCity(table, place, zipPlaces.has(place) ? zipCode : undefined);
    if (!cities.has(city.displayName)) cities.set(city.displayName, city);
  }
  return [...cities.values()];
}

function findZipCode(text: string): string {
  const { words, qualifiers } = parseSearch(text);
  return [...words, ...qualifiers].find(isZipCode) ?? '';
}

function readCity(table: CityTable, number: number, typedZipCode: string | undefined): City {
  const place = table.getPlace(number);
  const { countryCode = '', name: state = '' } = table.states[place.state] ?? {};
  const country = getCountryName(countryCode);
  const postcode = typedZipCode ?? place.postcode;
  return {
    lat: place.lat,
    lon: place.lon,
    displayName: removeDuplicateNames([place.name, place.county, state, country]).join(', '),
    city: place.name,
    country,
    countryCode,
    ...(place.county && { county: place.county }),
    ...(postcode && { postcode }),
    ...(state && { state }),
  };
}

/** "Lisbon, Portugal", not "Lisbon, Lisbon, Lisbon, Portugal". */
function removeDuplicateNames(names: readonly string[]): string[] {
  const keys = names.map(searchKey);
  return names.filter((name, index) => name && keys.indexOf(searchKey(name)) === index);
}
