import type { FastifyInstance } from 'fastify';
import { matchPath } from '#contract/path-pattern.ts';

/** The registered routes, for distinguishing a wrong method from an unknown path. */
export type RouteTable = {
  /** Sorted; empty if the path is unknown. */
  findMethods(path: string): string[];
};

/** Records every route that is added later. */
export function trackRoutes(app: FastifyInstance): RouteTable {
  const routes = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = routes.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    routes.set(url, methods);
  });
  return {
    findMethods: (path) => {
      const matchingRoutes = [...routes].filter(([pattern]) => matches(pattern, path));
      return [...new Set(matchingRoutes.flatMap(([, methods]) => [...methods]))].sort();
    },
  };
}

/** A pattern can contain parameters and can end in an asterisk. */
function matches(pattern: string, path: string): boolean {
  if (pattern.endsWith('*')) return path.startsWith(pattern.slice(0, -1));
  return matchPath(pattern, path) !== undefined;
}
