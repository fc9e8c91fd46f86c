import { pagePath } from '#contract/pages.ts';

/** Search parameters as the plain texts they are: an id such as 1e10 stays a text. */
export type Search = Readonly<Record<string, string>>;

/** The parts of an address of this site: '/orgs/x', { cancelled: 'c1' }, '#cart'. */
type Address = { readonly path: string; readonly search: Search; readonly hash: string };

/** Reads an address that starts at the root of the site: '/orgs/x?cancelled=c1#cart'. */
export function readAddress(text: string): Address {
  const { pathname, searchParams, hash } = new URL(text, 'http://site.invalid');
  return { path: pathname, search: Object.fromEntries(searchParams), hash };
}

/** Whether two addresses show the same page, whatever the place in it. */
export function isSamePage(one: string, other: string): boolean {
  return withoutHash(one) === withoutHash(other);
}

/** Whether a link to `to` leads to where one is, whatever the search and a slash at the end. */
export function isSamePath(to: string, here: string): boolean {
  return barePath(to) === barePath(here);
}

function withoutHash(address: string): string {
  return address.split('#')[0] ?? '';
}

function barePath(address: string): string {
  return readAddress(address).path.replace(/(.)\/$/, '$1');
}

/** The login page that leads back to an address afterwards (§2); from a page of signing in, to where that one leads. */
export function loginAddress(address: string): string {
  const { return_to } = readAddress(address).search;
  return withReturnTo(pagePath('login-page', {}), return_to ?? address);
}

/** An address that remembers where the way leads after signing in. */
export function withReturnTo(path: string, returnTo: string | undefined): string {
  return returnTo === undefined ? path : `${path}?${new URLSearchParams({ return_to: returnTo })}`;
}
