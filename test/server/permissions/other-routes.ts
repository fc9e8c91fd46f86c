import type { InjectOptions } from 'fastify';
import { API_BASE, LIVE_PATH, METRICS_PATH, POLICY_REPORTS_PATH, WEBHOOK_PATH } from '#contract/calls.ts';
import { EMBED_SCRIPT, embedPath } from '#contract/embed.ts';
import { fillPath } from '#contract/path-pattern.ts';
import { qrcodePath } from '#contract/qrcode.ts';
import { orgShareImagePath, storyShareImagePath } from '#contract/share-images.ts';
import { MARK_PATH } from '#server/gateways/public-address.ts';
import type { RouteName } from '#test/support/routes-of.ts';
import { CALLERS, type Caller } from './callers.ts';
import { GOOD_SIGNATURE, type World } from './world.ts';

export type OtherRoute = {
  readonly why: string;
  readonly request: (world: World) => InjectOptions;
  readonly responses: Readonly<Record<Caller, number>>;
};

const everyCaller = (status: number) =>
  Object.fromEntries(CALLERS.map((caller) => [caller, status])) as Record<Caller, number>;
const searchEngines = 'Search engines read the addresses of public pages without a token.';
const sameAsPage = 'A share image shows what the public page shows.';
const embedded = 'What other sites show is the same for everybody.';
const mailbox = 'The development mailbox does not exist in production.';

/**
 * Every route that isn't a call, with its response to each caller and the reason. A route without a row fails the
 * suite. A route's second row has a suffix.
 */
