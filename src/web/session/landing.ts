import { pagePath } from '#contract/pages.ts';
import type { Session } from './session.ts';

/**
 * The address to open after login: normally the page the person came from. A person with a role who came from the
 * organization's home page, or from nowhere, gets the organization's overview. Without a role, an admin who came from
 * nowhere gets the admin page.
 */
export function landingPath({ roles, admin }: Pick<Session, 'roles' | 'admin'>, returnTo: string | undefined): string {
  const orgIds = Object.keys(roles);
  const isHome = (orgId: string) => returnTo === pagePath('home-page', { orgid: orgId });
  const hasNoOrigin = returnTo === undefined || returnTo === '/';
  const orgId = hasNoOrigin ? orgIds[0] : orgIds.find(isHome);
  if (orgId !== undefined) return pagePath('overview-page', { orgid: orgId });
  return hasNoOrigin && admin ? pagePath('admin-page', {}) : (returnTo ?? '/');
}
