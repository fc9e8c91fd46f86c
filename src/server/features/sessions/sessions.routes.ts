import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DEFAULT_LANGUAGE, localizeAddress, parseLanguage } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import type { IdentityToken } from '#contract/schemas/session.ts';
import { browserName } from '#domain/browser-name.ts';
import { Failure } from '#domain/failures.ts';
import { safeReturnTo } from '#domain/return-to.ts';
import { SECOND_STEP_MINUTES } from '#domain/second-factor.ts';
import type { AppDeps, WithSettings } from '#server/deps.ts';
import { findUserRow } from '#server/entities/find-user.ts';
import { checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { GOOGLE_CALLBACK_PATH } from '#server/gateways/identity/google-sign-in.ts';
import type { GoogleReturn, GoogleSignIn } from '#server/gateways/identity/identity.ts';
import { requireBearer } from '#server/http/actor.ts';
import { splitUrl } from '#server/http/address.ts';
import { registerCall, WithCookies } from '#server/http/call-route.ts';
import { requireOwnOrigin } from '#server/http/security-headers.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { requestEmailChange } from './change-email.ts';
import { changeName } from './change-name.ts';
import { confirmIdentity, saveGoogleConfirmation, startConfirmation } from './confirm-identity.ts';
import { endSession, nameSession, readSessions, signOutElsewhere } from './own-sessions.ts';
import {
  finishSecondStep,
  type SecondStepRequired,
  signInWithPasskey,
  startPasskeyLogin,
  startSecondStep,
} from './second-step.ts';
import { hashSecret } from './secrets.ts';
import { sendConfirmationCode, sendPasswordReset, sendSignInLink, sendVerification } from './send-link.ts';
import {
  type Caller,
  type LoginClient,
  type OpenedSession,
  readToken,
  signOut,
  signOutEverywhere,
} from './session-lifecycle.ts';
import { findVerifiedEmail } from './sessions.store.ts';
import { changePassword, resetPassword } from './set-password.ts';
import { signInWithGoogle, signInWithLink, signInWithPassword } from './sign-in.ts';
import { signUp } from './sign-up.ts';
import { verifyEmail } from './verify-email.ts';

export async function sessionRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { identity } = deps;
  registerCall(app, deps, 'readToken', {
    action: 'session.begin',
    handle: async ({ request }) => {
      const secret = await readCookieSecret(deps, request);
      const result = secret === undefined ? undefined : await readToken(deps, secret);
      if (secret !== undefined && result?.extended) {
        return new WithCookies(result.token, await identity.cookies.set(secret));
      }
      if (result) return result.token;
      return request.headers.cookie === undefined ? null : new WithCookies(null, identity.cookies.clear());
    },
  });
  registerCall(app, deps, 'signInWithPassword', {
    action: 'session.begin',
    handle: async ({ body, request }) =>
      createLoginResponse(deps, request, await signInWithPassword(deps, body, await createCaller(deps, request))),
  });
  registerCall(app, deps, 'sendSignInLink', {
    action: 'session.begin',
    handle: ({ body, request, language }) => sendSignInLink(deps, body, { ...toSender(deps, request), language }),
  });
  registerCall(app, deps, 'signInWithLink', {
    action: 'session.begin',
    handle: async ({ body, request }) =>
      createLoginResponse(deps, request, await signInWithLink(deps, body, await createCaller(deps, request))),
  });
  registerCall(app, deps, 'acceptInvitation', {
    action: 'session.begin',
    handle: async ({ body, request }) =>
      createLoginResponse(deps, request, await acceptInvitation(deps, body, await createCaller(deps, request))),
  });
  registerCall(app, deps, 'signUp', {
    action: 'session.begin',
    handle: ({ body, request, language }) => signUp(deps, body, { client: request.ip, language }),
  });
  registerCall(app, deps, 'signOut', {
    action: 'session.begin',
    handle: async ({ actor, request }) => {
      await signOut(deps, actor, await readCookieSecret(deps, request));
      return new WithCookies({}, identity.cookies.clear());
    },
  });
  registerCall(app, deps, 'signOutEverywhere', {
    action: 'session.change',
    handle: async ({ actor }) => {
      await signOutEverywhere(deps, requireBearer(actor).userId);
      return new WithCookies({}, identity.cookies.clear());
    },
  });
  registerOwnSessionRoutes(app, deps);
  registerSecondStepRoutes(app, deps);
  registerVerificationRoutes(app, deps);
  registerConfirmationRoutes(app, deps);
  registerGoogleRoutes(app, deps);
}

