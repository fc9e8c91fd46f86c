import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FIRST_LANGUAGE, inLanguage, languageNamed } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import type { IdentityToken } from '#contract/schemas/session.ts';
import { browserName } from '#domain/browser-name.ts';
import { Failure } from '#domain/failures.ts';
import { safeReturnTo } from '#domain/return-to.ts';
import { SECOND_STEP_MINUTES } from '#domain/second-factor.ts';
import type { AppDeps } from '#server/deps.ts';
import { userById } from '#server/entities/find-user.ts';
import { checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { GOOGLE_CALLBACK_PATH } from '#server/gateways/identity/google-sign-in.ts';
import type { GoogleReturn, GoogleSignIn } from '#server/gateways/identity/identity.ts';
import { signedIn } from '#server/http/actor.ts';
import { splitAddress } from '#server/http/address.ts';
import { registerCall, WithCookies } from '#server/http/call-route.ts';
import { requireOwnOrigin } from '#server/http/security-headers.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { endSession, nameSession, readSessions, signOutElsewhere } from './own-sessions.ts';
import { keepGoogleProof, prove, startProof } from './prove.ts';
import {
  finishSecondStep,
  type HalfLoggedIn,
  signInByPasskey,
  startPasskeyLogin,
  startSecondStep,
} from './second-step.ts';
import { hashOfSecret } from './secrets.ts';
import { sendPasswordReset, sendProofCode, sendSignInLink, sendVerification } from './send-link.ts';
import {
  type Caller,
  type LoginPlace,
  type OpenedSession,
  readToken,
  signOut,
  signOutEverywhere,
} from './session-lifecycle.ts';
import { verifiedEmailOf } from './sessions.store.ts';
import { changePassword, resetPassword } from './set-password.ts';
import { signInByGoogle, signInByLink, signInByPassword } from './sign-in.ts';
import { signUp } from './sign-up.ts';
import { verifyEmail } from './verify-email.ts';

export async function sessionRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { identity } = deps;
  registerCall(app, deps, 'readToken', {
    action: 'session.begin',
    handle: async ({ request }) => {
      const secret = await cookieSecret(deps, request);
      const read = secret === undefined ? undefined : await readToken(deps, secret);
      if (secret !== undefined && read?.extended) {
        return new WithCookies(read.token, await identity.cookies.set(secret));
      }
      if (read) return read.token;
      return request.headers.cookie === undefined ? null : new WithCookies(null, identity.cookies.clear());
    },
  });
  registerCall(app, deps, 'signInByPassword', {
    action: 'session.begin',
    handle: async ({ body, request }) =>
      answerLogin(deps, request, await signInByPassword(deps, body, await callerOf(deps, request))),
  });
  registerCall(app, deps, 'sendSignInLink', {
    action: 'session.begin',
    handle: ({ body, request, language }) => sendSignInLink(deps, body, { ...originOf(deps, request), language }),
  });
  registerCall(app, deps, 'signInByLink', {
    action: 'session.begin',
    handle: async ({ body, request }) =>
      answerLogin(deps, request, await signInByLink(deps, body, await callerOf(deps, request))),
  });
  registerCall(app, deps, 'acceptInvitation', {
    action: 'session.begin',
    handle: async ({ body, request }) =>
      answerLogin(deps, request, await acceptInvitation(deps, body, await callerOf(deps, request))),
  });
  registerCall(app, deps, 'signUp', {
    action: 'session.begin',
    handle: ({ body, request, language }) => signUp(deps, body, { client: request.ip, language }),
  });
  registerCall(app, deps, 'signOut', {
    action: 'session.begin',
    handle: async ({ actor, request }) => {
      await signOut(deps, actor, await cookieSecret(deps, request));
      return new WithCookies({}, identity.cookies.clear());
    },
  });
  registerCall(app, deps, 'signOutEverywhere', {
    action: 'session.change',
    handle: async ({ actor }) => {
      await signOutEverywhere(deps, signedIn(actor).userId);
      return new WithCookies({}, identity.cookies.clear());
    },
  });
  ownSessionRoutes(app, deps);
  secondStepRoutes(app, deps);
  verificationRoutes(app, deps);
  proofRoutes(app, deps);
  googleRoutes(app, deps);
}

