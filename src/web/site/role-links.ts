import { pagePath } from '#contract/pages.ts';
import { type Action, can } from '#domain/permissions.ts';
import { actorOf } from '#web/session/actor.ts';
import type { Session } from '#web/session/session.ts';
import type { SiteLink } from './org-links.ts';

type Viewer = Pick<Session, 'authenticated' | 'uid' | 'admin' | 'emailVerified' | 'roles'>;
type GuardedLink = SiteLink & { readonly action: Action };

/** The drawer's links for people with a role in the organization (§2): only those that the role may open. */
export function editorLinks(orgId: string, viewer: Viewer): SiteLink[] {
  return Object.hasOwn(viewer.roles, orgId) ? allowedLinks(Object.values(editorPages(orgId)), viewer, orgId) : [];
}

/** The navigation of the editor area, by how often pages are needed. An admin sees the Editors page only (§6). */
export function areaLinks(orgId: string, viewer: Viewer): SiteLink[] {
  const { overview, settings, cells, checkouts, editors } = editorPages(orgId);
  const links = [
    overview,
    checkouts,
    ...bookPages(orgId),
    ...storyPages(orgId),
    cells,
    settings,
    editors,
    activityPage(orgId),
  ];
  return allowedLinks(links, viewer, orgId);
}

/** The drawer's links for admins (§2). */
export function adminLinks(viewer: Viewer): SiteLink[] {
  const links: readonly GuardedLink[] = [
    { action: 'admin.visit', label: 'Admin', to: pagePath('admin-page', {}), icon: 'shield' },
    { action: 'users.manage', label: 'Users', to: pagePath('users-page', {}), icon: 'people' },
  ];
  return allowedLinks(links, viewer);
}

function allowedLinks(links: readonly GuardedLink[], viewer: Viewer, orgId?: string): SiteLink[] {
  // Keeps links to pages that need a second step: those pages ask for it.
  const actor = actorOf({ ...viewer, inert: undefined });
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

function bookPages(orgId: string): GuardedLink[] {
  const params = { orgid: orgId };
  const action = 'books.read';
  return [
    { action, label: 'Payouts', to: pagePath('payouts-page', params), icon: 'list' },
    { action, label: 'Statements', to: pagePath('statement-page', params), icon: 'history' },
    { action: 'grants.read', label: 'Grants', to: pagePath('grants-page', params), icon: 'home' },
  ];
}

function storyPages(orgId: string): GuardedLink[] {
  const params = { orgid: orgId };
  const action = 'stories.edit';
  return [
    { action, label: 'Offsetters', to: pagePath('review-page', params), icon: 'heart' },
    { action, label: 'Awardees', to: pagePath('edit-awardees-page', params), icon: 'medal' },
    { action, label: 'Installers', to: pagePath('edit-installers-page', params), icon: 'tools' },
  ];
}

function activityPage(orgId: string): GuardedLink {
  return {
    action: 'activity.read',
    label: 'Activity',
    to: pagePath('activity-page', { orgid: orgId }),
    icon: 'shield',
  };
}
