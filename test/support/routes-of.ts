import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';

/** A route as the server has it: "GET /api/orgs/:orgid". Fastify answers HEAD wherever it answers GET. */
export type RouteName = string;

/** Builds an app, and notes every route that it registers, whoever does so. */
export async function withRoutes(
  build: () => Promise<FastifyInstance>,
): Promise<{ app: FastifyInstance; routes: readonly RouteName[] }> {
  const routes = new Set<RouteName>();
  // Fastify tells of a server before anything is registered on it.
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