function registerConfirmationRoutes(app: FastifyInstance, deps: AppDeps): void {
  registerCall(app, deps, 'sendConfirmationCode', {
    action: 'session.change',
    handle: ({ actor, request, language }) =>
      sendConfirmationCode(deps, requireBearer(actor), { client: request.ip, language }),
  });
  registerCall(app, deps, 'startConfirmation', {
    action: 'session.change',
    handle: ({ actor, request }) => startConfirmation(deps, requireBearer(actor), request.ip),
  });
  registerCall(app, deps, 'startGoogleConfirmation', {
    action: 'session.change',
    handle: async ({ actor, request }) => {
      const { userId, sessionId } = requireBearer(actor);
      const user = await findUserRow(deps.db.kysely, userId);
      if (!user) return new Failure('token-invalid');
      return startGoogle(deps, request, { loginHint: user.email, returnTo: undefined, sessionIdToConfirm: sessionId });
    },
  });
  registerCall(app, deps, 'confirmIdentity', {
    action: 'session.change',
    handle: async ({ actor, body, request }) => {
      requireOwnOrigin(request, deps);
      return createSessionResponse(deps, request, await confirmIdentity(deps, requireBearer(actor), body, request.ip));
    },
  });
}

function registerOwnSessionRoutes(app: FastifyInstance, deps: AppDeps): void {
  registerCall(app, deps, 'readSessions', {
    action: 'session.read',
    handle: ({ actor }) => readSessions(deps, requireBearer(actor)),
  });
  registerCall(app, deps, 'nameSession', {
    action: 'session.change',
    handle: ({ actor, params, body }) =>
      nameSession(deps, requireBearer(actor), { id: params.sessionid, name: body.name }),
  });
  // Require a recent confirmation, so that a thief with one session can't end the owner's sessions.
  registerCall(app, deps, 'endSession', {
    action: 'session.change',
    requirement: 'recent-confirmation',
    handle: ({ actor, params }) => endSession(deps, requireBearer(actor), params.sessionid),
  });
  registerCall(app, deps, 'signOutElsewhere', {
    action: 'session.change',
    requirement: 'recent-confirmation',
    handle: async ({ actor }) => {
      const bearer = requireBearer(actor);
      await signOutElsewhere(deps, bearer);
      return new WithCookies({}, await markBrowser(deps, bearer.sessionId));
    },
  });
}

function registerSecondStepRoutes(app: FastifyInstance, deps: AppDeps): void {
  registerCall(app, deps, 'startSecondStep', {
    action: 'session.begin',
    handle: ({ request }) => startSecondStep(deps, readPendingLoginSecret(deps, request)),
  });
  registerCall(app, deps, 'finishSecondStep', {
    action: 'session.begin',
    handle: async ({ body, request }) => {
      const secret = readPendingLoginSecret(deps, request);
      return createSessionResponse(
        deps,
        request,
        await finishSecondStep(deps, secret, body, await createCaller(deps, request)),
      );
    },
  });
  registerCall(app, deps, 'startPasskeyLogin', {
    action: 'session.begin',
    handle: async ({ request }) => {
      requireOwnOrigin(request, deps);
      const login = await startPasskeyLogin(deps, request.ip);
      return login instanceof Failure ? login : new WithCookies(login.options, [createPendingLoginCookie(deps, login)]);
    },
  });
  registerCall(app, deps, 'signInWithPasskey', {
    action: 'session.begin',
    handle: async ({ body, request }) => {
      const secret = readPendingLoginSecret(deps, request);
      const caller = await createCaller(deps, request);
      return createSessionResponse(deps, request, await signInWithPasskey(deps, secret, body.passkey, caller));
    },
  });
}

