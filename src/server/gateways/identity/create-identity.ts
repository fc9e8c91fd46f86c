import { hkdfSync, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Database, Log } from '#server/db/connection.ts';
import { authenticatorCodes } from './authenticator-codes.ts';
import { cachedOnSuccess } from './cached-on-success.ts';
import { ownCookie, SESSION_PATH, sessionCookies } from './cookies.ts';
import { type GoogleClient, googleSignIn } from './google-sign-in.ts';
import { programSecret } from './identity.store.ts';
import type { Identity } from './identity.ts';
import { identityTokens } from './identity-tokens.ts';
import { knownDevices } from './known-devices.ts';
import { passkeys } from './passkeys.ts';
import { offers } from './sealed-claims.ts';

export type IdentityOptions = {
  readonly db: Database;
  /** Known once the program listens. */
  readonly publicUrl: () => string;
  /** Protects cookies and tokens. By default, generated and stored in the database. */
  readonly secret?: string | undefined;
  readonly google?: GoogleClient | undefined;
  readonly adminsNeedSecondFactor?: boolean;
  readonly now: () => Date;
  readonly log: Log;
};

const KEY_BYTES = 32;

/** Sign-in inside the program, on its own database: no outside account is needed (decisions §4). */
export function createIdentity(options: IdentityOptions): Identity {
  const { db, publicUrl, secret, google, now, log, adminsNeedSecondFactor = false } = options;
  const authSecret = cachedOnSuccess(
    async () => secret ?? programSecret(db.kysely, 'auth', randomBytes(32).toString('base64url')),
  );
  /** One key per purpose, so that nothing made for one is valid for another. */
  const keyFor = (purpose: string) =>
    cachedOnSuccess(async () => new Uint8Array(hkdfSync('sha256', await authSecret(), '', purpose, KEY_BYTES)));
  return {
    ...identityTokens({ db, publicUrl, now, adminsNeedSecondFactor, key: keyFor('identity token') }),
    hashPassword,
    verifyPassword,
    cookies: sessionCookies(publicUrl, authSecret),
    devices: knownDevices(publicUrl, keyFor('known device')),
    halfLogin: ownCookie('fund.half_login', { publicUrl, path: SESSION_PATH, former: '__Host-fund.half_login' }),
    authenticatorCodes: authenticatorCodes({ key: keyFor('authenticator key'), now }),
    passkeys: passkeys(publicUrl),
    offers: offers({ key: keyFor('offer'), now }),
    google: google && googleSignIn({ client: google, publicUrl, key: keyFor('google sign-in'), now, log }),
  };
}

/** Stored hashes do not name their parameters: changing one of these would lock everyone out. */
const N = 16_384;
const BLOCK_SIZE = 16;
const HASH_BYTES = 64;
const SALT_BYTES = 16;
const OPTIONS = { N, r: BLOCK_SIZE, p: 1, maxmem: 256 * N * BLOCK_SIZE };

/** Matches no password: checking one against it takes as long as against a real hash. */
const NO_HASH = `${'0'.repeat(2 * SALT_BYTES)}:${'0'.repeat(2 * HASH_BYTES)}`;

/** @returns salt and key in hex, separated by a colon, as better-auth wrote them */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES).toString('hex');
  return `${salt}:${(await keyOf(password, salt)).toString('hex')}`;
}

export async function verifyPassword(password: string, hash = NO_HASH): Promise<boolean> {
  const [salt = '', key = ''] = hash.split(':');
  const expected = Buffer.from(key, 'hex');
  const actual = await keyOf(password, salt);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

function keyOf(password: string, salt: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, OPTIONS, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
