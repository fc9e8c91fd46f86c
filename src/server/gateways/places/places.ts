/** A place (§3). `lat` and `lon` are in degrees, and `countryCode` is in uppercase (ISO 3166-1). */
export type City = {
  lat: number;
  lon: number;
  /** Name, county, state, and country, to distinguish places with the same name. */
  displayName: string;
  city: string;
  country: string;
  countryCode: string;
  county?: string;
  postcode?: string;
  state?: string;
};

export type Places = {
  /** Finds up to 10 places, best first. Accepts any text. */
  search(text: string): Promise<City[]>;
  /** Attribution shown below the city picker's results. */
  credit: { text: string; url: string };
};

export const MAX_CITIES = 10;
/** Characters. The rest of a longer text is ignored. */
export const MAX_SEARCH_LENGTH = 100;