function proofRoutes(app: FastifyInstance, deps: AppDeps): void {
  registerCall(app, deps, 'sendProofCode', {
    action: 'session.change',
    handle: ({ actor, request, language }) => sendProofCode(deps, signedIn(actor), { client: request.ip, language }),
  });
  registerCall(app, deps, 'startProof', {
    action: 'session.change',
    handle: ({ actor, request }) => startProof(deps, signedIn(actor), request.ip),
  });
  registerCall(app, deps, 'startGoogleProof', {
    action: 'session.change',
    handle: async ({ actor, request }) => {
      const { userId, sessionId } = signedIn(actor);
      const user = await userById(deps.db.kysely, userId);
      if (!user) return new Failure('token-invalid');
      return startGoogle(deps, request, { loginHint: user.email, returnTo: undefined, proves: sessionId });
    },
  });
  registerCall(app, deps, 'prove', {
    action: 'session.change',
    handle: async ({ actor, body, request }) => {
      requireOwnOrigin(request, deps);
      return answerSession(deps, request, await prove(deps, signedIn(actor), body, request.ip));
    },
  });
}

/** Those of the bearer alone. */
function ownSessionRoutes(app: FastifyInstance, deps: AppDeps): void {
  registerCall(app, deps, 'readSessions', {
    action: 'session.read',
    handle: ({ actor }) => readSessions(deps, signedIn(actor)),
  });
  registerCall(app, deps, 'nameSession', {
    action: 'session.change',
    handle: ({ actor, params, body }) => nameSession(deps, signedIn(actor), { id: params.sessionid, name: body.name }),
  });
  // Who found somebody's session must not end the owner's.
  registerCall(app, deps, 'endSession', {
    action: 'session.change',
    needs: 'recent-proof',
    handle: ({ actor, params }) => endSession(deps, signedIn(actor), params.sessionid),
  });
  registerCall(app, deps, 'signOutElsewhere', {
    action: 'session.change',
    needs: 'recent-proof',
    handle: async ({ actor }) => {
      const bearer = signedIn(actor);
      await signOutElsewhere(deps, bearer);
      return new WithCookies({}, await browserMark(deps, bearer.sessionId));
    },
  });
}

function secondStepRoutes(app: FastifyInstance, deps: AppDeps): void {
  registerCall(app, deps, 'startSecondStep', {
    action: 'session.begin',
    handle: ({ request }) => startSecondStep(deps, halfSecretOf(deps, request)),
  });
  registerCall(app, deps, 'finishSecondStep', {
    action: 'session.begin',
    handle: async ({ body, request }) => {
      const secret = halfSecretOf(deps, request);
      return answerSession(deps, request, await finishSecondStep(deps, secret, body, await callerOf(deps, request)));
    },
  });
  registerCall(app, deps, 'startPasskeyLogin', {
    action: 'session.begin',
    handle: async ({ request }) => {
      requireOwnOrigin(request, deps);
      const started = await startPasskeyLogin(deps, request.ip);
      return started instanceof Failure ? started : new WithCookies(started.options, [halfCookie(deps, started)]);
    },
  });
  registerCall(app, deps, 'signInByPasskey', {
    action: 'session.begin',
    handle: async ({ body, request }) => {
      const secret = halfSecretOf(deps, request);
      const caller = await callerOf(deps, request);
      return answerSession(deps, request, await signInByPasskey(deps, secret, body.passkey, caller));
    },
  });
}

function verificationRoutes(app: FastifyInstance, deps: AppDeps): void {
  const { identity } = deps;
  registerCall(app, deps, 'sendVerification', {
    action: 'session.change',
    handle: ({ actor, body, request, language }) =>
      sendVerification(deps, signedIn(actor), body.returnTo, { ...originOf(deps, request), language }),
  });
  registerCall(app, deps, 'verifyAddress', {
    action: 'session.change',
    handle: async ({ actor, body, request }) => {
      const bearer = signedIn(actor);
      const refused = await verifyEmail(deps, bearer, body.code, request.ip);
      const token = refused ? undefined : await identity.issueToken(bearer.sessionId);
      if (!token) return refused ?? new Failure('token-invalid');
      return new WithCookies(token, await browserMark(deps, bearer.sessionId));
    },
  });
  registerCall(app, deps, 'sendPasswordReset', {
    action: 'session.begin',
    handle: ({ body, request, language }) =>
      sendPasswordReset(deps, body.email, { ...originOf(deps, request), language }),
  });
  registerCall(app, deps, 'resetPassword', {
    action: 'session.begin',
    handle: async ({ body, request }) => {
      const reset = await resetPassword(deps, body, request.ip);
      if (reset instanceof Failure) return reset;
      // Who opens a mailed link is known in this browser, where they are about to log in.
      return new WithCookies({}, await identity.knownBrowser.mark(reset.email));
    },
  });
  registerCall(app, deps, 'changePassword', {
    action: 'session.change',
    needs: 'fresh-token',
    handle: async ({ actor, body, request }) => {
      requireOwnOrigin(request, deps);
      return answerSession(deps, request, await changePassword(deps, signedIn(actor), body, placeOf(request)));
    },
  });
}

