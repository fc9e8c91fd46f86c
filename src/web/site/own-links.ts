import { PAGES_TO_COME, type PageName, pagePath } from '#contract/pages.ts';
import type { SiteLink } from './org-links.ts';

/** Whoever looks at the drawer, as far as it matters there. */
export type Viewer = { readonly admin: boolean; readonly emailVerified: boolean; readonly editorOf: readonly string[] };

type NamedLink = SiteLink & { readonly page: PageName };

/** The links of the drawer for the editors of the organisation (§2); none to what is still to come. */
export function editorLinks(orgid: string, viewer: Viewer): SiteLink[] {
  return isEditor(orgid, viewer) ? thoseThatAreThere(editorPages(orgid)) : [];
}

/** Every page of the editors' area, in the order in which one looks after a fund; an admin may open the editors alone (§6). */
export function areaLinks(orgid: string, viewer: Viewer): SiteLink[] {
  const [overview, settings, texts, checkouts, editors] = editorPages(orgid);
  if (!isEditor(orgid, viewer)) return viewer.admin ? thoseThatAreThere([editors]) : [];
  return thoseThatAreThere([overview, checkouts, ...storyPages(orgid), texts, settings, editors]);
}

function isEditor(orgid: string, { emailVerified, editorOf }: Viewer): boolean {
  return emailVerified && editorOf.includes(orgid);
}

function editorPages(orgid: string) {
  const params = { orgid };
  return [
    { page: 'overview-page', label: 'Overview', to: pagePath('overview-page', params), icon: 'chart' },
    { page: 'org-page', label: 'Org settings', to: pagePath('org-page', params), icon: 'settings' },
    { page: 'pages-editor-page', label: 'Edit pages', to: pagePath('pages-editor-page', params), icon: 'pencil' },
    { page: 'checkouts-page', label: 'Checkouts', to: pagePath('checkouts-page', params), icon: 'cart' },
    { page: 'editors-page', label: 'Editors', to: pagePath('editors-page', params), icon: 'people' },
  ] as const satisfies readonly NamedLink[];
}

function storyPages(orgid: string): NamedLink[] {
  const params = { orgid };
  return [
    { page: 'review-page', label: 'Offsetters', to: pagePath('review-page', params), icon: 'heart' },
    { page: 'edit-awardees-page', label: 'Awardees', to: pagePath('edit-awardees-page', params), icon: 'medal' },
    { page: 'edit-installers-page', label: 'Installers', to: pagePath('edit-installers-page', params), icon: 'tools' },
  ];
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
