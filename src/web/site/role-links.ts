import { pagePath } from '#contract/pages.ts';
import { type Action, can } from '#domain/permissions.ts';
import { toActor } from '#web/session/actor.ts';
import type { Session } from '#web/session/session.ts';
import type { SiteLink } from './org-links.ts';

type Viewer = Pick<Session, 'authenticated' | 'uid' | 'admin' | 'emailVerified' | 'roles'>;
type GuardedLink = SiteLink & { readonly action: Action };

/** The drawer's links for people with a role in the organization (§2): only pages that the role may open. */
export function editorDrawerLinks(orgId: string, viewer: Viewer): SiteLink[] {
  return Object.hasOwn(viewer.roles, orgId) ? filterAllowedLinks(Object.values(editorPages(orgId)), viewer, orgId) : [];
}

/** A group of links in the editor area. The first group has no label. */
export type LinkGroup = { readonly label: string | undefined; readonly links: readonly SiteLink[] };

/** The navigation of the editor area, without empty groups. An admin sees the Editors page only (§6). */
export function editorLinkGroups(orgId: string, viewer: Viewer): LinkGroup[] {
  const { overview, settings, cells, checkouts, editors } = editorPages(orgId);
  const { donors, payouts, statements, grants } = bookPages(orgId);
  const { offsetters, awardees, installers } = storyPages(orgId);
  const groups: readonly { readonly label: string | undefined; readonly links: readonly GuardedLink[] }[] = [
    { label: undefined, links: [overview] },
    { label: 'Money', links: [checkouts, donors, payouts, statements] },
    { label: 'Homes', links: [grants, awardees, installers] },
    { label: 'Site', links: [cells, offsetters, sharePage(orgId), settings] },
    { label: 'Team', links: [editors, activityPage(orgId)] },
  ];
  return groups
    .map(({ label, links }) => ({ label, links: filterAllowedLinks(links, viewer, orgId) }))
    .filter(({ links }) => links.length > 0);
}

/** The drawer's links for admins (§2). */
export function adminLinks(viewer: Viewer): SiteLink[] {
  const links: readonly GuardedLink[] = [
    { action: 'admin.visit', label: 'Admin', to: pagePath('admin-page', {}), icon: 'shield' },
    { action: 'users.manage', label: 'Users', to: pagePath('users-page', {}), icon: 'people' },
  ];
  return filterAllowedLinks(links, viewer);
}

function filterAllowedLinks(links: readonly GuardedLink[], viewer: Viewer, orgId?: string): SiteLink[] {
  // Includes links to pages that require a second step, since those pages ask for it.
  const actor = toActor({ ...viewer, inactivePermissions: undefined });
  const subject = orgId === undefined ? {} : { orgId };
  return links.filter(({ action }) => can(actor, action, subject)).map(({ action: _action, ...link }) => link);
}

function editorPages(orgId: string) {
  const params = { orgid: orgId };
  return {
    overview: { action: 'area.visit', label: 'Overview', to: pagePath('overview-page', params), icon: 'chart' },
    settings: { action: 'org.edit', label: 'Org settings', to: pagePath('org-page', params), icon: 'settings' },
    cells: { action: 'cells.edit', label: 'Edit pages', to: pagePath('pages-editor-page', params), icon: 'pencil' },
    checkouts: { action: 'checkouts.read', label: 'Checkouts', to: pagePath('checkouts-page', params), icon: 'cart' },
    editors: { action: 'editors.read', label: 'Editors', to: pagePath('editors-page', params), icon: 'people' },
  } as const satisfies Record<string, GuardedLink>;
}

function bookPages(orgId: string) {
  const params = { orgid: orgId };
  const action = 'books.read';
  return {
    donors: { action: 'donors.read', label: 'Donors', to: pagePath('donors-page', params), icon: 'person' },
    payouts: { action, label: 'Payouts', to: pagePath('payouts-page', params), icon: 'list' },
    statements: { action, label: 'Statements', to: pagePath('statement-page', params), icon: 'history' },
    grants: { action: 'grants.read', label: 'Grants', to: pagePath('grants-page', params), icon: 'home' },
  } as const satisfies Record<string, GuardedLink>;
}

function storyPages(orgId: string) {
  const params = { orgid: orgId };
  const action = 'stories.edit';
  return {
    offsetters: { action, label: 'Offsetters', to: pagePath('review-page', params), icon: 'heart' },
    awardees: { action, label: 'Awardees', to: pagePath('edit-awardees-page', params), icon: 'medal' },
    installers: { action, label: 'Installers', to: pagePath('edit-installers-page', params), icon: 'tools' },
  } as const satisfies Record<string, GuardedLink>;
}

function sharePage(orgId: string): GuardedLink {
  return { action: 'cells.edit', label: 'Share', to: pagePath('share-page', { orgid: orgId }), icon: 'external' };
}

function activityPage(orgId: string): GuardedLink {
  return {
    action: 'activity.read',
    label: 'Activity',
    to: pagePath('activity-page', { orgid: orgId }),
    icon: 'shield',
  };
}
