import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { EMBED_BASE, embedPath } from '#contract/embed.ts';
import { DEFAULT_LANGUAGE } from '#contract/languages.ts';
import { ID_PATTERN } from '#contract/schemas/shared.ts';
import { Failure } from '#domain/failures.ts';
import { displayedStats } from '#domain/org.ts';
import { LANGUAGES, type Language } from '#messages';
import type { AppDeps } from '#server/deps.ts';
import { findOrg, type OrgFacts } from '#server/entities/find-org.ts';
import { readOrg } from '#server/features/orgs/read-org.ts';
import { sendProblem } from '#server/http/problems.ts';
import { renderBadge } from './embed-badge.ts';
import { parseEmbedForm } from './embed-estimate.ts';
import { EMBED_FILES } from './embed-files.ts';
import { renderEmbedPage } from './embed-page.ts';

/** Any site may show this page in a frame, because it has no cookies and no button that acts for a user. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors *";

type PageRequest = FastifyRequest<{ Params: { orgid: string }; Querystring: Record<string, unknown> }>;
type FileRequest = FastifyRequest<{ Params: { file: string } }>;

/** Serves content for other sites: a calculator in a frame, the script that sizes the frame, and a badge with the totals. */
export async function embedRoutes(app: FastifyInstance, { db }: Pick<AppDeps, 'db'>): Promise<void> {
  for (const language of LANGUAGES) {
    app.get(embedPath(':orgid', language).replace('%3A', ':'), async (request: PageRequest, reply) => {
      const { orgid: orgId } = request.params;
      const org = ID_PATTERN.test(orgId) ? await findOrg(db, orgId) : undefined;
      if (!org) return sendProblem(request, reply, new Failure('page-not-found'));
      allowOtherSites(reply).headers({
        'content-security-policy': CONTENT_SECURITY_POLICY,
        'cache-control': 'no-cache',
      });
      void reply.removeHeader('x-frame-options').type('text/html; charset=utf-8');
      return reply.send(renderEmbedPage({ org, language }, parseEmbedForm(request.query)));
    });
  }
  const readBadge = createBadgeReader(db);
  app.get(`${EMBED_BASE}/:file`, async (request: FileRequest, reply) => {
    const { file } = request.params;
    const content = EMBED_FILES.get(file) ?? (await readBadge(file));
    if (!content) return sendProblem(request, reply, new Failure('page-not-found'));
    const etag = `"${createHash('sha256').update(content.text).digest('base64url').slice(0, 27)}"`;
    allowOtherSites(reply).headers({ etag, 'cache-control': 'public, max-age=300' });
    if (request.headers['if-none-match']?.includes(etag)) return reply.status(304).send();
    return reply.type(content.type).send(content.text);
  });
}

function allowOtherSites(reply: FastifyReply): FastifyReply {
  return reply.header('cross-origin-resource-policy', 'cross-origin');
}

const MAX_BADGES = 1000;

/** Renders the badges `{orgid}.svg` and `{orgid}.es.svg`, and caches them until the organization changes. */
function createBadgeReader(db: AppDeps['db']) {
  const cache = new Map<string, { readonly version: number; readonly text: string }>();
  const drawBadge = async (file: string, { row: { version }, id }: OrgFacts, language: Language) => {
    const cachedBadge = cache.get(file);
    if (cachedBadge?.version === version) return cachedBadge.text;
    const org = await readOrg(db, id);
    if (org instanceof Failure) return undefined;
    const text = renderBadge(org.name, displayedStats(org.stats, org.statsDelta), language);
    if (cache.size >= MAX_BADGES) cache.clear();
    cache.set(file, { version, text });
    return text;
  };
  return async (file: string) => {
    const { id, language } = parseFileName(file);
    const org = ID_PATTERN.test(id) ? await findOrg(db, id) : undefined;
    const text = org && (await drawBadge(file, org, language));
    return text === undefined ? undefined : { type: 'image/svg+xml; charset=utf-8', text };
  };
}

function parseFileName(file: string): { readonly id: string; readonly language: Language } {
  const name = file.endsWith('.svg') ? file.slice(0, -'.svg'.length) : '';
  const language: Language = LANGUAGES.slice(1).find((locale) => name.endsWith(`.${locale}`)) ?? DEFAULT_LANGUAGE;
  const id = language === DEFAULT_LANGUAGE ? name : name.slice(0, -language.length - 1);
  return { id, language };
}
