import type { FoundPlace } from '#contract/schemas/cities.ts';

/** A city (§3). `lat` and `lon` in degrees north and east. */
export type City = {
  /** The city string of §3: name, state, and uppercase country code, such as "Ithaca, New York, US". */
  readonly name: string;
  readonly lat: number;
  readonly lon: number;
  /** Label in the search results; distinguishes cities with the same name. */
  readonly displayName: string;
  readonly city: string;
  readonly country: string;
  readonly countryCode: string;
  readonly county: string | undefined;
  readonly postcode: string | undefined;
  readonly state: string | undefined;
};

export function toCity({ lat, lon, display_name, address }: FoundPlace): City {
  const { city, country, country_code, county, postcode, state } = address;
  const countryCode = country_code.toUpperCase();
  return {
    name: [city, state, countryCode].filter(Boolean).join(', '),
    lat,
    lon,
    displayName: display_name,
    city,
    country,
    countryCode,
    county,
    postcode,
    state,
  };
}
