import { createAuthEndpoint } from 'better-auth/api';
import { expireCookie } from 'better-auth/cookies';
import { z } from 'zod';

/** The only calls that the session's cookie goes to; a page's other requests never carry it. */
const SESSION_PATH = '/api/session';
/** Tells a page that there is a session to ask about. It proves nothing, and can be read by scripts. */
const MARK = 'signed_in';

/** The attributes of the library's own cookie for a session. */
export const SESSION_COOKIE_ATTRIBUTES = { path: SESSION_PATH } as const;

/** Makes the library sign, read and end the cookie of a session that the product opened. Nothing here is reached by HTTP. */
export const sessionCookies = () => ({
  id: 'session-cookies',
  endpoints: {
    rememberSession: createAuthEndpoint.serverOnly(
      { method: 'POST', body: z.object({ secret: z.string() }) },
      async (ctx) => {
        const { name, attributes } = ctx.context.authCookies.sessionToken;
        await ctx.setSignedCookie(name, ctx.body.secret, ctx.context.secret, attributes);
        ctx.setCookie(MARK, '1', { ...attributes, path: '/', httpOnly: false });
      },
    ),
    forgetSession: createAuthEndpoint.serverOnly({ method: 'POST' }, async (ctx) => {
      const cookie = ctx.context.authCookies.sessionToken;
      expireCookie(ctx, cookie);
      expireCookie(ctx, { name: MARK, attributes: { ...cookie.attributes, path: '/', httpOnly: false } });
    }),
    readSession: createAuthEndpoint.serverOnly({ method: 'POST', requireHeaders: true }, async (ctx) => {
      const { name } = ctx.context.authCookies.sessionToken;
      return { secret: (await ctx.getSignedCookie(name, ctx.context.secret)) || undefined };
    }),
  },
});
