import type { FreeMoneyAnswer, Grant } from '#contract/schemas/grants.ts';
import { can } from '#domain/permissions.ts';
import type { ApiClient } from '#web/api/client.ts';
import type { ListPage } from '#web/api/use-list.ts';
import { actorOf } from '#web/session/actor.ts';
import { orgPage, type Page } from '#web/site/page.ts';

/** The home whose grants are shown. */
export type Home = { readonly id: string; readonly name: string };

export type GrantsData = {
  readonly grants: ListPage<Grant>;
  /** Undefined where all homes are shown. */
  readonly home: Home | undefined;
  /** The names of the installers that have a page: who is named so is linked to it. */
  readonly installers: readonly string[];
  /** Undefined for a role that does not see the money. */
  readonly free: FreeMoneyAnswer | undefined;
};

/** More than one call gives are not suggested, and still linked. */
const MOST_INSTALLERS = 50;

export const GRANTS_PAGES: readonly Page[] = [
  {
    guard: 'grants.read',
    ...orgPage(
      'grants-page',
      async () => (await import('./grants-page.tsx')).GrantsPage,
      async ({ api, params: { orgid }, search: { home }, session }): Promise<GrantsData> => {
        const actor = actorOf(session.now());
        const [grants, free, awardee, installers] = await Promise.all([
          loadGrants(api, orgid, home),
          can(actor, 'books.read', { orgId: orgid }) ? api.call('readFreeMoney', { params: { orgid } }) : undefined,
          home !== undefined && can(actor, 'stories.edit', { orgId: orgid })
            ? api.call('readAwardeeToEdit', { params: { orgid, awardeeid: home } })
            : undefined,
          api.call('readInstallers', { params: { orgid }, query: { max: MOST_INSTALLERS } }),
        ]);
        const name = awardee?.name ?? grants.items[0]?.awardee ?? '';
        return {
          grants,
          free,
          home: home === undefined ? undefined : { id: home, name },
          installers: [...new Set(installers.map((installer) => installer.name))],
        };
      },
    ),
  },
];

export function loadGrants(
  api: ApiClient,
  orgid: string,
  home: string | undefined,
  cursorRef?: string,
): Promise<ListPage<Grant>> {
  const query = {
    ...(home === undefined ? {} : { awardeeid: home }),
    ...(cursorRef === undefined ? {} : { cursorRef }),
  };
  return api.list('readGrants', { params: { orgid }, query });
}
