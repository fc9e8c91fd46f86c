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
