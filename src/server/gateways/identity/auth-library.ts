import { betterAuth } from 'better-auth';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { jwt } from 'better-auth/plugins/jwt';
import type { Kysely } from 'kysely';
import type { Log } from '#server/db/log.ts';
import type { Tables } from '#server/db/tables.ts';
import { newId } from '#server/ids.ts';
import { CALLBACK, GOOGLE, googleReturn } from './google-return.ts';
import { SESSION_COOKIE_ATTRIBUTES, sessionCookies } from './session-cookies.ts';

export type AuthLibraryOptions = {
  readonly db: Kysely<Tables>;
  /** The origin under which the public reaches the site. */
  readonly origin: string;
  readonly secret: string;
  readonly log: Log;
};

const DAY = 24 * 60 * 60;
const SESSION_SECONDS = 14 * DAY;
/** How long somebody may take at Google; as long as the library remembers it. */
const AT_GOOGLE_SECONDS = 10 * 60;
/** Nothing stands below it but where Google comes back to. */
const BASE_PATH = '/api/auth';
const NEW_KEY_AFTER_SECONDS = 90 * DAY;

export type AuthLibrary = ReturnType<typeof authLibrary>;
export type GoogleLibrary = ReturnType<typeof googleLibrary>;

/** The product's registration with Google. */
export type GoogleClient = { readonly clientId: string; readonly clientSecret: string; readonly discoveryUrl: string };

/**
 * The library for signing in, on the product's own tables. None of its HTTP endpoints are mounted: it signs cookies and
 * identity tokens, and goes to Google and back. Who has an account, and what opens a session, is the product's to say.
 */
export function authLibrary({ db, origin, secret, log }: AuthLibraryOptions) {
  return betterAuth({
    ...settings(origin, secret, log),
    database: { db, type: 'postgres' },
    plugins: [identityTokens(), sessionCookies()],
  });
}

/** The same for the way to Google and back; it asks Google for its addresses when it is made. */
export function googleLibrary({ db, origin, secret, log }: AuthLibraryOptions, client: GoogleClient) {
  return betterAuth({
    ...settings(origin, secret, log),
    database: { db, type: 'postgres' },
    plugins: [
      genericOAuth({
        config: [
          {
            ...client,
            providerId: GOOGLE,
            requireIdTokenVerification: true,
            scopes: ['openid', 'email', 'profile'],
            prompt: 'select_account',
          },
        ],
      }),
      googleReturn(),
    ],
  });
}

/** Tokens that tell who calls, signed with keys of the product's own that are renewed by themselves. */
function identityTokens() {
  return jwt({
    disableSettingJwtHeader: true,
    jwks: { keyPairConfig: { alg: 'ES256' }, rotationInterval: NEW_KEY_AFTER_SECONDS },
    schema: {
      jwks: {
        modelName: 'signing_keys',
        fields: {
          publicKey: 'public_key',
          privateKey: 'private_key',
          createdAt: 'created_at',
          expiresAt: 'expires_at',
        },
      },
    },
  });
}

function settings(origin: string, secret: string, log: Log) {
  return {
    baseURL: origin,
    basePath: BASE_PATH,
    // In this form nothing is taken from the environment.
    secrets: [{ version: 1, value: secret }],
    telemetry: { enabled: false },
    // Its details may hold an address or a token.
    logger: { log: (_level: string, message: string) => log.warn({ from: 'identity' }, message) },
    session: { expiresIn: SESSION_SECONDS },
    verification: {
      modelName: 'verifications',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    advanced: {
      cookiePrefix: 'fund',
      cookies: {
        session_token: { attributes: SESSION_COOKIE_ATTRIBUTES },
        state: { attributes: { path: BASE_PATH + CALLBACK, maxAge: AT_GOOGLE_SECONDS } },
      },
      ipAddress: { disableIpTracking: true },
      database: { generateId: newId, validateSchema: false },
    },
  };
}
