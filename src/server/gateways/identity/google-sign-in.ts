import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '#domain/failures.ts';
import type { Log } from '#server/db/log.ts';
import type { GoogleLibrary } from './auth-library.ts';
import { GOOGLE } from './google-return.ts';
import type { GoogleReturn, GoogleSignIn } from './identity.ts';

const DISCOVERY_MS = 10_000;
const NOTHING: GoogleReturn = { person: undefined, returnTo: undefined, formerSession: undefined, cookies: [] };

/** @param library opened anew whenever Google could not be reached the last time */
export function googleSignIn(library: () => Promise<GoogleLibrary>, log: Log): GoogleSignIn {
  return {
    begin: async ({ loginHint, ...trip }) => {
      try {
        const { api } = await library();
        const { headers, response } = await api.signInSocial({
          body: {
            provider: GOOGLE,
            disableRedirect: true,
            additionalData: trip,
            ...(loginHint === undefined ? {} : { loginHint }),
          },
          returnHeaders: true,
        });
        if (!response.url) return new Failure('google-unavailable');
        return { url: response.url, cookies: headers.getSetCookie() };
      } catch (err) {
        log.warn({ err }, 'Google cannot be reached');
        return new Failure('google-unavailable');
      }
    },
    finish: async (query, cookie = '') => {
      try {
        const { api } = await library();
        const { headers, response } = await api.returnFromGoogle({
          query: { state: '', ...Object.fromEntries(query) },
          headers: new Headers({ cookie }),
          returnHeaders: true,
        });
        return { ...response.trip, person: response.person, cookies: headers.getSetCookie() };
      } catch {
        // The reason may hold a code or a token; that it failed is said by the route.
        return NOTHING;
      }
    },
  };
}

/**
 * A library that knows Google's addresses and keys. The library by itself would go on without Google when it cannot
 * reach it.
 * @throws when Google cannot be reached
 */
export async function withGoogle(library: GoogleLibrary): Promise<GoogleLibrary> {
  const late = new AbortController();
  try {
    const context = await Promise.race([library.$context, tooLate(late.signal)]);
    if (!context.socialProviders.some(({ id }) => id === GOOGLE)) throw new Error('Google told no addresses');
    return library;
  } finally {
    late.abort();
  }
}

async function tooLate(signal: AbortSignal): Promise<never> {
  await pause(DISCOVERY_MS, undefined, { signal });
  throw new Error('Google did not answer');
}
