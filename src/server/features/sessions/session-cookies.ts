import type { FastifyRequest } from 'fastify';
import { parseLanguage } from '#contract/languages.ts';
import type { IdentityToken } from '#contract/schemas/session.ts';
import { browserName } from '#domain/browser-name.ts';
import { Failure } from '#domain/failures.ts';
import { SECOND_STEP_MINUTES } from '#domain/second-factor.ts';
import type { AppDeps, WithSettings } from '#server/deps.ts';
import { WithCookies } from '#server/http/call-route.ts';
import { requireOwnOrigin } from '#server/http/security-headers.ts';
import type { SecondStepRequired } from './second-step.ts';
import { hashSecret } from './secrets.ts';
import type { Caller, LoginClient, OpenedSession } from './session-lifecycle.ts';
import { findVerifiedEmail } from './sessions.store.ts';

type CookieDeps = Pick<AppDeps, 'db' | 'identity' | 'publicUrl'> & WithSettings<'pageOrigins'>;

/** @throws Failure forbidden for a page of another site */
export function readCookieSecret(deps: CookieDeps, request: FastifyRequest): Promise<string | undefined> {
  requireOwnOrigin(request, deps);
  return deps.identity.cookies.read(request.headers.cookie);
}

/** @throws Failure forbidden for a page of another site */
export async function createCaller(deps: CookieDeps, request: FastifyRequest): Promise<Caller> {
  const secret = await readCookieSecret(deps, request);
  return {
    ...toLoginClient(request),
    ...toRequester(deps, request),
    previousSessionHash: secret === undefined ? undefined : hashSecret(secret),
  };
}

export function toLoginClient(
  { ip, headers }: FastifyRequest,
  language = parseLanguage(headers['accept-language']),
): LoginClient {
  return { client: ip, browser: browserName(headers['user-agent'], { locale: language }), language };
}

export function toRequester({ identity }: Pick<CookieDeps, 'identity'>, { ip, headers }: FastifyRequest) {
  const findDevice: Caller['findDevice'] = (email, tx) => identity.knownBrowser.find(headers.cookie, email, tx);
  return { client: ip, findDevice };
}

/** Marks the browser as known if the session's user has a verified address. */
export async function markBrowser(
  { db, identity }: Pick<CookieDeps, 'db' | 'identity'>,
  sessionId: string,
): Promise<readonly string[]> {
  const email = await findVerifiedEmail(db.kysely, sessionId);
  return email === undefined ? [] : identity.knownBrowser.mark(email);
}

/** Responds to a login with a token for the page and the secret in a cookie, or asks for the second step. */
export async function createLoginResponse(
  deps: CookieDeps,
  request: FastifyRequest,
  session: OpenedSession | SecondStepRequired | Failure,
): Promise<WithCookies<IdentityToken | { secondStep: true }> | Failure> {
  if (session instanceof Failure || !('pendingLoginSecret' in session))
    return createSessionResponse(deps, request, session);
  return new WithCookies({ secondStep: true }, [createPendingLoginCookie(deps, session)]);
}

export async function createSessionResponse(
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

export function createPendingLoginCookie(
  { identity }: Pick<CookieDeps, 'identity'>,
  { pendingLoginSecret }: SecondStepRequired,
): string {
  return identity.pendingLogin.set(pendingLoginSecret, SECOND_STEP_MINUTES * 60);
}

/** @throws Failure forbidden for a page of another site */
export function readPendingLoginSecret(deps: CookieDeps, request: FastifyRequest): string | undefined {
  requireOwnOrigin(request, deps);
  return deps.identity.pendingLogin.read(request.headers.cookie);
}