function registerVerificationRoutes(app: FastifyInstance, deps: AppDeps): void {
  const { identity } = deps;
  registerCall(app, deps, 'sendVerification', {
    action: 'session.change',
    handle: ({ actor, body, request, language }) =>
      sendVerification(deps, requireBearer(actor), body.returnTo, { ...toSender(deps, request), language }),
  });
  registerCall(app, deps, 'verifyAddress', {
    action: 'session.change',
    handle: async ({ actor, body, request }) => {
      const bearer = requireBearer(actor);
      const failure = await verifyEmail(deps, bearer, body.code, request.ip);
      const token = failure ? undefined : await identity.issueToken(bearer.sessionId);
      if (!token) return failure ?? new Failure('token-invalid');
      return new WithCookies(token, await markBrowser(deps, bearer.sessionId));
    },
  });
  registerCall(app, deps, 'changeName', {
    action: 'session.change',
    handle: ({ actor, body }) => changeName(deps, requireBearer(actor), body.name),
  });
  registerCall(app, deps, 'requestEmailChange', {
    action: 'session.change',
    requirement: 'recent-confirmation',
    handle: ({ actor, body, request, language }) =>
      requestEmailChange(deps, requireBearer(actor), body.email, { client: request.ip, language }),
  });
  registerCall(app, deps, 'sendPasswordReset', {
    action: 'session.begin',
    handle: ({ body, request, language }) =>
      sendPasswordReset(deps, body.email, { ...toSender(deps, request), language }),
  });
  registerCall(app, deps, 'resetPassword', {
    action: 'session.begin',
    handle: async ({ body, request }) => {
      const user = await resetPassword(deps, body, request.ip);
      if (user instanceof Failure) return user;
      // The emailed link was opened in this browser, so the owner's next login here comes from a known browser.
      return new WithCookies({}, await identity.knownBrowser.mark(user.email));
    },
  });
  registerCall(app, deps, 'changePassword', {
    action: 'session.change',
    requirement: 'fresh-token',
    handle: async ({ actor, body, request }) => {
      requireOwnOrigin(request, deps);
      return createSessionResponse(
        deps,
        request,
        await changePassword(deps, requireBearer(actor), body, toLoginClient(request)),
      );
    },
  });
}

function registerGoogleRoutes(app: FastifyInstance, deps: AppDeps): void {
  const { google } = deps.identity;
  registerCall(app, deps, 'signInWithGoogle', {
    action: 'session.begin',
    handle: ({ body, request }) =>
      startGoogle(deps, request, { loginHint: body.loginHint, returnTo: safeReturnTo(body.returnTo) }),
  });
  if (google) registerGoogleCallback(app, deps, google);
}

