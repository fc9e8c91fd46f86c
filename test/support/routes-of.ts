import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';

/** A registered route, such as "GET /api/orgs/:orgid". HEAD is implied by GET. */
export type RouteName = string;

/** Builds an app and records every route it registers. */
export async function withRoutes(
  build: () => Promise<FastifyInstance>,
): Promise<{ app: FastifyInstance; routes: readonly RouteName[] }> {
  const routes = new Set<RouteName>();
  // Published before anything is registered on the server.
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) if (one !== 'HEAD') routes.add(`${one} ${url}`);
    });
  };
  subscribe('fastify.initialization', listen);
  try {
    const app = await build();
    return { app, routes: [...routes] };
  } finally {
    unsubscribe('fastify.initialization', listen);
  }
}
