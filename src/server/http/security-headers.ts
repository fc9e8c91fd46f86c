import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  API_BASE,
  LINE_COUNT_HEADER,
  NEXT_CURSOR_HEADER,
  POLICY_REPORTS_PATH,
  POSITION_HEADER,
  REQUESTED_WITH_HEADER,
} from '#contract/calls.ts';
import { Failure } from '#domain/failures.ts';
import type { AppDeps, WithSettings } from '#server/deps.ts';
import { REQUEST_ID_HEADER } from './request-ids.ts';

/**
 * Blocks inline scripts and styles, framing, and everything from other origins. A page that needs an exception sets
 * its own policy.
 */
export async function registerSecurityHeaders(
  app: FastifyInstance,
  { settings, challenge }: Pick<AppDeps, 'challenge'> & WithSettings<'production' | 'apiOrigins' | 'pageOrigins'>,
): Promise<void> {
  const { production, apiOrigins, pageOrigins } = settings;
  const challengeOrigins = challenge ? [challenge.origin] : [];
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'", ...challengeOrigins],
        'style-src': ["'self'"],
        'img-src': ["'self'", 'data:', 'blob:', ...apiOrigins],
        'font-src': ["'self'"],
        'connect-src': ["'self'", ...apiOrigins],
        'manifest-src': ["'self'"],
        // Scripts send all forms. A form submitted before they load would put a password into the URL.
        'form-action': ["'none'"],
        'frame-src': ["'self'", ...challengeOrigins],
        'base-uri': ["'none'"],
        'frame-ancestors': ["'none'"],
        'object-src': ["'none'"],
        'report-uri': [POLICY_REPORTS_PATH],
        // Browsers that support `report-to` ignore `report-uri`, and send reports only over https.
        'report-to': production ? [REPORTING_GROUP] : null,
      },
    },
    // Pages on other hosts show this host's pictures.
    crossOriginResourcePolicy: { policy: pageOrigins.length > 0 ? 'cross-origin' : 'same-origin' },
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    // Only browsers that are ten years old use these headers.
    xDownloadOptions: false,
    xXssProtection: false,
    // Development has no https.
    strictTransportSecurity: production && { maxAge: ONE_YEAR_SECONDS, includeSubDomains: false },
  });
  app.addHook('onRequest', async (_request, reply) => {
    void reply.headers({
      'permissions-policy': PERMISSIONS_POLICY,
      'reporting-endpoints': `${REPORTING_GROUP}="${POLICY_REPORTS_PATH}"`,
    });
  });
}

const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60;

const REPORTING_GROUP = 'blocked';

/** Browser features that pages and injected scripts can't use. */
const DISABLED_FEATURES = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'clipboard-read',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'otp-credentials',
  'payment',
  'picture-in-picture',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'sync-xhr',
  'usb',
  'window-management',
  'xr-spatial-tracking',
];
/** Features for passkeys and copy buttons. */
const OWN_ORIGIN_FEATURES = ['clipboard-write', 'publickey-credentials-create', 'publickey-credentials-get'];

const PERMISSIONS_POLICY = [
  ...DISABLED_FEATURES.map((feature) => `${feature}=()`),
  ...OWN_ORIGIN_FEATURES.map((feature) => `${feature}=(self)`),
].join(', ');

const CORS_METHODS = 'GET, POST, PUT, PATCH, DELETE';
const CORS_HEADERS = `authorization, content-type, ${REQUESTED_WITH_HEADER}`;
const EXPOSED_HEADERS = `${NEXT_CURSOR_HEADER}, ${POSITION_HEADER}, ${LINE_COUNT_HEADER}, ${REQUEST_ID_HEADER}, retry-after`;
const PREFLIGHT_MAX_AGE_SECONDS = '600';

/** Credentialed CORS for the configured page origins only (§7, decisions §6). */
export function allowPageOrigins(app: FastifyInstance, pageOrigins: readonly string[]): void {
  if (pageOrigins.length === 0) return;
  app.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith(`${API_BASE}/`)) return undefined;
    void reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !pageOrigins.includes(origin)) return undefined;
    void reply.headers({ 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' });
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    if (isPreflight) return sendPreflightResponse(reply);
    void reply.header('access-control-expose-headers', EXPOSED_HEADERS);
    return undefined;
  });
}

function sendPreflightResponse(reply: FastifyReply): FastifyReply {
  void reply.headers({
    'access-control-allow-methods': CORS_METHODS,
    'access-control-allow-headers': CORS_HEADERS,
    'access-control-max-age': PREFLIGHT_MAX_AGE_SECONDS,
  });
  return reply.status(204).send();
}

/**
 * For calls authenticated by a cookie: the page's origin must be this site or a configured origin. In development the site
 * has several names, so an origin with the request's own host, which a page can't forge, is also accepted.
 * @throws Failure forbidden
 */
export function requireOwnOrigin(
  request: FastifyRequest,
  { publicUrl, settings }: Pick<AppDeps, 'publicUrl'> & WithSettings<'pageOrigins'>,
): void {
  const { origin, host } = request.headers;
  if (origin === undefined || origin === publicUrl() || settings.pageOrigins.includes(origin)) return;
  if (URL.parse(origin)?.host !== host) throw new Failure('forbidden');
}
