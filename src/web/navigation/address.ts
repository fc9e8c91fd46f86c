import { pagePath } from '#contract/pages.ts';
import { withSearch } from './with-search.ts';

/** Search parameters as text, so that an id such as 1e10 isn't parsed as a number. */
export type Search = Readonly<Record<string, string>>;

/** The parts of an address on this site: '/orgs/x', { cancelled: 'c1' }, '#cart'. */
type Address = { readonly path: string; readonly search: Search; readonly hash: string };

/** @param text an address from the root of the site: '/orgs/x?cancelled=c1#cart' */
export function parseAddress(text: string): Address {
  const { pathname, searchParams, hash } = new URL(text, 'http://site.invalid');
  return { path: pathname, search: Object.fromEntries(searchParams), hash };
}

/** Compares two addresses without their hash. */
export function isSamePage(a: string, b: string): boolean {
  return withoutHash(a) === withoutHash(b);
}

/** Compares the paths of two addresses, ignoring a trailing slash. */
export function isSamePath(a: string, b: string): boolean {
  return normalizePath(a) === normalizePath(b);
}

export function withoutHash(address: string): string {
  return address.split('#')[0] ?? '';
}

function normalizePath(address: string): string {
  return parseAddress(address).path.replace(/(.)\/$/, '$1');
}

/** The login page with this address as its return_to (§2). A sign-in page passes on its own return_to. */
export function loginUrl(address: string): string {
  const { return_to } = parseAddress(address).search;
  return withReturnTo(pagePath('login-page', {}), return_to ?? address);
}

export function withReturnTo(path: string, returnTo: string | undefined): string {
  return withSearch(path, { return_to: returnTo });
}
