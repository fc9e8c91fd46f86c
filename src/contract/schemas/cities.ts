import { z } from 'zod';

/** A place in the format of location search providers (§7). */
export const place = z.object({
  lat: z.number(),
  lon: z.number(),
  display_name: z.string(),
  address: z.object({
    city: z.string(),
    country: z.string(),
    country_code: z.string(),
    county: z.string().optional(),
    postcode: z.string().optional(),
    state: z.string().optional(),
  }),
});

export type PlaceAnswer = z.infer<typeof place>;

export const cityCalls = {
  searchCities: { query: z.strictObject({ search: z.string().max(400) }), answer: z.array(place) },
};