type GoogleRequest = {
  readonly loginHint: string | undefined;
  readonly returnTo: string | undefined;
  /** Session whose user confirms their identity. */
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

/** Registers the route to which Google sends the browser back. It responds with a redirect. */
function registerGoogleCallback(app: FastifyInstance, deps: AppDeps, google: GoogleSignIn): void {
  // The code works once, so a HEAD request must not use it up.
  app.get(GOOGLE_CALLBACK_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    const query = new URLSearchParams(splitUrl(request.url).search);
    const googleReturn = await google.finish(query, request.headers.cookie);
    const { person, sessionIdToConfirm, returnTo, cookies } = googleReturn;
    if (sessionIdToConfirm !== undefined) {
      // The page that asked for the confirmation shows the result.
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

/** Returns the page's address in the language of the page from which the user went to Google. */
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

type CookieDeps = Pick<AppDeps, 'db' | 'identity' | 'publicUrl'> & WithSettings<'pageOrigins'>;

/** @throws Failure forbidden for a page of another site */
function readCookieSecret(deps: CookieDeps, request: FastifyRequest): Promise<string | undefined> {
  requireOwnOrigin(request, deps);
  return deps.identity.cookies.read(request.headers.cookie);
}

/** @throws Failure forbidden for a page of another site */
async function createCaller(deps: CookieDeps, request: FastifyRequest): Promise<Caller> {
  const secret = await readCookieSecret(deps, request);
  return {
    ...toLoginClient(request),
    ...toSender(deps, request),
    previousSessionHash: secret === undefined ? undefined : hashSecret(secret),
  };
}

/** The browser doesn't send the cookie of its earlier session when Google redirects it here. */
function createCallerAfterGoogle(
  deps: CookieDeps,
  request: FastifyRequest,
  { previousSessionHash, language }: GoogleReturn,
): Caller {
  return { ...toLoginClient(request, language), ...toSender(deps, request), previousSessionHash, language };
}

function toLoginClient(
  { ip, headers }: FastifyRequest,
  language = parseLanguage(headers['accept-language']),
): LoginClient {
  return { client: ip, browser: browserName(headers['user-agent'], { locale: language }), language };
}

function toSender({ identity }: Pick<CookieDeps, 'identity'>, { ip, headers }: FastifyRequest) {
  const findDevice: Caller['findDevice'] = (email, tx) => identity.knownBrowser.find(headers.cookie, email, tx);
  return { client: ip, findDevice };
}

/** Marks the browser as known if the session's user has a verified address. */
async function markBrowser(
  { db, identity }: Pick<CookieDeps, 'db' | 'identity'>,
  sessionId: string,
): Promise<readonly string[]> {
  const email = await findVerifiedEmail(db.kysely, sessionId);
  return email === undefined ? [] : identity.knownBrowser.mark(email);
}

/** Responds to a login with a token for the page and the secret in a cookie, or asks for the second step. */
async function createLoginResponse(
  deps: CookieDeps,
  request: FastifyRequest,
  session: OpenedSession | SecondStepRequired | Failure,
): Promise<WithCookies<IdentityToken | { secondStep: true }> | Failure> {
  if (session instanceof Failure || !('pendingLoginSecret' in session))
    return createSessionResponse(deps, request, session);
  return new WithCookies({ secondStep: true }, [createPendingLoginCookie(deps, session)]);
}

async function createSessionResponse(
  deps: CookieDeps,
  request: FastifyRequest,
  session: OpenedSession | Failure,
): Promise<WithCookies<IdentityToken> | Failure> {
  if (session instanceof Failure) return session;
  const { identity } = deps;
  const token = await identity.issueToken(session.id);
  // A new password or a verified address may have ended the session.
  if (!token) return new Failure('token-invalid');
  const cookies = [...(await identity.cookies.set(session.secret)), ...(await markBrowser(deps, session.id))];
  const hasPendingLogin = identity.pendingLogin.read(request.headers.cookie) !== undefined;
  return new WithCookies(token, [...cookies, ...(hasPendingLogin ? [identity.pendingLogin.clear()] : [])]);
}

function createPendingLoginCookie(
  { identity }: Pick<CookieDeps, 'identity'>,
  { pendingLoginSecret }: SecondStepRequired,
): string {
  return identity.pendingLogin.set(pendingLoginSecret, SECOND_STEP_MINUTES * 60);
}

/** @throws Failure forbidden for a page of another site */
function readPendingLoginSecret(deps: CookieDeps, request: FastifyRequest): string | undefined {
  requireOwnOrigin(request, deps);
  return deps.identity.pendingLogin.read(request.headers.cookie);
}
