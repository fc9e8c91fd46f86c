import type { FastifyInstance } from 'fastify';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { registerCall } from '#server/http/call-route.ts';
import { presentCity, searchCities } from './search-cities.ts';

export async function cityRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'searchCities', {
    action: 'cities.search',
    handle: async ({ query, request }) => {
      const failure = await checkRateLimit(deps, 'search', { client: request.ip });
      if (failure) return failure;
      const cities = await searchCities(deps.places, query.search);
      return cities instanceof Failure ? cities : cities.map(presentCity);
    },
  });
}