function googleRoutes(app: FastifyInstance, deps: AppDeps): void {
  const { google } = deps.identity;
  registerCall(app, deps, 'signInByGoogle', {
    action: 'session.begin',
    handle: ({ body, request }) =>
      startGoogle(deps, request, { loginHint: body.loginHint, returnTo: safeReturnTo(body.returnTo) }),
  });
  if (google) googleCallback(app, deps, google);
}

type Trip = { readonly loginHint: string | undefined; readonly returnTo: string | undefined; readonly proves?: string };

/** @returns Failure google-unavailable, too-many-requests */
async function startGoogle(deps: AppDeps, request: FastifyRequest, trip: Trip) {
  const { google } = deps.identity;
  if (!google) return new Failure('google-unavailable');
  const { client, formerSession } = await callerOf(deps, request);
  const refused = await checkRateLimit(deps, 'code', { client });
  if (refused) return refused;
  const language = languageNamed(request.headers['accept-language']);
  const started = await google.start({ ...trip, formerSession, language });
  return started instanceof Failure ? started : new WithCookies({ url: started.url }, started.cookies);
}

/** The browser itself comes back from Google, so that this route alone answers with a redirect. */
function googleCallback(app: FastifyInstance, deps: AppDeps, google: GoogleSignIn): void {
  // The code works once: a HEAD must not use it up.
  app.get(GOOGLE_CALLBACK_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    const query = new URLSearchParams(splitAddress(request.url).search);
    const back = await google.finish(query, request.headers.cookie);
    if (back.proves !== undefined) {
      // The page that asked for it finds out by itself, and says so.
      if (back.person) await keepGoogleProof(deps, back.person, back.proves);
      return redirect(reply, pageAfterTrip(pagePath('confirmed-page', {}), back), back.cookies);
    }
    const opened = back.person && (await signInByGoogle(deps, back.person, callerAfterTrip(deps, request, back)));
    if (!opened || opened instanceof Failure) {
      request.log.info({ code: opened?.code }, 'a sign-in with Google failed');
      return redirect(reply, pageAfterTrip(googleFailurePage(back), back), back.cookies);
    }
    if ('halfSecret' in opened)
      return redirect(reply, pageAfterTrip(secondStepPage(back), back), [...back.cookies, halfCookie(deps, opened)]);
    const cookies = await deps.identity.cookies.set(opened.secret);
    const mark = await browserMark(deps, opened.id);
    const page = (await isInert(deps, opened.id))
      ? `${pagePath('login-page', {})}?${returnQuery({}, back.returnTo)}`
      : (safeReturnTo(back.returnTo) ?? pagePath('login-page', {}));
    return redirect(reply, pageAfterTrip(page, back), [...back.cookies, ...cookies, ...mark]);
  });
}

/** Whether a role waits for a second step, which the login page leads to setting up. */
async function isInert({ identity }: Pick<AppDeps, 'identity'>, sessionId: string): Promise<boolean> {
  const issued = await identity.issueToken(sessionId);
  const actor = issued && (await identity.actorOf(issued.token));
  return actor?.kind === 'user' && actor.inert !== undefined;
}

/** In the language of the page that led to Google. */
function pageAfterTrip(page: string, { language = FIRST_LANGUAGE }: GoogleReturn): string {
  return inLanguage(page, language);
}

function googleFailurePage({ returnTo }: GoogleReturn): string {
  return `${pagePath('login-page', {})}?${returnQuery({ error: 'google' }, returnTo)}`;
}

