import type { PlaceAnswer } from '#contract/schemas/cities.ts';
import { Failure } from '#domain/failures.ts';
import { type City, LONGEST_SEARCH, MOST_CITIES, type Places } from '#server/gateways/places/places.ts';

/** Characters (§5, §9). */
const SHORTEST_SEARCH = 3;

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/gu;

/**
 * At most 10 places, best first.
 * @returns Failure search-too-short, search-without-letters, search-too-long
 */
export async function searchCities(places: Places, typed: string): Promise<City[] | Failure> {
  const text = typed.trim();
  if (text.length < SHORTEST_SEARCH) return new Failure('search-too-short', { least: SHORTEST_SEARCH });
  if (text.length > LONGEST_SEARCH) return new Failure('search-too-long', { most: LONGEST_SEARCH });
  // "<b>" would otherwise find every place that starts with a b.
  const letters = text.match(LETTER_OR_DIGIT)?.length ?? 0;
  if (letters < SHORTEST_SEARCH) return new Failure('search-without-letters', { least: SHORTEST_SEARCH });
  const cities = await places.search(text);
  return cities.slice(0, MOST_CITIES);
}

/** A place as in §7, with a lower-case country code, as location search providers write it. */
export function presentCity(city: City): PlaceAnswer {
  const { county, postcode, state } = city;
  return {
    lat: city.lat,
    lon: city.lon,
    display_name: city.displayName,
    address: {
      city: city.city,
      country: city.country,
      country_code: city.countryCode.toLowerCase(),
      ...(county && { county }),
      ...(postcode && { postcode }),
      ...(state && { state }),
    },
  };
}
