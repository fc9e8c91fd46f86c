import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { RenderPage } from '#contract/rendering.ts';
import type { AppDeps } from './deps.ts';
import { activityRoutes } from './features/activity/activity.routes.ts';
import { allocationRoutes } from './features/allocation/allocation.routes.ts';
import { attentionRoutes } from './features/attention/attention.routes.ts';
import { bankRoutes } from './features/bank/bank.routes.ts';
import { cellRoutes } from './features/cells/cells.routes.ts';
import { checkoutSearchRoutes } from './features/checkout-search/checkout-search.routes.ts';
import { checkoutRoutes } from './features/checkouts/checkouts.routes.ts';
import { cityRoutes } from './features/cities/cities.routes.ts';
import { donorRoutes } from './features/donors/donors.routes.ts';
import { editorRoutes } from './features/editors/editors.routes.ts';
import { embedRoutes } from './features/embed/embed.routes.ts';
import { grantRoutes } from './features/grants/grants.routes.ts';
import { liveRoutes } from './features/live/live.routes.ts';
import { mailboxRoutes } from './features/mailbox/mailbox.routes.ts';
import { mediaRoutes, shareImageRoutes } from './features/media/media.routes.ts';
import { metricsRoute } from './features/metrics/metrics.routes.ts';
import { operationRoutes } from './features/operation/operation.routes.ts';
import { orgRoutes } from './features/orgs/orgs.routes.ts';
import { paymentRoutes } from './features/payments/payments.routes.ts';
import { payoutRoutes } from './features/payouts/payouts.routes.ts';
import { pledgeRoutes } from './features/pledges/pledges.routes.ts';
import { policyReportRoutes } from './features/policy-reports/policy-reports.routes.ts';
import { webhookRoute } from './features/provider-events/webhook.routes.ts';
import { limitExpensiveCalls } from './features/rate-limits/limit-expensive-calls.ts';
import { receiptRoutes } from './features/receipts/receipts.routes.ts';
import { recurringGiftRoutes } from './features/recurring-gifts/recurring-gifts.routes.ts';
import { secondFactorRoutes } from './features/second-factors/second-factors.routes.ts';
import { sessionRoutes } from './features/sessions/sessions.routes.ts';
import { crawlerRoutes } from './features/site/crawlers.routes.ts';
import { qrcodeRoutes } from './features/site/qrcode.routes.ts';
import { siteRoutes } from './features/site/site.routes.ts';
import { statementRoutes } from './features/statements/statements.routes.ts';
import { storyRoutes } from './features/stories/stories.routes.ts';
import { teamEmailRoutes } from './features/team-emails/team-emails.routes.ts';
import { teamNoteRoutes } from './features/team-notes/team-notes.routes.ts';
import { treasuryRoutes } from './features/treasury/treasury.routes.ts';
import { tributeRoutes } from './features/tributes/tributes.routes.ts';
import { userRoutes } from './features/users/users.routes.ts';
import { escapeMalformedPath, requireSingleHost } from './http/address.ts';
import { registerApiDocs } from './http/api-document.ts';
import { type BodyDeadlines, enforceBodyDeadlines } from './http/body-deadlines.ts';
import { countRequests } from './http/count-requests.ts';
import { warnAboutUntrustedProxy } from './http/forwarding.ts';
import { registerGracefulShutdown } from './http/graceful-shutdown.ts';
import { healthRoutes } from './http/health.ts';
import { registerJsonParser } from './http/json-parser.ts';
import { limitConnections } from './http/limit-connections.ts';
import { handleErrors, rejectMalformedRequest } from './http/problems.ts';
import { rejectOverload } from './http/reject-overload.ts';
import { addRequestIds, createRequestIdGenerator, ResponseWithId } from './http/request-ids.ts';
import { trackRoutes } from './http/route-table.ts';
import { allowPageOrigins, registerSecurityHeaders } from './http/security-headers.ts';
import { throttleClients } from './http/throttle-clients.ts';
import { limitUploads } from './http/uploads.ts';
import { registerCallCache } from './pages/cached-calls.ts';
import { registerWebPages } from './pages/web-pages.ts';

/** Bytes. Texts, photos, and the provider's events have separate limits. */
const BODY_LIMIT = 65_536;
/** An upload of 25 MB takes minutes on a slow connection. */
const REQUEST_TIMEOUT_MS = 15 * 60_000;
/** Node's limit for headers, so that our schema rejects an overlong id with a 404 before the router does. */
const MAX_PARAM_LENGTH = 16_384;
/** Closes connections that never send a request, so that they don't use up the connection limit. */
const HEADERS_TIMEOUT_MS = 20_000;
const CONNECTIONS_CHECK_MS = 5000;

