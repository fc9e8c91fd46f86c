/**
 * The bundled list of places: a header, then three tables of tab-separated lines, each followed by an empty line.
 * The build sorts and numbers everything, so that loading is little more than finding line endings.
 */

/** Increase the number when the tables, the scores, or `foldName` change. */
export const CITY_FILE_HEADER = 'city-climate-fund places 1';

/** A country's first-level division. `code` and `name` are empty if it is unknown. */
export type StateRow = {
  /** Two capital letters (ISO 3166-1). */
  countryCode: string;
  /** Postal abbreviation ("NY", "BC", "NSW"), in countries where people write it after the city. */
  code: string;
  name: string;
};

export type PlaceRow = {
  /** Likelihood that people mean this place. */
  score: number;
  /** Line number of the state, starting at 0. */
  state: number;
  name: string;
  county: string;
  /** A US ZIP code or ''. */
  postcode: string;
  lat: number;
  lon: number;
};

/** A folded name (see `fold-name.ts`) or ZIP code of a place. Sorted by bytes. */
export type KeyRow = {
  key: string;
  /** Line number of the place, starting at 0. */
  place: number;
  /** True for a translation, an older name, or a nickname. */
  isOtherName: boolean;
};

/** Follows the place's number to mark a key that is another name. */
export const OTHER_NAME_MARK = '~';

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
    ...keys.map(({ key, place, isOtherName }) => `${key}\t${place}${isOtherName ? OTHER_NAME_MARK : ''}`),
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

/** Prefers the fund's country if two places of similar size have the same name. */
export const HOME_COUNTRY = 'US';
const HOME_BONUS = 35;

/** GeoNames' feature codes: capital, state capital, county seat, part of a city. */
const FEATURE_BONUS: Readonly<Record<string, number>> = { PPLC: 60, PPLA: 20, PPLA2: 10, PPLX: -100 };

/** Likelihood that people mean a place, up to about 800. Ten times the population adds 100. */
export function computePlaceScore(place: { population: number; feature: string; countryCode: string }): number {
  const homeBonus = place.countryCode === HOME_COUNTRY ? HOME_BONUS : 0;
  const sizeScore = 100 * Math.log10(Math.max(place.population, 0) + 10);
  return Math.max(0, Math.round(sizeScore + homeBonus + (FEATURE_BONUS[place.feature] ?? 0)));
}

/**
 * Bonus by kind of match: a complete name or a prefix, and the place's own name, another name, or a code ("NYC").
 * foreignCode: a foreign city's code in lowercase, so that "los" finds Los Angeles before Lagos, whose airport is LOS.
 */
export const NAME_BONUS = {
  whole: 150,
  prefix: 0,
  otherWhole: 60,
  otherPrefix: -190,
  codeWhole: 0,
  foreignCode: -100,
};
/** Bonus if the search also matches the state itself, and not only its country. */
export const STATE_BONUS = 100;
