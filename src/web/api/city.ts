import type { PlaceAnswer } from '#contract/schemas/cities.ts';

/** A city as the calculators know it (§3). `lat` and `lon` in degrees north and east. */
export type City = {
  /** The city string: name, state (unless it bears the same name) and uppercase country code, "Ithaca, New York, US". */
  readonly name: string;
  readonly lat: number;
  readonly lon: number;
  /** What the list of results shows: the name with everything that tells it from its namesakes. */
  readonly displayName: string;
  readonly city: string;
  readonly country: string;
  readonly countryCode: string;
  readonly county: string | undefined;
  readonly postcode: string | undefined;
  readonly state: string | undefined;
};

/** The city that a found place is (§7 to §3). */
export function cityOf({ lat, lon, display_name, address }: PlaceAnswer): City {
  const { city, country, country_code, county, postcode, state } = address;
  const countryCode = country_code.toUpperCase();
  return {
    // Lisbon is in Lisbon; nobody writes that twice.
    name: [city, state === city ? undefined : state, countryCode].filter(Boolean).join(', '),
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
