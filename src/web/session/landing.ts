import { pagePath } from '#contract/pages.ts';
import type { Session } from './session.ts';

/**
 * Path to open after login, normally `returnTo`. Users with a role go to the organization's overview if `returnTo` is its
 * home page or missing. If `returnTo` is missing, admins without a role go to the admin page, and donors to My giving.
 */
export function landingPath({ roles, admin }: Pick<Session, 'roles' | 'admin'>, returnTo: string | undefined): string {
  const orgIds = Object.keys(roles);
  const isHome = (orgId: string) => returnTo === pagePath('home-page', { orgid: orgId });
  const hasReturnPage = returnTo !== undefined && returnTo !== '/';
  const orgId = hasReturnPage ? orgIds.find(isHome) : orgIds[0];
  if (orgId !== undefined) return pagePath('overview-page', { orgid: orgId });
  if (!hasReturnPage && admin) return pagePath('admin-page', {});
  return returnTo ?? pagePath('user-home-page', {});
}
