import type { FastifyInstance } from 'fastify';
import { matchPath } from '#contract/path-pattern.ts';

/** What the addresses of the program take, so that another method is refused as such, and not as an unknown address. */
export type KnownRoutes = {
  /** The methods that an address takes, in alphabetical order; none where there is no such address. */
  methodsOf(path: string): string[];
};

/** Remembers every route that is added from now on. */
export function knownRoutes(app: FastifyInstance): KnownRoutes {
  const routes = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = routes.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    routes.set(url, methods);
  });
  return {
    methodsOf: (path) => {
      const found = [...routes].filter(([pattern]) => matches(pattern, path));
      return [...new Set(found.flatMap(([, methods]) => [...methods]))].sort();
    },
  };
}

/** A pattern of the router: named parts, and perhaps a star for all that follows. */
function matches(pattern: string, path: string): boolean {
  if (pattern.endsWith('*')) return path.startsWith(pattern.slice(0, -1));
  return matchPath(pattern, path) !== undefined;
}
