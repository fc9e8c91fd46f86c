import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DEFAULT_LANGUAGE, localizeAddress, parseLanguage } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import { Failure } from '#domain/failures.ts';
import { safeReturnTo } from '#domain/return-to.ts';
import type { AppDeps } from '#server/deps.ts';
import { findUserRow } from '#server/entities/find-user.ts';
import { checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { GOOGLE_CALLBACK_PATH } from '#server/gateways/identity/google-sign-in.ts';
import type { GoogleReturn, GoogleSignIn } from '#server/gateways/identity/identity.ts';
import { requireSignedIn } from '#server/http/actor.ts';
import { splitUrl } from '#server/http/address.ts';
import { registerCall, WithCookies } from '#server/http/call-route.ts';
import { saveGoogleConfirmation } from './confirm-identity.ts';
import { createCaller, createPendingLoginCookie, markBrowser, toLoginClient, toRequester } from './session-cookies.ts';
import type { Caller } from './session-lifecycle.ts';
import { signInWithGoogle } from './sign-in.ts';

export function registerGoogleRoutes(app: FastifyInstance, deps: AppDeps): void {
  const { google } = deps.identity;
  registerCall(app, deps, 'signInWithGoogle', {
    action: 'session.begin',
    handle: ({ body, request }) =>
      startGoogle(deps, request, { loginHint: body.loginHint, returnTo: safeReturnTo(body.returnTo) }),
  });
  registerCall(app, deps, 'startGoogleConfirmation', {
    action: 'session.change',
    handle: async ({ actor, request }) => {
      const { userId, sessionId } = requireSignedIn(actor);
      const user = await findUserRow(deps.db.kysely, userId);
      if (!user) return new Failure('token-invalid');
      return startGoogle(deps, request, { loginHint: user.email, returnTo: undefined, sessionIdToConfirm: sessionId });
    },
  });
  if (google) registerGoogleCallback(app, deps, google);
}

type GoogleRequest = {
  readonly loginHint: string | undefined;
  readonly returnTo: string | undefined;
  /** Session whose user is confirming their identity. */
  readonly sessionIdToConfirm?: string;
};

/** @returns Failure google-unavailable, too-many-requests */
async function startGoogle(deps: AppDeps, request: FastifyRequest, googleRequest: GoogleRequest) {
  const { google } = deps.identity;
  if (!google) return new Failure('google-unavailable');
  const { client, previousSessionHash } = await createCaller(deps, request);
  const failure = await checkRateLimit(deps, 'code', { client });
  if (failure) return failure;
  const language = parseLanguage(request.headers['accept-language']);
  const redirection = await google.start({ ...googleRequest, previousSessionHash, language });
  return redirection instanceof Failure ? redirection : new WithCookies({ url: redirection.url }, redirection.cookies);
}

/** Registers the route that Google redirects the browser to. It responds with another redirect. */
function registerGoogleCallback(app: FastifyInstance, deps: AppDeps, google: GoogleSignIn): void {
  // The code works once, so a HEAD request must not use it up.
  app.get(GOOGLE_CALLBACK_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    const query = new URLSearchParams(splitUrl(request.url).search);
    const googleReturn = await google.finish(query, request.headers.cookie);
    const { person, sessionIdToConfirm, returnTo, cookies } = googleReturn;
    if (sessionIdToConfirm !== undefined) {
      // The page that requested the confirmation shows the result.
      if (person) await saveGoogleConfirmation(deps, person, sessionIdToConfirm);
      return redirect(reply, localizeReturn(pagePath('confirmed-page', {}), googleReturn), cookies);
    }
    const session =
      person && (await signInWithGoogle(deps, person, createCallerAfterGoogle(deps, request, googleReturn)));
    if (!session || session instanceof Failure) {
      request.log.info({ code: session?.code }, 'a sign-in with Google failed');
      return redirect(reply, localizeReturn(getGoogleFailurePath(googleReturn), googleReturn), cookies);
    }
    if ('pendingLoginSecret' in session) {
      const page = localizeReturn(getSecondStepPath(googleReturn), googleReturn);
      return redirect(reply, page, [...cookies, createPendingLoginCookie(deps, session)]);
    }
    const sessionCookies = await deps.identity.cookies.set(session.secret);
    const browserCookies = await markBrowser(deps, session.id);
    const page = (await mustSetUpSecondStep(deps, session.id))
      ? `${pagePath('login-page', {})}?${createReturnQuery({}, returnTo)}`
      : (safeReturnTo(returnTo) ?? pagePath('login-page', {}));
    return redirect(reply, localizeReturn(page, googleReturn), [...cookies, ...sessionCookies, ...browserCookies]);
  });
}

/** Returns whether the user's role requires a second step that they haven't set up. The login page asks for it. */
async function mustSetUpSecondStep({ identity }: Pick<AppDeps, 'identity'>, sessionId: string): Promise<boolean> {
  const token = await identity.issueToken(sessionId);
  const actor = token && (await identity.findActor(token.token));
  return actor?.kind === 'user' && actor.inactivePermissions !== undefined;
}

/** Returns the page's address in the language of the page where the user started. */
function localizeReturn(page: string, { language = DEFAULT_LANGUAGE }: GoogleReturn): string {
  return localizeAddress(page, language);
}

function getGoogleFailurePath({ returnTo }: GoogleReturn): string {
  return `${pagePath('login-page', {})}?${createReturnQuery({ error: 'google' }, returnTo)}`;
}

function getSecondStepPath({ returnTo }: GoogleReturn): string {
  return `${pagePath('second-step-page', {})}?${createReturnQuery({}, returnTo)}`;
}

function createReturnQuery(query: Readonly<Record<string, string>>, returnTo: string | undefined): string {
  const target = safeReturnTo(returnTo);
  const params = new URLSearchParams(query);
  if (target !== undefined) params.set('return_to', target);
  return params.toString();
}

/** Redirects so that neither a cache nor the next page gets the current address, which contains a code. */
function redirect(reply: FastifyReply, path: string, cookies: readonly string[]): FastifyReply {
  void reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'set-cookie': [...cookies] });
  return reply.redirect(path, 303);
}

/** Creates a caller without the session cookie, which the browser doesn't send when Google redirects it here. */
function createCallerAfterGoogle(
  deps: Pick<AppDeps, 'identity'>,
  request: FastifyRequest,
  { previousSessionHash, language }: GoogleReturn,
): Caller {
  return { ...toLoginClient(request, language), ...toRequester(deps, request), previousSessionHash, language };
}
