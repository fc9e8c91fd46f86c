import type { FastifyInstance, FastifyRequest } from 'fastify';
import { API_BASE } from '#contract/calls.ts';
import { splitLanguage } from '#contract/languages.ts';
import { findPage, PAGES } from '#contract/pages.ts';
import type { Metrics } from '#server/process/metrics.ts';
import { splitUrl } from './address.ts';
import { hasConnection } from './body-deadlines.ts';

/** Counts and times requests by URL pattern. The URL itself may be a secret link. */
export function countRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    // Requests that are injected while a page is rendered are part of the page's request.
    if (!hasConnection(request)) return;
    const isStream = String(reply.getHeader('content-type') ?? '').startsWith('text/event-stream');
    const labels = { method: request.method, route: getRouteLabel(request), status: String(reply.statusCode) };
    metrics.request(labels, isStream ? undefined : reply.elapsedTime / 1000);
  });
}

/** Label for URLs without a route or page. */
const UNKNOWN = '(unknown)';
const ASSET_FOLDERS = /^\/(?:assets|fonts|img)\//;

function getRouteLabel({ url, routeOptions }: FastifyRequest): string {
  const pattern = routeOptions.url;
  if (pattern === undefined) return url.startsWith(`${API_BASE}/`) ? UNKNOWN : getPagePattern(url);
  // Each file of the built pages is a route.
  const [folder] = ASSET_FOLDERS.exec(pattern) ?? [];
  return folder === undefined ? pattern : `${folder}*`;
}

function getPagePattern(url: string): string {
  const page = findPage(splitLanguage(splitUrl(url).path).rest);
  return page ? PAGES[page.name] : UNKNOWN;
}
