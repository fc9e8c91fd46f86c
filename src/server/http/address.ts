import type { FastifyInstance } from 'fastify';
import { Failure } from '#domain/failures.ts';

/** Rejects a request with more than one Host header, because a proxy and this program could use different ones. */
export function requireSingleHost(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    const hosts = raw.rawHeaders?.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host') ?? [];
    if (hosts.length > 1) {
      throw new Failure('invalid-input', { problem: 'The request has more than one Host header.' });
    }
  });
}

/** Splits a URL into its path and query. @returns `search` includes the question mark */
export function splitUrl(url: string): { path: string; search: string } {
  const end = url.indexOf('?');
  return end === -1 ? { path: url, search: '' } : { path: url.slice(0, end), search: url.slice(end) };
}

/**
 * Makes a URL decodable for the router. Escapes invalid percent escapes, so that the URL matches no route and gets the usual
 * 404 with the usual headers.
 */
export function escapeMalformedPath(url: string): string {
  const { path, search } = splitUrl(url);
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + search;
  }
}
