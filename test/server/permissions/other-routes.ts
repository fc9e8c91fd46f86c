import type { InjectOptions } from 'fastify';
import { API_BASE, LIVE_PATH, METRICS_PATH, POLICY_REPORTS_PATH, WEBHOOK_PATH } from '#contract/calls.ts';
import { EMBED_SCRIPT, embedPath } from '#contract/embed.ts';
import { fillPath } from '#contract/path-pattern.ts';
import { qrcodePath } from '#contract/qrcode.ts';
import { orgShareImagePath, storyShareImagePath } from '#contract/share-images.ts';
import { PROBE_PATH } from '#server/gateways/public-address.ts';
import type { RouteName } from '#test/support/record-routes.ts';
import { CALLERS, type Caller } from './callers.ts';
import { GOOD_SIGNATURE, type World } from './world.ts';

export type OtherRoute = {
  readonly reason: string;
  readonly request: (world: World) => InjectOptions;
  readonly responses: Readonly<Record<Caller, number>>;
};

const statusForEveryCaller = (status: number) =>
  Object.fromEntries(CALLERS.map((caller) => [caller, status])) as Record<Caller, number>;
const searchEngineReason = 'Search engines read the addresses of public pages without a token.';
const shareImageReason = 'A share image shows what the public page shows.';
const embedReason = 'Embedded content is the same for everyone.';
const mailboxReason = 'The development mailbox does not exist in production.';

/**
 * Every route that isn't a call, with its response to each caller and the reason. The suite fails if a route has no
 * row. If a route has a second row, its key has a suffix.
 */
