import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { API_BASE } from '#contract/calls.ts';
import { ID_PATTERN } from '#contract/schemas/shared.ts';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { sendProblem } from '#server/http/problems.ts';
import { selectEncoding } from '#server/pages/encodings.ts';
import { type CachedFile, createFileCache } from './file-cache.ts';
import { SITE_MAP_LISTS } from './site-map.store.ts';
import { generateSiteMap, generateSiteMapPart, type SiteMapDeps } from './site-map.ts';

const ONE_HOUR = 'public, max-age=3600';

type FileRequest = FastifyRequest<{ Params: { file: string }; Querystring: { after?: unknown } }>;

/**
 * Serves robots.txt, security.txt, and the site map. robots.txt doesn't block pages that search engines shouldn't list,
 * because crawlers have to read such a page to see its noindex tag.
 */
export async function crawlerRoutes(
  app: FastifyInstance,
  deps: SiteMapDeps & Pick<AppDeps, 'now' | 'parent'>,
): Promise<void> {
  const files = createFileCache(deps.now);
  app.get('/robots.txt', async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', ONE_HOUR).send(createRobotsText(deps.publicUrl())),
  );
  app.get(SECURITY_PATH, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', ONE_HOUR).send(createSecurityText(deps)),
  );
  app.get('/sitemap.xml', async (request, reply) =>
    sendFile(request, reply, await files.open('', async () => generateSiteMap(deps))),
  );
  app.get('/sitemaps/:file', async (request: FileRequest, reply) => {
    const list = SITE_MAP_LISTS.find((name) => `${name}.xml` === request.params.file);
    const { after } = request.query;
    const isValidCursor = after === undefined || (typeof after === 'string' && ID_PATTERN.test(after));
    if (!list || !isValidCursor) return sendFile(request, reply, undefined);
    return sendFile(
      request,
      reply,
      await files.open(`${list} ${after ?? ''}`, () => generateSiteMapPart(deps, list, after)),
    );
  });
}

function createRobotsText(publicUrl: string): string {
  const disallowLines = [API_BASE, '/dev', '/sandbox'].map((start) => `Disallow: ${start}/`);
  return ['User-agent: *', ...disallowLines, '', `Sitemap: ${publicUrl}/sitemap.xml`, ''].join('\n');
}

const SECURITY_PATH = '/.well-known/security.txt';
/** RFC 9116 recommends less than a year. */
const CONTACT_LIFETIME_MS = 180 * 24 * 60 * 60_000;

/** The text of security.txt, with the address for reporting vulnerabilities. */
function createSecurityText({ parent, publicUrl, now }: Pick<AppDeps, 'parent' | 'publicUrl' | 'now'>): string {
  return [
    `Contact: mailto:${encodeURI(parent.contactEmail)}`,
    `Expires: ${new Date(now().getTime() + CONTACT_LIFETIME_MS).toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${publicUrl()}${SECURITY_PATH}`,
    '',
  ].join('\n');
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: CachedFile | Failure | undefined): FastifyReply {
  if (!file || file instanceof Failure) return sendProblem(request, reply, file ?? new Failure('page-not-found'));
  const { gzip, etag } = file;
  void reply
    .type('application/xml; charset=utf-8')
    .header('cache-control', ONE_HOUR)
    .header('vary', 'accept-encoding')
    .header('etag', etag);
  if (request.headers['if-none-match']?.includes(etag)) return reply.status(304).send();
  const isCompressed = selectEncoding(request.headers['accept-encoding'], ['gzip', 'identity']) === 'gzip';
  if (isCompressed) return reply.header('content-encoding', 'gzip').send(gzip);
  return reply.send(Readable.from([gzip]).pipe(createGunzip()));
}
