import { pagePath } from '#contract/pages.ts';
import type { Session } from './session.ts';

/**
 * Where a person goes after logging in: back, or, with a role and without a page to go back to, to the overview of the
 * organization. Its home page is where people come from to log in.
 */
export function landing({ roles }: Pick<Session, 'roles'>, returnTo: string | undefined): string {
  const orgs = Object.keys(roles);
  const isHome = (orgid: string) => returnTo === pagePath('home-page', { orgid });
  const orgid = returnTo === undefined || returnTo === '/' ? orgs[0] : orgs.find(isHome);
  return orgid === undefined ? (returnTo ?? '/') : pagePath('overview-page', { orgid });
}