export type AppOptions = {
  readonly logger?: FastifyBaseLogger;
  /** Folder of the built web client. If omitted, no pages are served. */
  readonly webFolder?: string | undefined;
  /** Renders the public pages; defaults to the renderer that was built with the web client. */
  readonly render?: RenderPage | undefined;
  /** Proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies?: readonly string[];
  readonly deadlines?: BodyDeadlines | undefined;
  /** True if requests are delayed or rejected under load. */
  readonly limitsLoad?: boolean;
  /** False for tests that change the database directly. */
  readonly cachesCalls?: boolean;
};

/** Builds the app with all routes. It doesn't listen yet, and doesn't read the configuration. */
export async function buildApp(
  deps: AppDeps,
  {
    logger,
    webFolder,
    render,
    trustedProxies = [],
    deadlines,
    limitsLoad = false,
    cachesCalls = true,
  }: AppOptions = {},
): Promise<FastifyInstance> {
  const createRequestId = createRequestIdGenerator(trustedProxies);
  const app: FastifyInstance = Fastify({
    http: {
      ServerResponse: ResponseWithId,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
    },
    bodyLimit: BODY_LIMIT,
    genReqId: createRequestId,
    requestTimeout: REQUEST_TIMEOUT_MS,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    rewriteUrl: ({ url = '/' }) => escapeMalformedPath(url),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH },
    // Rejects bodies with "__proto__".
    onProtoPoisoning: 'error',
    // Handles requests during the shutdown as usual.
    return503OnClosing: false,
    clientErrorHandler: rejectMalformedRequest,
    ...(logger ? { loggerInstance: logger } : {}),
  });
  app.removeContentTypeParser('text/plain');
  app.decorateRequest('userId', undefined);
  addRequestIds(app);
  countRequests(app, deps.metrics);
  registerJsonParser(app);
  handleErrors(app);
  requireSingleHost(app);
  warnAboutUntrustedProxy(app);
  enforceBodyDeadlines(app, deadlines);
  registerGracefulShutdown(app);
  const routes = trackRoutes(app);
  await registerSecurityHeaders(app, deps);
  allowPageOrigins(app, deps.settings.pageOrigins);
  if (limitsLoad) {
    limitConnections(app, trustedProxies);
    await rejectOverload(app);
    throttleClients(app);
  }
  limitUploads(app);
  limitExpensiveCalls(app, deps);
  if (cachesCalls) await registerCallCache(app, deps);
  await app.register(async (apiScope) => {
    await registerApiDocs(apiScope);
    await siteRoutes(apiScope, deps);
    await operationRoutes(apiScope, deps);
    await orgRoutes(apiScope, deps);
    await liveRoutes(apiScope, deps);
    await cellRoutes(apiScope, deps);
    await storyRoutes(apiScope, deps);
    await cityRoutes(apiScope, deps);
    await checkoutRoutes(apiScope, deps);
    await checkoutSearchRoutes(apiScope, deps);
    await paymentRoutes(apiScope, deps);
    await activityRoutes(apiScope, deps);
    await policyReportRoutes(apiScope, deps);
    await attentionRoutes(apiScope, deps);
    await apiScope.register((webhook) => webhookRoute(webhook, deps));
    await pledgeRoutes(apiScope, deps);
    await teamNoteRoutes(apiScope, deps);
    await grantRoutes(apiScope, deps);
    await treasuryRoutes(apiScope, deps);
    await payoutRoutes(apiScope, deps);
    await statementRoutes(apiScope, deps);
    await bankRoutes(apiScope, deps);
    await receiptRoutes(apiScope, deps);
    await donorRoutes(apiScope, deps);
    await allocationRoutes(apiScope, deps);
    await tributeRoutes(apiScope, deps);
    await recurringGiftRoutes(apiScope, deps);
    await sessionRoutes(apiScope, deps);
    await secondFactorRoutes(apiScope, deps);
    await userRoutes(apiScope, deps);
    await editorRoutes(apiScope, deps);
    await teamEmailRoutes(apiScope, deps);
  });
  await metricsRoute(app, deps);
  await mediaRoutes(app, deps);
  await shareImageRoutes(app, deps);
  await crawlerRoutes(app, deps);
  await qrcodeRoutes(app, deps);
  await embedRoutes(app, deps);
  const { mailbox } = deps;
  if (mailbox && !deps.settings.production) await app.register((scope) => mailboxRoutes(scope, { mailbox }));
  const servesPages = await registerWebPages(app, deps, { webFolder, render, routes });
  healthRoutes(app, deps, webFolder !== undefined && !servesPages);
  return app;
}
