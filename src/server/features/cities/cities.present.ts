import type { PlaceAnswer } from '#contract/schemas/cities.ts';
import type { City } from '#server/gateways/places/places.ts';

/** A place as §7 tells it. The country code is small, as location search providers write it; §3 has screens enlarge it. */
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
