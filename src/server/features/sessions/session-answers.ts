import type { FastifyRequest } from 'fastify';
import type { IdentityToken } from '#contract/schemas/session.ts';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { WithCookies } from '#server/http/call-route.ts';
import { requireOwnPage } from '#server/http/own-pages.ts';
import type { OpenedSession } from './open-session.ts';
import { hashOfSecret } from './secrets.ts';
import type { Caller } from './session-deps.ts';

type Deps = Pick<AppDeps, 'identity' | 'publicUrl' | 'pageOrigins'>;

/** The secret of the session that the browser's cookie remembers. @throws Failure forbidden for another site's page */
export function rememberedSecret(deps: Deps, request: FastifyRequest): Promise<string | undefined> {
  requireOwnPage(request, deps);
  return deps.identity.cookies.read(request.headers.cookie);
}

/** Who asks to begin a session. @throws Failure forbidden for another site's page */
export async function callerOf(deps: Deps, request: FastifyRequest): Promise<Caller> {
  const secret = await rememberedSecret(deps, request);
  return { client: request.ip, formerSession: secret === undefined ? undefined : hashOfSecret(secret) };
}

/** Answers a session that was opened: its token to the page, and its secret to the browser alone. */
export async function answerSession(
  { identity }: Pick<Deps, 'identity'>,
  opened: OpenedSession | Failure,
): Promise<WithCookies<IdentityToken> | Failure> {
  if (opened instanceof Failure) return opened;
  const token = await identity.issueToken(opened.id);
  // Ended again in the same moment, by a change of the password or a proof of the address.
  if (!token) return new Failure('token-invalid');
  return new WithCookies(token, await identity.cookies.set(opened.secret));
}
