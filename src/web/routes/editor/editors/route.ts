import { can } from '#domain/permissions.ts';
import type { ApiClient } from '#web/api/client.ts';
import { callQuery, loadQuery } from '#web/api/queries.ts';
import { actorOf } from '#web/session/actor.ts';
import { orgPage, type PageRoute } from '#web/site/page.ts';

export const EDITORS_PAGES: readonly PageRoute[] = [
  {
    guard: 'editors.read',
    ...orgPage(
      'editors-page',
      async () => (await import('./editors-page.tsx')).EditorsPage,
      async ({ api, params: { orgid }, session }) => {
        const hasRole = can(actorOf(session.now()), 'area.visit', { orgId: orgid });
        await Promise.all([
          loadQuery(teamQuery(api, orgid)),
          ...(hasRole ? [loadQuery(emailChoicesQuery(api, orgid))] : []),
        ]);
        return {};
      },
    ),
  },
];

export function teamQuery(api: ApiClient, orgId: string) {
  return callQuery(api, 'readEditors', { params: { orgid: orgId } });
}

/** Only for people with a role. */
export function emailChoicesQuery(api: ApiClient, orgId: string) {
  return callQuery(api, 'readEmailChoices', { params: { orgid: orgId } });
}
