import { pagePath } from '#contract/pages.ts';
import type { Session } from './session.ts';

/**
 * The address after logging in: the previous page, or, for a person with a role who came from no page or from the
 * organization's home page, the organization's overview.
 */
export function landing({ roles }: Pick<Session, 'roles'>, returnTo: string | undefined): string {
  const orgs = Object.keys(roles);
  const isHome = (orgId: string) => returnTo === pagePath('home-page', { orgid: orgId });
  const orgId = returnTo === undefined || returnTo === '/' ? orgs[0] : orgs.find(isHome);
  return orgId === undefined ? (returnTo ?? '/') : pagePath('overview-page', { orgid: orgId });
}
