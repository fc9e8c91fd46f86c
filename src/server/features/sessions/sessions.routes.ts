import type { FastifyInstance } from 'fastify';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { requireSignedIn } from '#server/http/actor.ts';
import { registerCall, WithCookies } from '#server/http/call-route.ts';
import { requireOwnOrigin } from '#server/http/security-headers.ts';
import { acceptInvitation, readInvitation } from './accept-invitation.ts';
import { requestEmailChange } from './change-email.ts';
import { changeName } from './change-name.ts';
import { confirmIdentity, startConfirmation } from './confirm-identity.ts';
import { registerGoogleRoutes } from './google.routes.ts';
import { endSession, nameSession, readSessions, signOutElsewhere } from './own-sessions.ts';
import { finishSecondStep, signInWithPasskey, startPasskeyLogin, startSecondStep } from './second-step.ts';
import { sendConfirmationCode, sendPasswordReset, sendSignInLink, sendVerification } from './send-link.ts';
import {
  createCaller,
  createLoginResponse,
  createPendingLoginCookie,
  createSessionResponse,
  markBrowser,
  readCookieSecret,
  readPendingLoginSecret,
  toLoginClient,
  toRequester,
} from './session-cookies.ts';
import { readToken, signOut, signOutEverywhere } from './session-lifecycle.ts';
import { changePassword, resetPassword } from './set-password.ts';
import { signInWithLink, signInWithPassword } from './sign-in.ts';
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
    handle: ({ body, request, language }) => sendSignInLink(deps, body, { ...toRequester(deps, request), language }),
  });
  registerCall(app, deps, 'signInWithLink', {
    action: 'session.begin',
    handle: async ({ body, request }) =>
      createLoginResponse(deps, request, await signInWithLink(deps, body, await createCaller(deps, request))),
  });
  registerCall(app, deps, 'readInvitation', {
    action: 'session.begin',
    handle: ({ body, request }) => readInvitation(deps, body.code, request.ip),
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
      await signOutEverywhere(deps, requireSignedIn(actor).userId);
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
      sendConfirmationCode(deps, requireSignedIn(actor), { client: request.ip, language }),
  });
  registerCall(app, deps, 'startConfirmation', {
    action: 'session.change',
    handle: ({ actor, request }) => startConfirmation(deps, requireSignedIn(actor), request.ip),
  });
  registerCall(app, deps, 'confirmIdentity', {
    action: 'session.change',
    handle: async ({ actor, body, request }) => {
      requireOwnOrigin(request, deps);
      return createSessionResponse(
        deps,
        request,
        await confirmIdentity(deps, requireSignedIn(actor), body, request.ip),
      );
    },
  });
}

function registerOwnSessionRoutes(app: FastifyInstance, deps: AppDeps): void {
  registerCall(app, deps, 'readSessions', {
    action: 'session.read',
    handle: ({ actor }) => readSessions(deps, requireSignedIn(actor)),
  });
  registerCall(app, deps, 'nameSession', {
    action: 'session.change',
    handle: ({ actor, params, body }) =>
      nameSession(deps, requireSignedIn(actor), { id: params.sessionid, name: body.name }),
  });
  // Require a recent confirmation, so that a thief with one session can't end the owner's sessions.
  registerCall(app, deps, 'endSession', {
    action: 'session.change',
    requirement: 'recent-confirmation',
    handle: ({ actor, params }) => endSession(deps, requireSignedIn(actor), params.sessionid),
  });
  registerCall(app, deps, 'signOutElsewhere', {
    action: 'session.change',
    requirement: 'recent-confirmation',
    handle: async ({ actor }) => {
      const caller = requireSignedIn(actor);
      await signOutElsewhere(deps, caller);
      return new WithCookies({}, await markBrowser(deps, caller.sessionId));
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
      sendVerification(deps, requireSignedIn(actor), body.returnTo, { ...toRequester(deps, request), language }),
  });
  registerCall(app, deps, 'verifyAddress', {
    action: 'session.change',
    handle: async ({ actor, body, request }) => {
      const caller = requireSignedIn(actor);
      const failure = await verifyEmail(deps, caller, body.code, request.ip);
      const token = failure ? undefined : await identity.issueToken(caller.sessionId);
      if (!token) return failure ?? new Failure('token-invalid');
      return new WithCookies(token, await markBrowser(deps, caller.sessionId));
    },
  });
  registerCall(app, deps, 'changeName', {
    action: 'session.change',
    handle: ({ actor, body }) => changeName(deps, requireSignedIn(actor), body.name),
  });
  registerCall(app, deps, 'requestEmailChange', {
    action: 'session.change',
    requirement: 'recent-confirmation',
    handle: ({ actor, body, request, language }) =>
      requestEmailChange(deps, requireSignedIn(actor), body.email, { client: request.ip, language }),
  });
  registerCall(app, deps, 'sendPasswordReset', {
    action: 'session.begin',
    handle: ({ body, request, language }) =>
      sendPasswordReset(deps, body.email, { ...toRequester(deps, request), language }),
  });
  registerCall(app, deps, 'resetPassword', {
    action: 'session.begin',
    handle: async ({ body, request }) => {
      const user = await resetPassword(deps, body, request.ip);
      if (user instanceof Failure) return user;
      // Opening the emailed link proves that the owner uses this browser.
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
        await changePassword(deps, requireSignedIn(actor), body, toLoginClient(request)),
      );
    },
  });
}
