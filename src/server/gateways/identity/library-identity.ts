import { randomBytes } from 'node:crypto';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import type { Database } from '#server/db/connection.ts';
import type { Log } from '#server/db/log.ts';
import type { AuthLibrary, AuthLibraryOptions, GoogleClient } from './auth-library.ts';
import { googleSignIn, withGoogle } from './google-sign-in.ts';
import { programSecret } from './identity.store.ts';
import type { Identity, SessionCookies } from './identity.ts';
import { identityTokens } from './identity-tokens.ts';
import { openedOnce } from './opened-once.ts';

export type LibraryIdentityOptions = {
  readonly db: Database;
  /** The origin under which the public reaches the site; asked when somebody first signs in. */
  readonly publicUrl: () => string;
  /** What cookies and keys are protected with; without it one is made, and kept in the database. */
  readonly secret?: string | undefined;
  /** Absent where Google is not configured. */
  readonly google?: GoogleClient | undefined;
  readonly now: () => Date;
  readonly log: Log;
};

/** What no password hashes to: looking for one where there is none takes as long as where there is one. */
const NO_HASH = `${'0'.repeat(32)}:${'0'.repeat(128)}`;

/** Sign-in by a library inside the program, on the product's own database: no outside account is needed (decisions §4). */
export function libraryIdentity(options: LibraryIdentityOptions): Identity {
  const library = openedOnce(async () => (await loaded()).authLibrary(await libraryOptions(options)));
  const { google } = options;
  return {
    ...identityTokens({ ...options, library }),
    hashPassword,
    verifyPassword: (password, hash = NO_HASH) => verifyPassword({ password, hash }),
    cookies: cookiesOf(library),
    google:
      google &&
      googleSignIn(
        openedOnce(() => openGoogle(options, google)),
        options.log,
      ),
  };
}

/** The library is large, and knows its address only when the program listens: it is opened when it is first needed. */
const loaded = () => import('./auth-library.ts');

async function libraryOptions({ db, publicUrl, secret, log }: LibraryIdentityOptions): Promise<AuthLibraryOptions> {
  const kept = secret ?? (await programSecret(db.kysely, 'auth', randomBytes(32).toString('base64url')));
  return { db: db.kysely, origin: publicUrl(), secret: kept, log };
}

async function openGoogle(options: LibraryIdentityOptions, client: GoogleClient) {
  const { googleLibrary } = await loaded();
  return withGoogle(googleLibrary(await libraryOptions(options), client));
}

function cookiesOf(library: () => Promise<AuthLibrary>): SessionCookies {
  return {
    secretIn: async (cookie) => {
      if (cookie === undefined) return undefined;
      const { api } = await library();
      return (await api.readSession({ headers: new Headers({ cookie }) })).secret;
    },
    remember: async (secret) => {
      const { api } = await library();
      return (await api.rememberSession({ body: { secret }, returnHeaders: true })).headers.getSetCookie();
    },
    forget: async () => {
      const { api } = await library();
      return (await api.forgetSession({ returnHeaders: true })).headers.getSetCookie();
    },
  };
}
