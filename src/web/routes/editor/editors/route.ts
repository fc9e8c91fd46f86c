import type { ApiClient } from '#web/api/client.ts';
import { callQuery, loadQuery } from '#web/api/queries.ts';
import { type Can, getPermissions } from '#web/session/actor.ts';
import { guardedOrgPage } from '#web/site/guarded-page.ts';
import type { PageRoute } from '#web/site/page.ts';

/** Opens the dialog that adds an editor. */
export const INVITE_HASH = '#invite';

export const EDITORS_PAGES: readonly PageRoute[] = [
  guardedOrgPage('editors-page', {
    can: 'editors.read',
    component: async () => (await import('./editors-page.tsx')).EditorsPage,
    load: ({ api, params: { orgid: orgId }, session }) => {
      const emailChoices = emailChoicesQuery(api, orgId, getPermissions(session.now(), orgId));
      return Promise.all([loadQuery(teamQuery(api, orgId)), emailChoices && loadQuery(emailChoices)]);
    },
  }),
];

export function teamQuery(api: ApiClient, orgId: string) {
  return callQuery(api, 'readEditors', { params: { orgid: orgId } });
}

/** @returns undefined for users without a role */
export function emailChoicesQuery(api: ApiClient, orgId: string, can: Can) {
  return can('area.visit') ? callQuery(api, 'readEmailChoices', { params: { orgid: orgId } }) : undefined;
}
