import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import type { CallName } from '#contract/calls.ts';
import type { Action } from '#domain/permissions.ts';

/** A registered route, such as "GET /api/orgs/:orgid". GET includes HEAD. */
export type RouteName = string;

export type AppWithRoutes = {
  readonly app: FastifyInstance;
  readonly routes: readonly RouteName[];
  /** The action that each call's route checks in the permission table. */
  readonly actions: ReadonlyMap<CallName, Action>;
};

/** Builds an app and records the routes that it registers. */
export async function recordRoutes(build: () => Promise<FastifyInstance>): Promise<AppWithRoutes> {
  const routes = new Set<RouteName>();
  const actions = new Map<CallName, Action>();
  // Fastify publishes this event before the server registers anything.
  const recordRegistrations = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url, config }) => {
      if (config?.call && config.action) actions.set(config.call, config.action);
      for (const name of [method].flat()) if (name !== 'HEAD') routes.add(`${name} ${url}`);
    });
  };
  subscribe('fastify.initialization', recordRegistrations);
  try {
    const app = await build();
    return { app, routes: [...routes], actions };
  } finally {
    unsubscribe('fastify.initialization', recordRegistrations);
  }
}
