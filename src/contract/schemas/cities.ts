import { z } from 'zod';

export const foundPlace = z
  .object({
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
  })
  .meta({ id: 'City', description: 'A place in the format of location search providers.' });

export type FoundPlace = z.infer<typeof foundPlace>;

export const cityCalls = {
  searchCities: {
    summary: 'Search cities and airports',
    query: z.strictObject({ search: z.string().max(400) }),
    response: z.array(foundPlace),
  },
};
