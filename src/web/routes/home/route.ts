import type { Profile } from '#contract/schemas/stories.ts';
import type { ApiClient } from '#web/api/client.ts';
import { loadCells, type PageCells } from '#web/api/page-cells.ts';
import { orgPage, type Page } from '#web/site/page.ts';
import { loadStories, type StoryKind } from '#web/stories/story-kinds.ts';

/** How many stories of each kind the home page shows. */
const STORIES_ON_HOME = 2;

export type HomeData = {
  readonly cells: PageCells<'home'>;
  readonly stories: Readonly<Record<StoryKind, readonly Profile[]>>;
  /** The checkout that was canceled on the payment page, whose cart is restored (decisions §3). */
  readonly cancelledCheckoutId: string | undefined;
};

export const HOME_PAGES: readonly Page[] = [
  orgPage(
    'home-page',
    async () => (await import('./home-page.tsx')).HomePage,
    async ({ api, params, search }) => ({
      ...(await loadHome(api, params.orgid)),
      cancelledCheckoutId: search.cancelled,
    }),
    ({ cancelled }) => ({ cancelledCheckoutId: cancelled }),
  ),
  orgPage(
    'group-page',
    async () => (await import('./group/group-page.tsx')).GroupPage,
    () => ({}),
  ),
];

async function loadHome(api: ApiClient, orgid: string): Promise<Omit<HomeData, 'cancelledCheckoutId'>> {
  const few = { max: STORIES_ON_HOME };
  const [cells, offsetters, installers, awardees] = await Promise.all([
    loadCells(api, orgid, 'home'),
    loadStories(api, orgid, 'offsetters', few),
    loadStories(api, orgid, 'installers', few),
    loadStories(api, orgid, 'awardees', few),
  ]);
  return { cells, stories: { offsetters: offsetters.items, installers: installers.items, awardees: awardees.items } };
}
