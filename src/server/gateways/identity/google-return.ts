import { createAuthEndpoint } from 'better-auth/api';
import { type OAuthProvider, parseState } from 'better-auth/oauth2';
import { z } from 'zod';
import type { GooglePerson, GoogleTrip } from './identity.ts';

export const GOOGLE = 'google';
/** Where Google sends the browser back to, below the library's own path. */
export const CALLBACK = `/callback/${GOOGLE}`;

/** What the library keeps for the way there and back, beside its own. */
const TRIP = z.object({ returnTo: z.string().optional(), formerSession: z.string().optional() });
const PERSON = z.object({ sub: z.string().min(1), email: z.string().min(1), name: z.string().catch('') });

/**
 * Reads what comes back from Google. The library checks the state, exchanges the code with its PKCE verifier, and checks
 * the identity token: signature, issuer, audience, time and nonce. What follows from it is the product's to decide, so
 * the library's own endpoint, which makes accounts and sessions, is not used.
 */
export const googleReturn = () => ({
  id: 'google-return',
  endpoints: {
    returnFromGoogle: createAuthEndpoint.serverOnly(
      {
        method: 'GET',
        requireHeaders: true,
        query: z.object({ state: z.string(), code: z.string().optional(), iss: z.string().optional() }),
      },
      async (ctx): Promise<{ trip: GoogleTrip; person: GooglePerson | undefined }> => {
        const { codeVerifier, idTokenNonce, ...kept } = await parseState(ctx);
        const { returnTo, formerSession } = TRIP.parse(kept);
        const trip = { returnTo, formerSession };
        const { code, iss } = ctx.query;
        const provider = ctx.context.socialProviders.find(({ id }) => id === GOOGLE);
        const asAsked = provider && code && idTokenNonce && (iss === undefined || iss === provider.issuer);
        if (!asAsked) return { trip, person: undefined };
        const redirectURI = ctx.context.baseURL + CALLBACK;
        const person = await personBehind(provider, { code, codeVerifier, redirectURI, nonce: idTokenNonce });
        return { trip, person };
      },
    ),
  },
});

type Exchange = {
  readonly code: string;
  readonly codeVerifier: string;
  readonly redirectURI: string;
  readonly nonce: string;
};

/** Exchanges the code. @returns nothing where Google does not answer, or its answer is not what was asked for */
async function personBehind(provider: OAuthProvider, exchange: Exchange): Promise<GooglePerson | undefined> {
  const { nonce, ...way } = exchange;
  // The library's errors may hold the code; the route says that it came to nothing.
  const tokens = await provider.validateAuthorizationCode(way).catch(() => undefined);
  // Without an identity token there would be nothing that was checked.
  if (!tokens?.idToken) return undefined;
  const told = await provider.getUserInfo({ ...tokens, expectedIdTokenNonce: nonce });
  const { data } = PERSON.safeParse(told?.data);
  if (!told || !data) return undefined;
  return { subject: data.sub, email: data.email, emailVerified: told.user.emailVerified === true, name: data.name };
}