export const OTHER_ROUTES: Readonly<Record<RouteName, OtherRoute>> = {
  'GET /healthz': {
    reason: 'Reports only that the program is running.',
    request: () => ({ url: '/healthz' }),
    responses: statusForEveryCaller(200),
  },
  [`GET ${PROBE_PATH}`]: {
    reason: 'Identifies the installation at the public address with a hash that grants no access.',
    request: () => ({ url: PROBE_PATH }),
    responses: statusForEveryCaller(200),
  },
  [`GET ${METRICS_PATH}`]: {
    reason: 'Metrics are off unless the settings contain a token.',
    request: () => ({ url: METRICS_PATH }),
    responses: statusForEveryCaller(404),
  },
  'GET /readyz': {
    reason: 'Reports only whether the database responds.',
    request: () => ({ url: '/readyz' }),
    responses: statusForEveryCaller(200),
  },
  [`GET ${API_BASE}${LIVE_PATH}`]: {
    reason: 'Sends the version of the public pages. Like a call, it rejects an invalid token.',
    request: ({ orgs }) => ({
      url: API_BASE + fillPath(LIVE_PATH, { orgid: orgs['own organization'] }),
      payloadAsStream: true,
    }),
    responses: { ...statusForEveryCaller(200), 'expired token': 401, 'tampered token': 401 },
  },
  [`POST ${WEBHOOK_PATH}`]: {
    reason: 'Only the provider can sign its events.',
    request: () => ({
      method: 'POST',
      url: WEBHOOK_PATH,
      payload: '{}',
      headers: { 'content-type': 'application/json' },
    }),
    responses: statusForEveryCaller(400),
  },
  [`POST ${WEBHOOK_PATH} signed`]: {
    reason: 'The signature is enough, with or without a token.',
    request: () => ({
      method: 'POST',
      url: WEBHOOK_PATH,
      payload: '{}',
      headers: { 'content-type': 'application/json', 'stripe-signature': GOOD_SIGNATURE },
    }),
    responses: statusForEveryCaller(200),
  },
  'GET /api/auth/callback/google': {
    reason: 'A response that is not from Google redirects to the login page without a session.',
    request: () => ({ url: '/api/auth/callback/google?code=made-up&state=made-up' }),
    responses: statusForEveryCaller(303),
  },
  'GET /api/docs': {
    reason: 'The API documentation is public.',
    request: () => ({ url: '/api/docs' }),
    responses: statusForEveryCaller(200),
  },
  [`POST ${POLICY_REPORTS_PATH}`]: {
    reason: 'Browsers send reports without a token; they are only logged and counted.',
    request: () => ({
      method: 'POST',
      url: POLICY_REPORTS_PATH,
      payload: '[]',
      headers: { 'content-type': 'application/reports+json' },
    }),
    responses: statusForEveryCaller(204),
  },
  'GET /.well-known/security.txt': {
    reason: 'Security researchers need a contact address.',
    request: () => ({ url: '/.well-known/security.txt' }),
    responses: statusForEveryCaller(200),
  },
  'GET /robots.txt': {
    reason: searchEngineReason,
    request: () => ({ url: '/robots.txt' }),
    responses: statusForEveryCaller(200),
  },
  'GET /sitemap.xml': {
    reason: searchEngineReason,
    request: () => ({ url: '/sitemap.xml' }),
    responses: statusForEveryCaller(200),
  },
  'GET /sitemaps/:file': {
    reason: searchEngineReason,
    request: () => ({ url: '/sitemaps/orgs.xml' }),
    responses: statusForEveryCaller(200),
  },
  'GET /media/:key/:file': {
    reason: 'Pictures are as public as the stories that show them; pictures of hidden stories are not linked.',
    request: ({ pictureKey }) => ({ url: `/media/${pictureKey}/48.webp` }),
    responses: statusForEveryCaller(200),
  },
  'GET /media/qrcodes/:file': {
    reason: 'A QR code contains only the address of a public page.',
    request: ({ orgs }) => ({ url: qrcodePath(orgs['own organization']) }),
    responses: statusForEveryCaller(200),
  },
  'GET /orgs/:orgid/embed': {
    reason: embedReason,
    request: ({ orgs }) => ({ url: embedPath(orgs['own organization'], 'en') }),
    responses: statusForEveryCaller(200),
  },
  'GET /es/orgs/:orgid/embed': {
    reason: embedReason,
    request: ({ orgs }) => ({ url: embedPath(orgs['own organization'], 'es') }),
    responses: statusForEveryCaller(200),
  },
  'GET /media/embed/:file': {
    reason: embedReason,
    request: () => ({ url: EMBED_SCRIPT }),
    responses: statusForEveryCaller(200),
  },
  'GET /media/cards/:file': {
    reason: shareImageReason,
    request: ({ orgs }) => ({ url: orgShareImagePath(orgs['own organization']) }),
    responses: statusForEveryCaller(200),
  },
  'GET /media/cards/:orgid/:kind/:file': {
    reason: shareImageReason,
    request: ({ orgs, shownOffsetter }) => ({
      url: storyShareImagePath(orgs['own organization'], 'offsetters', shownOffsetter),
    }),
    responses: statusForEveryCaller(200),
  },
  'GET /media/cards/:orgid/:kind/:file of a draft': {
    reason: 'Hidden content has no share image, not even for its editors.',
    request: ({ orgs, draftOffsetter }) => ({
      url: storyShareImagePath(orgs['own organization'], 'offsetters', draftOffsetter),
    }),
    responses: statusForEveryCaller(404),
  },
  'GET /dev/mailbox': {
    reason: mailboxReason,
    request: () => ({ url: '/dev/mailbox' }),
    responses: statusForEveryCaller(200),
  },
  'GET /dev/mailbox.json': {
    reason: mailboxReason,
    request: () => ({ url: '/dev/mailbox.json' }),
    responses: statusForEveryCaller(200),
  },
  'GET /dev/mailbox/style.css': {
    reason: mailboxReason,
    request: () => ({ url: '/dev/mailbox/style.css' }),
    responses: statusForEveryCaller(200),
  },
  'GET /dev/mailbox/:id': {
    reason: mailboxReason,
    request: ({ emailId }) => ({ url: `/dev/mailbox/${emailId}` }),
    responses: statusForEveryCaller(200),
  },
  'GET /dev/mailbox/:id/html': {
    reason: mailboxReason,
    request: ({ emailId }) => ({ url: `/dev/mailbox/${emailId}/html` }),
    responses: statusForEveryCaller(200),
  },
  'GET /dev/mailbox/:id/attachments/:name': {
    reason: mailboxReason,
    request: ({ emailId }) => ({ url: `/dev/mailbox/${emailId}/attachments/none.pdf` }),
    responses: statusForEveryCaller(404),
  },
};
