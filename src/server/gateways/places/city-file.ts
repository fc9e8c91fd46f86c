/**
 * The bundled list of places, as `scripts/build/cities.ts` writes it and `city-table.ts` reads it: a header, then three
 * tables of tab-separated lines, each ended by an empty line. Its order and numbers are made at build, so that reading
 * it is little more than finding the ends of its lines.
 */

/** The first line. A change of the tables, of the scores or of the folding of names must change its number. */
export const CITY_FILE_HEADER = 'city-climate-fund places 1';

/** A state, or whatever a country's first division is called. Where none is known, both texts are empty. */
export type StateRow = {
  /** Two capital letters (ISO 3166-1). */
  countryCode: string;
  /** The postal code of the state ("NY", "BC", "NSW") where people write one after a city's name. */
  code: string;
  name: string;
};

export type PlaceRow = {
  /** How likely the place is meant. */
  score: number;
  /** The line of its state, from 0. */
  state: number;
  name: string;
  county: string;
  /** A US ZIP code, or empty. */
  postcode: string;
  /** Degrees. */
  lat: number;
  lon: number;
};

/** A folded name (see `fold-name.ts`) or ZIP code that leads to a place. The lines are in the order of their bytes. */
export type KeyRow = {
  key: string;
  /** The line of the place, from 0. */
  place: number;
  /** Another name than the place's own: another language's, an older one, a nickname. */
  isOtherName: boolean;
};

/** Follows the place's number where the key is another name. */
export const OTHER_NAME_SIGN = '~';

export function formatCityFile(
  states: readonly StateRow[],
  places: readonly PlaceRow[],
  keys: readonly KeyRow[],
): string {
  return [
    CITY_FILE_HEADER,
    ...states.map(({ countryCode, code, name }) => [countryCode, code, name].join('\t')),
    '',
    ...places.map((place) =>
      [place.score, place.state, place.name, place.county, place.postcode, place.lat, place.lon].join('\t'),
    ),
    '',
    ...keys.map(({ key, place, isOtherName }) => `${key}\t${place}${isOtherName ? OTHER_NAME_SIGN : ''}`),
    '',
    '',
  ].join('\n');
}

export function parseStateRow(line: string): StateRow {
  const [countryCode = '', code = '', name = ''] = line.split('\t');
  return { countryCode, code, name };
}

export function parsePlaceRow(line: string): PlaceRow {
  const [score, state, name = '', county = '', postcode = '', lat, lon] = line.split('\t');
  return {
    score: Number(score),
    state: Number(state),
    name,
    county,
    postcode,
    lat: Number(lat),
    lon: Number(lon),
  };
}

/** The fund's country: of two namesakes of like size, the nearer one is meant. */
const HOME_COUNTRY = 'US';
const HOME_BONUS = 35;

/** GeoNames' feature codes: a capital, the seat of a state or of a county, a mere part of a city. */
const FEATURE_BONUS: Readonly<Record<string, number>> = { PPLC: 60, PPLA: 20, PPLA2: 10, PPLX: -100 };

/**
 * How likely a place is meant when its name is typed, in hundredths of a power of ten: a place of ten times the
 * population is worth 100 more. From 0 for a part of a village to some 800.
 */
export function placeScore(place: { population: number; feature: string; countryCode: string }): number {
  const home = place.countryCode === HOME_COUNTRY ? HOME_BONUS : 0;
  const size = 100 * Math.log10(Math.max(place.population, 0) + 10);
  return Math.max(0, Math.round(size + home + (FEATURE_BONUS[place.feature] ?? 0)));
}

/** Added to a place's score by how it was named: whole or only begun, by its own name, by another, or by a code ("NYC"). */
export const NAME_BONUS = { whole: 150, begun: 0, otherWhole: 60, otherBegun: -190, codeWhole: 0 };
/** The state was named too, by a word that is not just a country's abbreviation. */
export const STATE_NAMED = 100;