export const OTHER_ROUTES: Readonly<Record<RouteName, OtherRoute>> = {
  'GET /healthz': {
    why: 'It only says that the program is running.',
    request: () => ({ url: '/healthz' }),
    responses: everyCaller(200),
  },
  [`GET ${MARK_PATH}`]: {
    why: 'Whoever opens the public address sees which installation responds: a hash that opens nothing.',
    request: () => ({ url: MARK_PATH }),
    responses: everyCaller(200),
  },
  [`GET ${METRICS_PATH}`]: {
    why: 'Without a token in the settings there are no metrics.',
    request: () => ({ url: METRICS_PATH }),
    responses: everyCaller(404),
  },
  'GET /readyz': {
    why: 'It only says whether the database responds.',
    request: () => ({ url: '/readyz' }),
    responses: everyCaller(200),
  },
  [`GET ${API_BASE}${LIVE_PATH}`]: {
    why: 'It sends the version of the public pages; an invalid token is rejected, as in a call.',
    request: ({ orgs }) => ({
      url: API_BASE + fillPath(LIVE_PATH, { orgid: orgs['own organization'] }),
      payloadAsStream: true,
    }),
    responses: { ...everyCaller(200), 'expired token': 401, 'tampered token': 401 },
  },
  [`POST ${WEBHOOK_PATH}`]: {
    why: 'Only the provider can sign its reports.',
    request: () => ({
      method: 'POST',
      url: WEBHOOK_PATH,
      payload: '{}',
      headers: { 'content-type': 'application/json' },
    }),
    responses: everyCaller(400),
  },
  [`POST ${WEBHOOK_PATH} signed`]: {
    why: 'The signature is enough, with or without a token.',
    request: () => ({
      method: 'POST',
      url: WEBHOOK_PATH,
      payload: '{}',
      headers: { 'content-type': 'application/json', 'stripe-signature': GOOD_SIGNATURE },
    }),
    responses: everyCaller(200),
  },
  'GET /api/auth/callback/google': {
    why: 'A response that is not from Google leads back to the login page, without a session.',
    request: () => ({ url: '/api/auth/callback/google?code=made-up&state=made-up' }),
    responses: everyCaller(303),
  },
  'GET /api/docs': {
    why: 'The description of the calls is public.',
    request: () => ({ url: '/api/docs' }),
    responses: everyCaller(200),
  },
  [`POST ${POLICY_REPORTS_PATH}`]: {
    why: 'Browsers send reports without a token; they are only logged and counted.',
    request: () => ({
      method: 'POST',
      url: POLICY_REPORTS_PATH,
      payload: '[]',
      headers: { 'content-type': 'application/reports+json' },
    }),
    responses: everyCaller(204),
  },
  'GET /.well-known/security.txt': {
    why: 'Whoever finds a hole needs to know whom to tell.',
    request: () => ({ url: '/.well-known/security.txt' }),
    responses: everyCaller(200),
  },
  'GET /robots.txt': { why: searchEngines, request: () => ({ url: '/robots.txt' }), responses: everyCaller(200) },
  'GET /sitemap.xml': { why: searchEngines, request: () => ({ url: '/sitemap.xml' }), responses: everyCaller(200) },
  'GET /sitemaps/:file': {
    why: searchEngines,
    request: () => ({ url: '/sitemaps/orgs.xml' }),
    responses: everyCaller(200),
  },
  'GET /media/:key/:file': {
    why: 'Pictures are as public as the stories that show them; nothing links to the picture of a hidden one.',
    request: ({ pictureKey }) => ({ url: `/media/${pictureKey}/48.webp` }),
    responses: everyCaller(200),
  },
  'GET /media/qrcodes/:file': {
    why: 'A code contains the address of a public page, and nothing else.',
    request: ({ orgs }) => ({ url: qrcodePath(orgs['own organization']) }),
    responses: everyCaller(200),
  },
  'GET /orgs/:orgid/embed': {
    why: embedded,
    request: ({ orgs }) => ({ url: embedPath(orgs['own organization'], 'en') }),
    responses: everyCaller(200),
  },
  'GET /es/orgs/:orgid/embed': {
    why: embedded,
    request: ({ orgs }) => ({ url: embedPath(orgs['own organization'], 'es') }),
    responses: everyCaller(200),
  },
  'GET /media/embed/:file': { why: embedded, request: () => ({ url: EMBED_SCRIPT }), responses: everyCaller(200) },
  'GET /media/cards/:file': {
    why: sameAsPage,
    request: ({ orgs }) => ({ url: orgShareImagePath(orgs['own organization']) }),
    responses: everyCaller(200),
  },
  'GET /media/cards/:orgid/:kind/:file': {
    why: sameAsPage,
    request: ({ orgs, shownOffsetter }) => ({
      url: storyShareImagePath(orgs['own organization'], 'offsetters', shownOffsetter),
    }),
    responses: everyCaller(200),
  },
  'GET /media/cards/:orgid/:kind/:file of a draft': {
    why: 'Hidden content has no share image, not even for its editors.',
    request: ({ orgs, draftOffsetter }) => ({
      url: storyShareImagePath(orgs['own organization'], 'offsetters', draftOffsetter),
    }),
    responses: everyCaller(404),
  },
  'GET /dev/mailbox': { why: mailbox, request: () => ({ url: '/dev/mailbox' }), responses: everyCaller(200) },
  'GET /dev/mailbox.json': { why: mailbox, request: () => ({ url: '/dev/mailbox.json' }), responses: everyCaller(200) },
  'GET /dev/mailbox/style.css': {
    why: mailbox,
    request: () => ({ url: '/dev/mailbox/style.css' }),
    responses: everyCaller(200),
  },
  'GET /dev/mailbox/:id': {
    why: mailbox,
    request: ({ mailId }) => ({ url: `/dev/mailbox/${mailId}` }),
    responses: everyCaller(200),
  },
  'GET /dev/mailbox/:id/html': {
    why: mailbox,
    request: ({ mailId }) => ({ url: `/dev/mailbox/${mailId}/html` }),
    responses: everyCaller(200),
  },
  'GET /dev/mailbox/:id/attachments/:name': {
    why: mailbox,
    request: ({ mailId }) => ({ url: `/dev/mailbox/${mailId}/attachments/none.pdf` }),
    responses: everyCaller(404),
  },
};
