import type { FastifyInstance, FastifyRequest } from 'fastify';
import { API_BASE } from '#contract/calls.ts';
import { splitLanguage } from '#contract/languages.ts';
import { PAGES, pageAt } from '#contract/pages.ts';
import type { Metrics } from '#server/metrics.ts';
import { splitAddress } from './address.ts';
import { hasConnection } from './body-deadlines.ts';

/** Counts and times every request by the pattern of its address, never by the address: that may open a page by itself. */
export function countRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    // What a page asks for while it is rendered is part of the page.
    if (!hasConnection(request)) return;
    const isStream = String(reply.getHeader('content-type') ?? '').startsWith('text/event-stream');
    const labels = { method: request.method, route: routeOf(request), status: String(reply.statusCode) };
    metrics.request(labels, isStream ? undefined : reply.elapsedTime / 1000);
  });
}

/** What no route answers: a page, or nothing. */
const UNKNOWN = '(unknown)';
const FOLDERS = /^\/(?:assets|fonts|img)\//;

/** The pattern of the route that answers, or of the page. */
function routeOf({ url, routeOptions }: FastifyRequest): string {
  const pattern = routeOptions.url;
  if (pattern === undefined) return url.startsWith(`${API_BASE}/`) ? UNKNOWN : pageRoute(url);
  // Each file of the built pages is a route.
  const [folder] = FOLDERS.exec(pattern) ?? [];
  return folder === undefined ? pattern : `${folder}*`;
}

/** The pattern of a page's address. */
function pageRoute(url: string): string {
  const page = pageAt(splitLanguage(splitAddress(url).path).rest);
  return page ? PAGES[page.name] : UNKNOWN;
}
