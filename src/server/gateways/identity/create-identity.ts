import { hkdfSync, randomBytes } from 'node:crypto';
import type { Database } from '#server/db/connection.ts';
import type { Log } from '#server/db/log.ts';
import { cachedOnSuccess } from './cached-on-success.ts';
import { type GoogleClient, googleSignIn } from './google-sign-in.ts';
import { programSecret } from './identity.store.ts';
import type { Identity } from './identity.ts';
import { identityTokens } from './identity-tokens.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { sessionCookies } from './session-cookies.ts';

export type IdentityOptions = {
  readonly db: Database;
  /** The origin under which the public reaches the site; known once the program listens. */
  readonly publicUrl: () => string;
  /** Protects cookies and tokens. By default one is made and kept in the database. */
  readonly secret?: string | undefined;
  readonly google?: GoogleClient | undefined;
  readonly now: () => Date;
  readonly log: Log;
};

const KEY_BYTES = 32;

/** Sign-in inside the program, on its own database: no outside account is needed (decisions §4). */
export function createIdentity({ db, publicUrl, secret, google, now, log }: IdentityOptions): Identity {
  const ownSecret = cachedOnSuccess(
    async () => secret ?? programSecret(db.kysely, 'auth', randomBytes(32).toString('base64url')),
  );
  /** A key of its own for each purpose, so that nothing made for one passes for the other. */
  const keyFor = (purpose: string) =>
    cachedOnSuccess(async () => new Uint8Array(hkdfSync('sha256', await ownSecret(), '', purpose, KEY_BYTES)));
  return {
    ...identityTokens({ db, publicUrl, now, key: keyFor('identity token') }),
    hashPassword,
    verifyPassword,
    cookies: sessionCookies(publicUrl, ownSecret),
    google: google && googleSignIn({ client: google, publicUrl, key: keyFor('google sign-in'), now, log }),
  };
}
