import type { FastifyInstance, FastifyReply } from 'fastify';
import { pagePath } from '#contract/pages.ts';
import { Failure } from '#domain/failures.ts';
import { safeReturnTo } from '#domain/return-to.ts';
import type { AppDeps } from '#server/deps.ts';
import { limitAttempts } from '#server/features/rate-limits/limit-attempts.ts';
import { GOOGLE_CALLBACK_PATH } from '#server/gateways/identity/google-sign-in.ts';
import type { GoogleReturn, GoogleSignIn } from '#server/gateways/identity/identity.ts';
import { splitAddress } from '#server/http/address.ts';
import { registerCall, WithCookies } from '#server/http/call-route.ts';
import { callerOf } from './session-answers.ts';
import { signInByGoogle } from './sign-in-by-google.ts';

/** The way to Google is a call; back it is the browser that comes, so that here alone the program answers with a way on. */
export async function googleRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { google } = deps.identity;
  registerCall(app, deps, 'signInByGoogle', {
    action: 'session.begin',
    handle: async ({ body, request }) => {
      if (!google) return new Failure('google-unavailable');
      const { client, formerSession } = await callerOf(deps, request);
      const refused = await limitAttempts(deps, 'code', { client });
      if (refused) return refused;
      const begun = await google.start({
        loginHint: body.loginHint,
        returnTo: safeReturnTo(body.returnTo),
        formerSession,
      });
      return begun instanceof Failure ? begun : new WithCookies({ url: begun.url }, begun.cookies);
    },
  });
  if (google) backFromGoogle(app, deps, google);
}

function backFromGoogle(app: FastifyInstance, deps: AppDeps, google: GoogleSignIn): void {
  // What comes back works once: a HEAD must not use it up.
  app.get(GOOGLE_CALLBACK_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    const query = new URLSearchParams(splitAddress(request.url).search);
    const back = await google.finish(query, request.headers.cookie);
    const opened = back.person && (await signInByGoogle(deps, back.person, back.formerSession));
    if (!opened || opened instanceof Failure) {
      request.log.info({ code: opened?.code }, 'a sign-in with Google came to nothing');
      return goOn(reply, failurePage(back), back.cookies);
    }
    const cookies = await deps.identity.cookies.set(opened.secret);
    return goOn(reply, safeReturnTo(back.returnTo) ?? pagePath('default-org', {}), [...back.cookies, ...cookies]);
  });
}

function failurePage({ returnTo }: GoogleReturn): string {
  const target = safeReturnTo(returnTo);
  const query = new URLSearchParams({ error: 'google', ...(target === undefined ? {} : { return_to: target }) });
  return `${pagePath('login-page', {})}?${query.toString()}`;
}

/** The address that the browser came with holds a code, which no other page may learn. */
function goOn(reply: FastifyReply, path: string, cookies: readonly string[]): FastifyReply {
  void reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'set-cookie': [...cookies] });
  return reply.redirect(path, 303);
}
