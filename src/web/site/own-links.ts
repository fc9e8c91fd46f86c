import { pagePath } from '#contract/pages.ts';
import type { SiteLink } from './org-links.ts';

export type Viewer = { readonly admin: boolean; readonly emailVerified: boolean; readonly editorOf: readonly string[] };

/** The drawer's links for editors of the organization (§2). */
export function editorLinks(orgid: string, viewer: Viewer): SiteLink[] {
  return isEditor(orgid, viewer) ? [...editorPages(orgid)] : [];
}

/** The navigation of the editor area, by how often pages are needed. An admin sees the Editors page only (§6). */
export function areaLinks(orgid: string, viewer: Viewer): SiteLink[] {
  const [overview, settings, texts, checkouts, editors] = editorPages(orgid);
  if (!isEditor(orgid, viewer)) return viewer.admin ? [editors] : [];
  return [overview, checkouts, ...storyPages(orgid), texts, settings, editors];
}

function isEditor(orgid: string, { emailVerified, editorOf }: Viewer): boolean {
  return emailVerified && editorOf.includes(orgid);
}

function editorPages(orgid: string) {
  const params = { orgid };
  return [
    { label: 'Overview', to: pagePath('overview-page', params), icon: 'chart' },
    { label: 'Org settings', to: pagePath('org-page', params), icon: 'settings' },
    { label: 'Edit pages', to: pagePath('pages-editor-page', params), icon: 'pencil' },
    { label: 'Checkouts', to: pagePath('checkouts-page', params), icon: 'cart' },
    { label: 'Editors', to: pagePath('editors-page', params), icon: 'people' },
  ] as const satisfies readonly SiteLink[];
}

function storyPages(orgid: string): SiteLink[] {
  const params = { orgid };
  return [
    { label: 'Offsetters', to: pagePath('review-page', params), icon: 'heart' },
    { label: 'Awardees', to: pagePath('edit-awardees-page', params), icon: 'medal' },
    { label: 'Installers', to: pagePath('edit-installers-page', params), icon: 'tools' },
  ];
}

/** The drawer's links for admins (§2). */
export function adminLinks({ emailVerified, admin }: Viewer): SiteLink[] {
  if (!emailVerified || !admin) return [];
  return [
    { label: 'Admin', to: pagePath('admin-page', {}), icon: 'shield' },
    { label: 'Users', to: pagePath('users-page', {}), icon: 'people' },
  ];
}
