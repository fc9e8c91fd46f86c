import { z } from 'zod';
import type { City } from './places.ts';

/** LocationIQ writes degrees as text. */
const degrees = (most: number) =>
  z
    .union([z.number(), z.string().trim().min(1)])
    .transform(Number)
    .pipe(z.number().min(-most).max(most));

const place = z.object({
  lat: degrees(90),
  lon: degrees(180),
  display_name: z.string().min(1),
  address: z.object({
    name: z.string().min(1),
    country: z.string().min(1),
    country_code: z.string().length(2),
    county: z.string().optional(),
    postcode: z.string().optional(),
    state: z.string().optional(),
  }),
});

/**
 * The places of an answer of LocationIQ's autocomplete call. What is no whole place is left out.
 * @throws Error when the answer is no list, or a list without any place
 */
export function parseLocationiqAnswer(answer: unknown): City[] {
  const entries = z.array(z.unknown()).parse(answer);
  const cities = entries.flatMap((entry) => {
    const { data } = place.safeParse(entry);
    return data ? [cityOf(data)] : [];
  });
  if (entries.length > 0 && cities.length === 0) throw new Error('LocationIQ answered no places.');
  return cities;
}

function cityOf({ lat, lon, display_name, address }: z.infer<typeof place>): City {
  return {
    lat,
    lon,
    displayName: display_name,
    // The place itself: of Brooklyn, `city` would be New York.
    city: address.name,
    country: address.country,
    countryCode: address.country_code.toUpperCase(),
    ...(address.county && { county: address.county }),
    ...(address.postcode && { postcode: address.postcode }),
    ...(address.state && { state: address.state }),
  };
}