function secondStepPage({ returnTo }: GoogleReturn): string {
  return `${pagePath('second-step-page', {})}?${returnQuery({}, returnTo)}`;
}

function returnQuery(query: Readonly<Record<string, string>>, returnTo: string | undefined): string {
  const target = safeReturnTo(returnTo);
  return new URLSearchParams({ ...query, ...(target === undefined ? {} : { return_to: target }) }).toString();
}

/** The current address contains a code: neither a cache nor the next page may see it. */
function redirect(reply: FastifyReply, path: string, cookies: readonly string[]): FastifyReply {
  void reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'set-cookie': [...cookies] });
  return reply.redirect(path, 303);
}

type CookieDeps = Pick<AppDeps, 'db' | 'identity' | 'publicUrl' | 'pageOrigins'>;

/** @throws Failure forbidden for a page of another site */
function cookieSecret(deps: CookieDeps, request: FastifyRequest): Promise<string | undefined> {
  requireOwnOrigin(request, deps);
  return deps.identity.cookies.read(request.headers.cookie);
}

/** @throws Failure forbidden for a page of another site */
async function callerOf(deps: CookieDeps, request: FastifyRequest): Promise<Caller> {
  const secret = await cookieSecret(deps, request);
  return {
    ...placeOf(request),
    ...originOf(deps, request),
    formerSession: secret === undefined ? undefined : hashOfSecret(secret),
  };
}

/** The cookie of the earlier session is not sent to the way back from Google. */
function callerAfterTrip(deps: CookieDeps, request: FastifyRequest, { formerSession, language }: GoogleReturn): Caller {
  return { ...placeOf(request, language), ...originOf(deps, request), formerSession, language };
}

function placeOf({ ip, headers }: FastifyRequest, language = languageNamed(headers['accept-language'])): LoginPlace {
  return { client: ip, browser: browserName(headers['user-agent'], { locale: language }), language };
}

function originOf({ identity }: Pick<CookieDeps, 'identity'>, { ip, headers }: FastifyRequest) {
  const deviceOf: Caller['deviceOf'] = (email, tx) => identity.knownBrowser.find(headers.cookie, email, tx);
  return { client: ip, deviceOf };
}

/** Marks the browser as known if the address of the session's user is proven. */
async function browserMark(
  { db, identity }: Pick<CookieDeps, 'db' | 'identity'>,
  sessionId: string,
): Promise<readonly string[]> {
  const email = await verifiedEmailOf(db.kysely, sessionId);
  return email === undefined ? [] : identity.knownBrowser.mark(email);
}

/** The page gets the token, and only the browser gets the secret. A half login gets no token. */
async function answerLogin(
  deps: CookieDeps,
  request: FastifyRequest,
  opened: OpenedSession | HalfLoggedIn | Failure,
): Promise<WithCookies<IdentityToken | { secondStep: true }> | Failure> {
  if (opened instanceof Failure || !('halfSecret' in opened)) return answerSession(deps, request, opened);
  return new WithCookies({ secondStep: true }, [halfCookie(deps, opened)]);
}

async function answerSession(
  deps: CookieDeps,
  request: FastifyRequest,
  opened: OpenedSession | Failure,
): Promise<WithCookies<IdentityToken> | Failure> {
  if (opened instanceof Failure) return opened;
  const { identity } = deps;
  const token = await identity.issueToken(opened.id);
  // A new password or a verified address may have ended the session again.
  if (!token) return new Failure('token-invalid');
  const cookies = [...(await identity.cookies.set(opened.secret)), ...(await browserMark(deps, opened.id))];
  const isHalf = identity.halfLogin.read(request.headers.cookie) !== undefined;
  return new WithCookies(token, [...cookies, ...(isHalf ? [identity.halfLogin.clear()] : [])]);
}

function halfCookie({ identity }: Pick<CookieDeps, 'identity'>, { halfSecret }: HalfLoggedIn): string {
  return identity.halfLogin.set(halfSecret, SECOND_STEP_MINUTES * 60);
}

/** @throws Failure forbidden for a page of another site */
function halfSecretOf(deps: CookieDeps, request: FastifyRequest): string | undefined {
  requireOwnOrigin(request, deps);
  return deps.identity.halfLogin.read(request.headers.cookie);
}
