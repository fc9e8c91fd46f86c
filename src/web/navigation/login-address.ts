import { pagePath } from '#contract/pages.ts';
import { readAddress } from './address.ts';

/** The login page that leads back to an address afterwards (§2); from a page of signing in, to where that one leads. */
export function loginAddress(address: string): string {
  const { return_to } = readAddress(address).search;
  return withReturnTo(pagePath('login-page', {}), return_to ?? address);
}

/** An address that remembers where the way leads after signing in. */
export function withReturnTo(path: string, returnTo: string | undefined): string {
  return returnTo === undefined ? path : `${path}?${new URLSearchParams({ return_to: returnTo })}`;
}
