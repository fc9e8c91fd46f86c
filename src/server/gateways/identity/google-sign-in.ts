import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { z } from 'zod';
import { Failure } from '#domain/failures.ts';
import { LANGUAGES } from '#messages';
import type { Log } from '#server/log.ts';
import { cacheOnSuccess } from '#server/process/cache-on-success.ts';
import { createHostCookie } from './cookies.ts';
import type { GooglePerson, GoogleReturn, GoogleSignIn } from './identity.ts';
import { seal, unseal } from './sealed-claims.ts';

export type GoogleClient = { readonly clientId: string; readonly clientSecret: string; readonly discoveryUrl: string };

export type GoogleSignInOptions = {
  readonly client: GoogleClient;
  readonly publicUrl: () => string;
  /** Encrypts the cookie of a sign-in in progress; 32 bytes. */
  readonly key: () => Promise<Uint8Array>;
  readonly now: () => Date;
  readonly log: Log;
};

/** Path of the redirect address that is registered with Google. */
export const GOOGLE_CALLBACK_PATH = '/api/auth/callback/google';

const TIMEOUT_SECONDS = 10;
/** Time limit for completing the sign-in at Google. */
const SIGN_IN_SECONDS = 10 * 60;
const NO_SIGN_IN: GoogleReturn = {
  person: undefined,
  returnTo: undefined,
  previousSessionHash: undefined,
  cookies: [],
};

/** A sign-in in progress, stored in an encrypted cookie. */
const PENDING_SIGN_IN_SCHEMA = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string().optional(),
  previousSessionHash: z.string().optional(),
  sessionIdToConfirm: z.string().optional(),
  language: z.enum(LANGUAGES).optional(),
});
type PendingSignIn = z.infer<typeof PENDING_SIGN_IN_SCHEMA>;

const CLAIMS_SCHEMA = z.object({
  sub: z.string().min(1),
  email: z.string().min(1),
  email_verified: z.boolean().catch(false),
  name: z.string().catch(''),
});

export function createGoogleSignIn(options: GoogleSignInOptions): GoogleSignIn {
  const { client, publicUrl, log } = options;
  const cookie = createHostCookie('fund.google', { publicUrl, path: GOOGLE_CALLBACK_PATH });
  const configuration = cacheOnSuccess(() => discover(client));
  const redirectUri = () => publicUrl() + GOOGLE_CALLBACK_PATH;
  return {
    start: async ({ loginHint, ...details }) => {
      const google = await configuration().catch((err: unknown) => {
        log.warn({ err }, 'Google cannot be reached');
        return new Failure('google-unavailable');
      });
      if (google instanceof Failure) return google;
      const pendingSignIn = {
        ...details,
        state: randomState(),
        nonce: randomNonce(),
        verifier: randomPKCECodeVerifier(),
      };
      const url = buildAuthorizationUrl(google, {
        redirect_uri: redirectUri(),
        scope: 'openid email profile',
        prompt: 'select_account',
        state: pendingSignIn.state,
        nonce: pendingSignIn.nonce,
        code_challenge: await calculatePKCECodeChallenge(pendingSignIn.verifier),
        code_challenge_method: 'S256',
        ...(loginHint === undefined ? {} : { login_hint: loginHint }),
        // `ui_locales` is the standard parameter, and `hl` is Google's. Google's default is the browser's language.
        ...(details.language && details.language !== LANGUAGES[0]
          ? { ui_locales: details.language, hl: details.language }
          : {}),
      });
      const sealedSignIn = await seal(options, pendingSignIn, SIGN_IN_SECONDS);
      return { url: url.href, cookies: [cookie.set(sealedSignIn, SIGN_IN_SECONDS)] };
    },
    finish: async (query, cookieHeader) => {
      const pendingSignIn = await readPendingSignIn(options, cookie.read(cookieHeader));
      if (!pendingSignIn || pendingSignIn.state !== query.get('state')) return NO_SIGN_IN;
      // Errors aren't logged, because they may contain the code or a token. The caller logs that the sign-in failed.
      const url = new URL(`${redirectUri()}?${query.toString()}`);
      const person = await exchangeCode(configuration, url, pendingSignIn).catch(() => undefined);
      const { returnTo, previousSessionHash, sessionIdToConfirm, language } = pendingSignIn;
      return { person, returnTo, previousSessionHash, sessionIdToConfirm, language, cookies: [cookie.clear()] };
    },
  };
}

/** @throws if Google is unreachable, or if its response is invalid or from another issuer */
async function discover({ clientId, clientSecret, discoveryUrl }: GoogleClient): Promise<Configuration> {
  // Given the issuer's URL, the library checks that the response is from that issuer.
  const url = new URL(discoveryUrl.replace(/\/\.well-known\/openid-configuration$/, ''));
  // config.ts rejects http in production.
  const insecureOptions = url.protocol === 'http:' ? [allowInsecureRequests] : [];
  const execute = [enableNonRepudiationChecks, ...insecureOptions];
  return discovery(url, clientId, clientSecret, undefined, { execute, timeout: TIMEOUT_SECONDS });
}

/** @throws if a check fails: state, nonce, signature, issuer, audience, time */
async function exchangeCode(
  google: () => Promise<Configuration>,
  url: URL,
  pendingSignIn: PendingSignIn,
): Promise<GooglePerson> {
  const tokens = await authorizationCodeGrant(await google(), url, {
    expectedState: pendingSignIn.state,
    expectedNonce: pendingSignIn.nonce,
    pkceCodeVerifier: pendingSignIn.verifier,
    idTokenExpected: true,
  });
  const { sub, email, email_verified, name } = CLAIMS_SCHEMA.parse(tokens.claims());
  return { subject: sub, email, emailVerified: email_verified, name };
}

async function readPendingSignIn(
  options: GoogleSignInOptions,
  cookie: string | undefined,
): Promise<PendingSignIn | undefined> {
  return cookie ? PENDING_SIGN_IN_SCHEMA.safeParse(await unseal(options, cookie)).data : undefined;
}
