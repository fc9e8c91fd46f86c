import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { CALLS, type CallName, callPath } from '#contract/calls.ts';

type Cookie = { readonly value: string; readonly path: string; readonly httpOnly: boolean };

/** Calls without path parameters. */
type PlainCall = Extract<CallName, 'authorize' | 'refreshClaims'> | SessionCall;
type SessionCall = {
  [Name in CallName]: (typeof CALLS)[Name]['path'] extends `/session/${string}` ? Name : never;
}[CallName];

export type Browser = {
  /** All cookies by name. */
  readonly cookies: ReadonlyMap<string, Cookie>;
  /** Makes a call like a page, with the cookies for its path and an optional token. */
  call(name: PlainCall, body?: object, token?: string): Promise<LightMyRequestResponse>;
  open(url: string): Promise<LightMyRequestResponse>;
};

const USER_AGENT = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Stores, sends, and expires cookies like a browser. @param language the page's language, sent with each call */
export function openBrowser(app: FastifyInstance, language = 'en'): Browser {
  const cookies = new Map<string, Cookie>();
  const cookieHeader = (url: string) => {
    const sentCookies = [...cookies].filter(([, { path }]) => path === '/' || url.split('?')[0]?.startsWith(path));
    return sentCookies.length === 0
      ? {}
      : { cookie: sentCookies.map(([name, { value }]) => `${name}=${value}`).join('; ') };
  };
  const storeCookies = (response: LightMyRequestResponse) => {
    for (const line of [response.headers['set-cookie'] ?? []].flat()) {
      const { name, isExpired, ...cookie } = parseCookie(line);
      if (isExpired) cookies.delete(name);
      else cookies.set(name, cookie);
    }
    return response;
  };
  return {
    cookies,
    call: async (name, body = {}, token) => {
      const url = callPath(name, {});
      const { method } = CALLS[name];
      const headers = {
        ...cookieHeader(url),
        'x-requested-with': 'test',
        'user-agent': USER_AGENT,
        'accept-language': language,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      };
      const json = { headers: { ...headers, 'content-type': 'application/json' }, payload: JSON.stringify(body) };
      return storeCookies(await app.inject({ method, url, ...(method === 'GET' ? { headers } : json) }));
    },
    open: async (url) =>
      storeCookies(await app.inject({ url, headers: { ...cookieHeader(url), 'user-agent': USER_AGENT } })),
  };
}

function parseCookie(line: string): Cookie & { readonly name: string; readonly isExpired: boolean } {
  const [pair = '', ...attributes] = line.split('; ');
  const equalsIndex = pair.indexOf('=');
  const readAttribute = (name: string) =>
    attributes.find((attribute) => attribute.toLowerCase().startsWith(`${name}=`))?.split('=')[1];
  return {
    name: pair.slice(0, equalsIndex),
    value: pair.slice(equalsIndex + 1),
    path: readAttribute('path') ?? '/',
    httpOnly: attributes.some((attribute) => attribute.toLowerCase() === 'httponly'),
    isExpired: readAttribute('max-age') === '0',
  };
}
