import type { FastifyInstance, FastifyRequest } from 'fastify';
import { API_BASE } from '#contract/calls.ts';
import { splitLanguage } from '#contract/languages.ts';
import { PAGES, pageAt } from '#contract/pages.ts';
import type { Metrics } from '#server/process/metrics.ts';
import { splitAddress } from './address.ts';
import { hasConnection } from './body-deadlines.ts';

/** Counts and times requests by URL pattern. The URL itself may be a secret link. */
export function countRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    // Requests that are injected while a page is rendered are part of the page's request.
    if (!hasConnection(request)) return;
    const isStream = String(reply.getHeader('content-type') ?? '').startsWith('text/event-stream');
    const labels = { method: request.method, route: routeLabel(request), status: String(reply.statusCode) };
    metrics.request(labels, isStream ? undefined : reply.elapsedTime / 1000);
  });
}

/** Label for URLs without a route or page. */
const UNKNOWN = '(unknown)';
const ASSET_FOLDERS = /^\/(?:assets|fonts|img)\//;

function routeLabel({ url, routeOptions }: FastifyRequest): string {
  const pattern = routeOptions.url;
  if (pattern === undefined) return url.startsWith(`${API_BASE}/`) ? UNKNOWN : pageRoute(url);
  // Each file of the built pages is a route.
  const [folder] = ASSET_FOLDERS.exec(pattern) ?? [];
  return folder === undefined ? pattern : `${folder}*`;
}

function pageRoute(url: string): string {
  const page = pageAt(splitLanguage(splitAddress(url).path).rest);
  return page ? PAGES[page.name] : UNKNOWN;
}
