import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SessionCookies } from './identity.ts';

/** The only calls that receive the session cookie. */
const SESSION_PATH = '/api/session';
/** Tells a page that a session may exist, so that visitors need not ask. It proves nothing. */
const FLAG = 'signed_in';
const FOURTEEN_DAYS = 14 * 24 * 60 * 60;

/** @param secret signs the cookie: with another secret everyone is signed out */
export function sessionCookies(publicUrl: () => string, secret: () => Promise<string>): SessionCookies {
  const isSecure = () => publicUrl().startsWith('https:');
  const name = () => cookieName('session_token', isSecure());
  const both = (value: string, flag: string, maxAgeSeconds: number) => {
    const options = { maxAgeSeconds, secure: isSecure() };
    return [
      setCookie(name(), value, { ...options, path: SESSION_PATH }),
      setCookie(FLAG, flag, { ...options, path: '/', httpOnly: false }),
    ];
  };
  return {
    read: async (header) => {
      const [value = '', signature = ''] = readCookie(header, name())?.split('.') ?? [];
      return value && isSame(signature, signatureOf(value, await secret())) ? value : undefined;
    },
    set: async (value) => both(`${value}.${signatureOf(value, await secret())}`, '1', FOURTEEN_DAYS),
    clear: () => both('', '', 0),
  };
}

function signatureOf(value: string, secret: string): string {
  return createHmac('sha256', secret).update(value).digest('base64');
}

/** Takes as long for any signature of the same length. */
export function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

export type CookieOptions = {
  readonly path: string;
  readonly maxAgeSeconds: number;
  readonly secure: boolean;
  /** False for a cookie that scripts may read. */
  readonly httpOnly?: boolean;
};

/** A Set-Cookie header. */
export function setCookie(name: string, value: string, options: CookieOptions): string {
  const { path, maxAgeSeconds, secure, httpOnly = true } = options;
  return [
    `${name}=${encodeURIComponent(value)}`,
    `Max-Age=${maxAgeSeconds}`,
    `Path=${path}`,
    ...(httpOnly ? ['HttpOnly'] : []),
    ...(secure ? ['Secure'] : []),
    'SameSite=Lax',
  ].join('; ');
}

/** The value of the first cookie of this name in a Cookie header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(';').find((each) => each.trim().startsWith(`${name}=`));
  try {
    return pair && decodeURIComponent(pair.trim().slice(name.length + 1));
  } catch {
    return undefined;
  }
}

/** Browsers accept a cookie with the prefix only over HTTPS. */
export function cookieName(name: string, secure: boolean): string {
  return secure ? `__Secure-fund.${name}` : `fund.${name}`;
}
