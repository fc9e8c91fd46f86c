import { PAGES_TO_COME, type PageName, pagePath } from '#contract/pages.ts';
import type { SiteLink } from './org-links.ts';

/** Whoever looks at the drawer, as far as it matters there. */
export type Viewer = { readonly admin: boolean; readonly emailVerified: boolean; readonly editorOf: readonly string[] };

type NamedLink = SiteLink & { readonly page: PageName };

/** The links of the drawer for the editors of the organisation (§2); none to what is still to come. */
export function editorLinks(orgid: string, { emailVerified, editorOf }: Viewer): SiteLink[] {
  if (!emailVerified || !editorOf.includes(orgid)) return [];
  const params = { orgid };
  return thoseThatAreThere([
    { page: 'org-page', label: 'Org settings', to: pagePath('org-page', params), icon: 'settings' },
    { page: 'pages-editor-page', label: 'Edit pages', to: pagePath('pages-editor-page', params), icon: 'pencil' },
    { page: 'checkouts-page', label: 'Checkouts', to: pagePath('checkouts-page', params), icon: 'cart' },
    { page: 'editors-page', label: 'Editors', to: pagePath('editors-page', params), icon: 'people' },
  ]);
}

/** The links of the drawer for the admins of the site (§2). */
export function adminLinks({ emailVerified, admin }: Viewer): SiteLink[] {
  if (!emailVerified || !admin) return [];
  return thoseThatAreThere([
    { page: 'admin-page', label: 'Admin', to: pagePath('admin-page', {}), icon: 'shield' },
    { page: 'users-page', label: 'Users', to: pagePath('users-page', {}), icon: 'people' },
  ]);
}

function thoseThatAreThere(links: readonly NamedLink[]): SiteLink[] {
  return links.filter(({ page }) => !PAGES_TO_COME.includes(page));
}
