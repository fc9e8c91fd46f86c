import { hkdfSync, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Database } from '#server/db/connection.ts';
import type { Log } from '#server/log.ts';
import { cacheOnSuccess } from '#server/process/cache-on-success.ts';
import { createAuthenticatorCodes } from './authenticator-codes.ts';
import { createHostCookie, createKnownBrowser, createSessionCookies, SESSION_PATH } from './cookies.ts';
import { createGoogleSignIn, type GoogleClient } from './google-sign-in.ts';
import { findBrowserAccount, getOrCreateSecret } from './identity.store.ts';
import type { Identity } from './identity.ts';
import { createIdentityTokens } from './identity-tokens.ts';
import { createPasskeys } from './passkeys.ts';
import { createSealedTexts } from './sealed-claims.ts';

export type IdentityOptions = {
  readonly db: Database;
  /** Available once the server is listening. */
  readonly publicUrl: () => string;
  /** Protects cookies and tokens. Defaults to a secret that is generated and stored in the database. */
  readonly secret?: string | undefined;
  readonly google?: GoogleClient | undefined;
  readonly adminsNeedSecondFactor?: boolean;
  readonly now: () => Date;
  readonly log: Log;
};

const KEY_BYTES = 32;

/** Sign-in with the program's own database, so that no external account is needed (decisions §4). */
export function createIdentity(options: IdentityOptions): Identity {
  const { db, publicUrl, secret, google, now, log, adminsNeedSecondFactor = false } = options;
  const getSecret = cacheOnSuccess(async () => secret ?? getAuthSecret(db));
  /** Each purpose has its own key, so that a token for one purpose is invalid for all others. */
  const deriveKey = (purpose: string) =>
    cacheOnSuccess(async () => new Uint8Array(hkdfSync('sha256', await getSecret(), '', purpose, KEY_BYTES)));
  return {
    ...createIdentityTokens({ db, publicUrl, now, adminsNeedSecondFactor, key: deriveKey('identity token') }),
    hashPassword,
    verifyPassword,
    cookies: createSessionCookies(publicUrl, getSecret),
    knownBrowser: createKnownBrowser({
      publicUrl,
      key: deriveKey('known browser'),
      findAccount: (email, tx = db.kysely) => findBrowserAccount(tx, email),
    }),
    pendingLogin: createHostCookie('fund.pending_login', { publicUrl, path: SESSION_PATH }),
    authenticatorCodes: createAuthenticatorCodes({ key: deriveKey('authenticator key'), now }),
    passkeys: createPasskeys(publicUrl),
    sealedTexts: createSealedTexts({ key: deriveKey('sealed text'), now }),
    google: google && createGoogleSignIn({ client: google, publicUrl, key: deriveKey('google sign-in'), now, log }),
  };
}

/** Returns the secret that all processes share. It is generated once and stored in the database. Don't call this in a transaction. */
export function getAuthSecret(db: Database): Promise<string> {
  return getOrCreateSecret(db.kysely, 'auth', randomBytes(32).toString('base64url'));
}

/** Parameters of scrypt. N is 2 to the power of `ln`. */
type Cost = { readonly ln: number; readonly r: number; readonly p: number };

/** OWASP's 2026 recommendation for 32 MB. Each stored hash contains its cost, so that the cost can be raised later. */
const COST: Cost = { ln: 14, r: 16, p: 3 };
const HASH_BYTES = 64;
const SALT_BYTES = 16;

type StoredHash = { readonly cost: Cost; readonly salt: Buffer; readonly key: Buffer };

/** Matches no password. Checking a password against it takes as long as against a real hash. */
const NO_HASH: StoredHash = { cost: COST, salt: Buffer.alloc(SALT_BYTES), key: Buffer.alloc(0) };

/** @returns "$scrypt$ln=14,r=16,p=3$salt$key", salt and key in base64url */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derivePasswordKey(password, salt, COST);
  const { ln, r, p } = COST;
  return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

export async function verifyPassword(password: string, hash = ''): Promise<boolean> {
  const { cost, salt, key } = parseHash(hash) ?? NO_HASH;
  const derivedKey = await derivePasswordKey(password, salt, cost);
  return derivedKey.length === key.length && timingSafeEqual(derivedKey, key);
}

const HASH_FORMAT = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/;

function parseHash(hash: string): StoredHash | undefined {
  const [, ln, r, p, salt = '', key = ''] = HASH_FORMAT.exec(hash) ?? [];
  if (ln === undefined) return undefined;
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  return { cost, salt: Buffer.from(salt, 'base64url'), key: Buffer.from(key, 'base64url') };
}

function derivePasswordKey(password: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> {
  const N = 2 ** ln;
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
