import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { API_BASE } from '#contract/calls.ts';
import { ID_PATTERN } from '#contract/schemas/shared.ts';
import { Failure } from '#domain/failures.ts';
import { sendProblem } from '#server/http/problems.ts';
import { MAPPED_LISTS } from './site-map.store.ts';
import { type SiteMapDeps, siteMap, siteMapPart } from './site-map.ts';

const AN_HOUR = 'public, max-age=3600';

type PartRequest = FastifyRequest<{ Params: { file: string }; Querystring: { after?: unknown } }>;

/**
 * robots.txt allows everything but the API (pages that must not be found say so themselves, which crawlers could not
 * read if they were blocked), and names the site map.
 */
export async function crawlerRoutes(app: FastifyInstance, deps: SiteMapDeps): Promise<void> {
  app.get('/robots.txt', async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', AN_HOUR).send(robots(deps.publicUrl())),
  );
  app.get('/sitemap.xml', async (_request, reply) => sendMap(reply, siteMap(deps)));
  app.get('/sitemaps/:file', async (request: PartRequest, reply) => {
    const list = MAPPED_LISTS.find((name) => `${name}.xml` === request.params.file);
    const { after } = request.query;
    const isCursor = after === undefined || (typeof after === 'string' && ID_PATTERN.test(after));
    if (!list || !isCursor) return sendProblem(request, reply, new Failure('page-not-found'));
    const part = await siteMapPart(deps, list, after);
    return part ? sendMap(reply, part) : sendProblem(request, reply, new Failure('page-not-found'));
  });
}

function robots(publicUrl: string): string {
  const blocked = [API_BASE, '/dev', '/sandbox'].map((start) => `Disallow: ${start}/`);
  return ['User-agent: *', ...blocked, '', `Sitemap: ${publicUrl}/sitemap.xml`, ''].join('\n');
}

/** Streamed. The first part is awaited, so that a failing database is reported by the status. */
async function sendMap(reply: FastifyReply, map: AsyncGenerator<string>): Promise<FastifyReply> {
  const first = await map.next();
  const whole = async function* () {
    if (!first.done) yield first.value;
    yield* map;
  };
  return reply
    .type('application/xml; charset=utf-8')
    .header('cache-control', AN_HOUR)
    .send(Readable.from(whole(), { objectMode: false }));
}
