import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SessionCookies } from './identity.ts';

/** Where there is no HTTPS, only these calls receive the session cookie. */
export const SESSION_PATH = '/api/session';
const FOURTEEN_DAYS = 14 * 24 * 60 * 60;

/** @param secret signs the cookie: with another secret everyone is signed out */
export function sessionCookies(publicUrl: () => string, secret: () => Promise<string>): SessionCookies {
  const session = ownCookie('fund.session_token', { publicUrl, path: SESSION_PATH });
  // Tells a page that a session may exist, so that visitors need not ask. It proves nothing.
  const flag = ownCookie('signed_in', { publicUrl, path: '/', httpOnly: false });
  return {
    read: async (header) => {
      const [value = '', signature = ''] = session.read(header)?.split('.') ?? [];
      return value && isSame(signature, signatureOf(value, await secret())) ? value : undefined;
    },
    set: async (value) => [
      session.set(`${value}.${signatureOf(value, await secret())}`, FOURTEEN_DAYS),
      flag.set('1', FOURTEEN_DAYS),
    ],
    clear: () => [session.clear(), flag.clear()],
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

export type OwnCookie = {
  /** Its value in a Cookie header. */
  read(header: string | undefined): string | undefined;
  /** @returns a Set-Cookie header */
  set(value: string, maxAgeSeconds: number): string;
  /** @returns a Set-Cookie header */
  clear(): string;
};

type OwnCookieOptions = {
  readonly publicUrl: () => string;
  /** Who receives it where there is no HTTPS. */
  readonly path: string;
  /** False for a cookie that scripts may read. */
  readonly httpOnly?: boolean;
};

/**
 * A cookie of this host alone. Over HTTPS its name begins with `__Host-`: browsers then take it only from the host itself,
 * encrypted and for the whole host, so that no other host of the domain can plant one.
 */
export function ownCookie(name: string, options: OwnCookieOptions): OwnCookie {
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

/** The value of the first cookie of this name in a Cookie header. */
function readCookie(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(';').find((each) => each.trim().startsWith(`${name}=`));
  try {
    return pair && decodeURIComponent(pair.trim().slice(name.length + 1));
  } catch {
    return undefined;
  }
}
