import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pagePath } from '#contract/pages.ts';
import { QRCODES_BASE } from '#contract/qrcode.ts';
import { ID_PATTERN } from '#contract/schemas/shared.ts';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { sendProblem } from '#server/http/problems.ts';
import { findOrg } from '#server/orgs/find-org.ts';
import { drawQrcode } from './draw-qrcode.ts';

type QrcodeDeps = Pick<AppDeps, 'db' | 'publicUrl'>;
type QrcodeRequest = FastifyRequest<{ Params: { file: string } }>;

/** GET /media/qrcodes/{orgid}.svg: the public address of an organisation's home, to be scanned (§2). */
export async function qrcodeRoutes(app: FastifyInstance, { db, publicUrl }: QrcodeDeps): Promise<void> {
  app.get(`${QRCODES_BASE}/:file`, async (request: QrcodeRequest, reply) => {
    const orgId = idOf(request.params.file);
    const org = orgId === undefined ? undefined : await findOrg(db, orgId);
    if (orgId === undefined || !org) return sendProblem(request, reply, new Failure('page-not-found'));
    const code = drawQrcode(publicUrl() + pagePath('home-page', { orgid: orgId }));
    const etag = `"${createHash('sha256').update(code).digest('base64url').slice(0, 27)}"`;
    void reply.header('etag', etag).header('cache-control', 'public, max-age=3600');
    if (request.headers['if-none-match']?.includes(etag)) return reply.status(304).send();
    return reply.type('image/svg+xml; charset=utf-8').send(code);
  });
}

/** The id in `{id}.svg`, if there is one. */
function idOf(file: string): string | undefined {
  const id = file.endsWith('.svg') ? file.slice(0, -'.svg'.length) : '';
  return ID_PATTERN.test(id) ? id : undefined;
}
