import type { FastifyInstance } from 'fastify';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { signedIn } from '#server/http/actor.ts';
import { registerCall, WithCookies } from '#server/http/call-route.ts';
import { requireOwnPage } from '#server/http/own-pages.ts';
import { googleRoutes } from './google.routes.ts';
import { readToken } from './read-token.ts';
import { sendPasswordReset, sendSignInLink, sendVerification } from './send-link.ts';
import { answerSession, callerOf, rememberedSecret } from './session-answers.ts';
import { changePassword, resetPassword } from './set-password.ts';
import { signInByLink } from './sign-in-by-link.ts';
import { signInByPassword } from './sign-in-by-password.ts';
import { signOut, signOutEverywhere } from './sign-out.ts';
import { signUp } from './sign-up.ts';
import { verifyAddress } from './verify-address.ts';

export async function sessionRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { identity } = deps;
  registerCall(app, deps, 'readToken', {
    action: 'session.begin',
    handle: async ({ request }) => {
      const secret = await rememberedSecret(deps, request);
      const read = secret === undefined ? undefined : await readToken(deps, secret);
      if (secret !== undefined && read?.prolonged) {
        return new WithCookies(read.token, await identity.cookies.set(secret));
      }
      if (read) return read.token;
      // What the browser remembers is worth nothing any more.
      return request.headers.cookie === undefined ? null : new WithCookies(null, identity.cookies.clear());
    },
  });
  registerCall(app, deps, 'signInByPassword', {
    action: 'session.begin',
    handle: async ({ body, request }) =>
      answerSession(deps, await signInByPassword(deps, body, await callerOf(deps, request))),
  });
  registerCall(app, deps, 'sendSignInLink', {
    action: 'session.begin',
    handle: ({ body, request }) => sendSignInLink(deps, body, request.ip),
  });
  registerCall(app, deps, 'signInByLink', {
    action: 'session.begin',
    handle: async ({ body, request }) =>
      answerSession(deps, await signInByLink(deps, body, await callerOf(deps, request))),
  });
  registerCall(app, deps, 'signUp', {
    action: 'session.begin',
    handle: ({ body, request }) => signUp(deps, body, request.ip),
  });
  registerCall(app, deps, 'sendVerification', {
    action: 'session.change',
    handle: ({ actor, body, request }) => sendVerification(deps, signedIn(actor), body.returnTo, request.ip),
  });
  registerCall(app, deps, 'verifyAddress', {
    action: 'session.change',
    handle: async ({ actor, body, request }) => {
      const bearer = signedIn(actor);
      const refused = await verifyAddress(deps, bearer, body.code, request.ip);
      return refused ?? (await identity.issueToken(bearer.sessionId)) ?? new Failure('token-invalid');
    },
  });
  registerCall(app, deps, 'sendPasswordReset', {
    action: 'session.begin',
    handle: ({ body, request }) => sendPasswordReset(deps, body.email, request.ip),
  });
  registerCall(app, deps, 'resetPassword', {
    action: 'session.begin',
    handle: ({ body, request }) => resetPassword(deps, body, request.ip),
  });
  registerCall(app, deps, 'changePassword', {
    action: 'session.change',
    freshToken: true,
    handle: async ({ actor, body, request }) => {
      requireOwnPage(request, deps);
      return answerSession(deps, await changePassword(deps, signedIn(actor), body, request.ip));
    },
  });
  await googleRoutes(app, deps);
  registerCall(app, deps, 'signOut', {
    action: 'session.begin',
    handle: async ({ actor, request }) => {
      await signOut(deps, actor, await rememberedSecret(deps, request));
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
}
