import type { FoundPlace } from '#contract/schemas/cities.ts';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { findAirportCity } from '#server/gateways/places/airports.ts';
import { HOME_COUNTRY } from '#server/gateways/places/city-file.ts';
import { type City, MAX_CITIES, MAX_SEARCH_LENGTH, type Places } from '#server/gateways/places/places.ts';
import { isInCapitals } from '#server/gateways/places/search-text.ts';
import type { Log } from '#server/log.ts';

/** In characters (§5, §9). */
const MIN_SEARCH_LENGTH = 3;

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/gu;

/**
 * Searches for cities. Returns at most 10, best match first. An airport's code finds its city.
 * @returns Failure search-too-short, search-without-letters, search-too-long
 */
export async function searchCities(places: Places, input: string): Promise<City[] | Failure> {
  const text = input.trim();
  if (text.length < MIN_SEARCH_LENGTH) return new Failure('search-too-short', { min: MIN_SEARCH_LENGTH });
  if (text.length > MAX_SEARCH_LENGTH) return new Failure('search-too-long', { max: MAX_SEARCH_LENGTH });
  // Keeps "<b>" from matching every place that starts with a b.
  const letters = text.match(LETTER_OR_DIGIT)?.length ?? 0;
  if (letters < MIN_SEARCH_LENGTH) return new Failure('search-without-letters', { min: MIN_SEARCH_LENGTH });
  const airport = findAirportCity(text);
  const [[city], cities] = await Promise.all([
    airport === undefined ? [] : places.search(airport),
    places.search(text),
  ]);
  const otherCities = cities.filter(({ displayName }) => displayName !== city?.displayName);
  if (!city) return otherCities.slice(0, MAX_CITIES);
  // "lin" is more likely the start of Lincoln, Nebraska, than the code of Milan's airport.
  const isStartOfName =
    !isInCapitals(text) && city.countryCode !== HOME_COUNTRY && otherCities[0]?.countryCode === HOME_COUNTRY;
  return otherCities.toSpliced(isStartOfName ? 1 : 0, 0, city).slice(0, MAX_CITIES);
}

/** Finds the city of an organization's place. Ignores a failed search, so that the organization can be saved. */
export async function findHomeCity(
  { places, log }: Pick<AppDeps, 'places'> & { readonly log: Log },
  place: string,
): Promise<FoundPlace | null> {
  const cities = await searchCities(places, place).catch((error: unknown) => {
    log.warn({ err: error, place }, 'failed to look up an organization’s city');
    return [];
  });
  const [city] = cities instanceof Failure ? [] : cities;
  return city ? presentCity(city) : null;
}

/** Presents a city in the response format of §7. The country code is lowercase, as in location providers' responses. */
export function presentCity(city: City): FoundPlace {
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
