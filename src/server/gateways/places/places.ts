/** A place of the world (§3). `lat` and `lon` in degrees, `countryCode` of two capital letters (ISO 3166-1). */
export type City = {
  lat: number;
  lon: number;
  /** Name, county, state and country, as a person tells two namesakes apart. */
  displayName: string;
  city: string;
  country: string;
  countryCode: string;
  county?: string;
  postcode?: string;
  state?: string;
};

/** What the program asks of a source of places. */
export type Places = {
  /** At most 10 places, best first, none for a text that names nothing. No text of any kind makes it fail. */
  search(text: string): Promise<City[]>;
  /** Whom the city picker must name beneath its results. */
  credit: { text: string; url: string };
};

/** How many places one search answers. */
export const MOST_CITIES = 10;
/** Characters of a search text; what is longer is not read. */
export const LONGEST_SEARCH = 100;
