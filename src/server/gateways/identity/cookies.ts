import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '#server/db/tables.ts';
import type { KnownBrowser, SessionCookies } from './identity.ts';

/** Path of the session cookie if the site has no HTTPS. */
export const SESSION_PATH = '/api/session';
const FOURTEEN_DAYS = 14 * 24 * 60 * 60;
const ONE_YEAR = 365 * 24 * 60 * 60;

/** @param secret signs the cookie; changing it signs everyone out */
export function createSessionCookies(publicUrl: () => string, secret: () => Promise<string>): SessionCookies {
  const session = createHostCookie('fund.session_token', { publicUrl, path: SESSION_PATH });
  // Lets scripts detect that a session may exist, so that visitors' pages don't request a token. The flag grants no
  // access.
  const signedInFlag = createHostCookie('signed_in', { publicUrl, path: '/', httpOnly: false });
  return {
    read: async (header) => {
      const [value = '', signature = ''] = session.read(header)?.split('.') ?? [];
      return value && areEqual(signature, computeSignature(value, await secret())) ? value : undefined;
    },
    set: async (value) => [
      session.set(`${value}.${computeSignature(value, await secret())}`, FOURTEEN_DAYS),
      signedInFlag.set('1', FOURTEEN_DAYS),
    ],
    clear: () => [session.clear(), signedInFlag.clear()],
  };
}

export type BrowserAccount = {
  readonly id: string;
  /** Increment to invalidate all earlier cookies. */
  readonly knownBrowserVersion: number;
};

export type KnownBrowserOptions = {
  readonly publicUrl: () => string;
  /** Signs the cookie. */
  readonly key: () => Promise<Uint8Array>;
  readonly findAccount: (email: string, db?: Kysely<Tables>) => Promise<BrowserAccount | undefined>;
};

/** Manages a signed cookie for the account that last logged in. The cookie grants no access. */
export function createKnownBrowser({ publicUrl, key, findAccount }: KnownBrowserOptions): KnownBrowser {
  // This path includes Google's callback, which also reads the cookie.
  const cookie = createHostCookie('fund.known_browser', { publicUrl, path: '/api' });
  const sign = async (id: string, account: BrowserAccount) =>
    computeSignature([id, account.id, account.knownBrowserVersion].join('\n'), await key());
  return {
    find: async (header, email, tx) => {
      const [id = '', signature = ''] = cookie.read(header)?.split('.') ?? [];
      const account = id ? await findAccount(email, tx) : undefined;
      return account && areEqual(signature, await sign(id, account)) ? id : undefined;
    },
    mark: async (email) => {
      const account = await findAccount(email);
      if (!account) return [];
      const id = randomBytes(12).toString('base64url');
      return [cookie.set(`${id}.${await sign(id, account)}`, ONE_YEAR)];
    },
  };
}

function computeSignature(value: string, secret: string | Uint8Array): string {
  return createHmac('sha256', secret).update(value).digest('base64');
}

/** Compares in constant time for signatures of the same length. */
function areEqual(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a), Buffer.from(b)];
  return first.length === second.length && timingSafeEqual(first, second);
}

export type HostCookie = {
  /** The cookie's value in a Cookie header. */
  read(header: string | undefined): string | undefined;
  /** @returns a Set-Cookie header */
  set(value: string, maxAgeSeconds: number): string;
  /** @returns a Set-Cookie header */
  clear(): string;
};

type HostCookieOptions = {
  readonly publicUrl: () => string;
  /** Path of the cookie without HTTPS. */
  readonly path: string;
  /** False for a cookie that scripts may read. */
  readonly httpOnly?: boolean;
};

/**
 * Creates a host-only cookie. Over HTTPS its name begins with `__Host-`, which browsers accept only from the host
 * itself. Over HTTPS a cookie without this prefix is ignored, because another host in the domain could have set it.
 */
export function createHostCookie(name: string, options: HostCookieOptions): HostCookie {
  const { publicUrl, path, httpOnly = true } = options;
  const isSecure = () => publicUrl().startsWith('https:');
  const fullName = () => (isSecure() ? `__Host-${name}` : name);
  const set = (value: string, maxAgeSeconds: number) =>
    [
      `${fullName()}=${encodeURIComponent(value)}`,
      `Max-Age=${maxAgeSeconds}`,
      `Path=${isSecure() ? '/' : path}`,
      ...(httpOnly ? ['HttpOnly'] : []),
      ...(isSecure() ? ['Secure'] : []),
      'SameSite=Lax',
    ].join('; ');
  return { read: (header) => readCookie(header, fullName()), set, clear: () => set('', 0) };
}

/** Reads the first cookie with this name from a Cookie header. */
function readCookie(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(';').find((cookie) => cookie.trim().startsWith(`${name}=`));
  try {
    return pair && decodeURIComponent(pair.trim().slice(name.length + 1));
  } catch {
    return undefined;
  }
}
