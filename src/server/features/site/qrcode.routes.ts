import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DEFAULT_LANGUAGE, localizeAddress } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import { QRCODE_SIZE, QRCODES_BASE } from '#contract/qrcode.ts';
import { ID_PATTERN } from '#contract/schemas/shared.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';
import { LANGUAGES, type Language } from '#messages';
import type { AppDeps } from '#server/deps.ts';
import { findOrg } from '#server/entities/find-org.ts';
import { sendProblem } from '#server/http/problems.ts';

type QrcodeDeps = Pick<AppDeps, 'db' | 'publicUrl'>;
type QrcodeRequest = FastifyRequest<{ Params: { file: string } }>;

/** GET /media/qrcodes/{orgid}.svg: a QR code that links to the organization's home page (§2), or with {orgid}.es.svg to its Spanish home page. */
export async function qrcodeRoutes(app: FastifyInstance, { db, publicUrl }: QrcodeDeps): Promise<void> {
  app.get(`${QRCODES_BASE}/:file`, async (request: QrcodeRequest, reply) => {
    const { orgId, language } = parseFileName(request.params.file);
    const org = orgId === undefined ? undefined : await findOrg(db, orgId);
    if (orgId === undefined || !org) return sendProblem(request, reply, new Failure('page-not-found'));
    const code = await drawQrcode(publicUrl() + localizeAddress(pagePath('home-page', { orgid: orgId }), language));
    const etag = `"${createHash('sha256').update(code).digest('base64url').slice(0, 27)}"`;
    void reply.header('etag', etag).header('cache-control', 'public, max-age=3600');
    if (request.headers['if-none-match']?.includes(etag)) return reply.status(304).send();
    return reply.type('image/svg+xml; charset=utf-8').send(code);
  });
}

/** Parses the organization and the language from `{id}.svg` or `{id}.es.svg`. */
function parseFileName(file: string): { readonly orgId: OrgId | undefined; readonly language: Language } {
  const name = file.endsWith('.svg') ? file.slice(0, -'.svg'.length) : '';
  const language = LANGUAGES.slice(1).find((candidate) => name.endsWith(`.${candidate}`));
  const id = language ? name.slice(0, -language.length - 1) : name;
  return { orgId: ID_PATTERN.test(id) ? id : undefined, language: language ?? DEFAULT_LANGUAGE };
}

/** Width of the white border that scanners need, in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4;
/** The palette's darkest color, which every scanner can read. */
const DARK_COLOR = '#07202a';

/** Draws a QR code as an SVG file. It still scans if a quarter of it is damaged, as on a creased poster. */
export async function drawQrcode(address: string): Promise<string> {
  // These modules are large and only QR codes need them, because the page renderer's build includes its own copy of
  // React.
  const [{ QRCodeSVG }, { createElement }, { renderToStaticMarkup }] = await Promise.all([
    import('qrcode.react'),
    import('react'),
    import('react-dom/server'),
  ]);
  const code = createElement(QRCodeSVG, {
    value: address,
    size: QRCODE_SIZE,
    marginSize: QUIET_ZONE,
    level: 'Q',
    fgColor: DARK_COLOR,
    // A standalone SVG file needs its namespace.
    xmlns: 'http://www.w3.org/2000/svg',
  });
  return renderToStaticMarkup(code);
}
