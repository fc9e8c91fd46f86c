import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { RenderPage } from '#contract/rendering.ts';
import { cardRoutes } from '#server/features/media/media.routes.ts';
import type { AppDeps } from './deps.ts';
import { cellRoutes } from './features/cells/cells.routes.ts';
import { checkoutRoutes } from './features/checkouts/checkouts.routes.ts';
import { cityRoutes } from './features/cities/cities.routes.ts';
import { editorRoutes } from './features/editors/editors.routes.ts';
import { liveRoutes } from './features/live/live.routes.ts';
import { mailboxRoutes } from './features/mailbox/mailbox.routes.ts';
import { mediaRoutes } from './features/media/media.routes.ts';
import { orgRoutes } from './features/orgs/orgs.routes.ts';
import { pledgeRoutes } from './features/pledges/pledges.routes.ts';
import { sessionRoutes } from './features/sessions/sessions.routes.ts';
import { crawlerRoutes } from './features/site/crawlers.routes.ts';
import { qrcodeRoutes } from './features/site/qrcode.routes.ts';
import { siteRoutes } from './features/site/site.routes.ts';
import { storyRoutes } from './features/stories/stories.routes.ts';
import { treasuryRoutes } from './features/treasury/treasury.routes.ts';
import { userRoutes } from './features/users/users.routes.ts';
import { decodableAddress } from './http/address.ts';
import { apiDocument } from './http/api-document.ts';
import { answerOtherOrigins } from './http/cross-origin.ts';
import { knownRoutes } from './http/known-routes.ts';
import { handleErrors } from './http/problems.ts';
import { securityHeaders } from './http/security-headers.ts';
import { newId } from './ids.ts';
import { keptAnswers } from './pages/kept-answers.ts';
import { webPages } from './pages/web-pages.ts';

/** Above any cart or text; photos have their own, larger limit. */
const BODY_LIMIT = 1_048_576;
/** A photo of 25 MB over a slow line takes minutes; what takes longer hangs. */
const LONGEST_REQUEST_MS = 15 * 60_000;
/** As long as an address can be at all: one that is too long for an id is looked up nowhere, and not found. */
const LONGEST_PARAM = 16_384;

export type AppOptions = {
  readonly logger?: FastifyBaseLogger;
  /** The folder of the built web client; without it no pages are served. */
  readonly webFolder?: string | undefined;
  /** Renders the public pages; by default what the build left beside the web client. */
  readonly render?: RenderPage | undefined;
  /** The proxies whose word about a client's address is taken. Without them a forwarding header says nothing. */
  readonly trustedProxies?: readonly string[];
};

/** The whole product as a function: routes and nothing else. It listens nowhere and reads no configuration. */
export async function buildApp(
  deps: AppDeps,
  { logger, webFolder, render, trustedProxies = [] }: AppOptions = {},
): Promise<FastifyInstance> {
  const answers = keptAnswers();
  const app: FastifyInstance = Fastify({
    serverFactory: answers.serverFactory,
    bodyLimit: BODY_LIMIT,
    genReqId: newId,
    requestTimeout: LONGEST_REQUEST_MS,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    rewriteUrl: ({ url = '/' }) => decodableAddress(url),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: LONGEST_PARAM },
    // A body parser must not read "__proto__": such a field is refused as malformed.
    onProtoPoisoning: 'error',
    ...(logger ? { loggerInstance: logger } : {}),
  });
  // JSON and forms are understood; a plain text would be read as a value of its own.
  app.removeContentTypeParser('text/plain');
  handleErrors(app);
  const routes = knownRoutes(app);
  await securityHeaders(app, deps);
  answerOtherOrigins(app, deps.pageOrigins);
  await app.register(async (calls) => {
    await apiDocument(calls);
    await siteRoutes(calls, deps);
    await orgRoutes(calls, deps);
    await liveRoutes(calls, deps);
    await cellRoutes(calls, deps);
    await storyRoutes(calls, deps);
    await cityRoutes(calls, deps);
    await checkoutRoutes(calls, deps);
    await pledgeRoutes(calls, deps);
    await treasuryRoutes(calls, deps);
    await sessionRoutes(calls, deps);
    await userRoutes(calls, deps);
    await editorRoutes(calls, deps);
  });
  await mediaRoutes(app, deps);
  await cardRoutes(app, deps);
  await crawlerRoutes(app, deps);
  await qrcodeRoutes(app, deps);
  if (deps.mailbox && !deps.production) await mailboxRoutes(app, { mailbox: deps.mailbox });
  await webPages(app, deps, { webFolder, render, routes, answers });
  return app;
}
