import type { PageParams } from '#contract/pages.ts';
import type { Cell } from '#contract/schemas/cells.ts';
import type { Neighbors, Profile } from '#contract/schemas/stories.ts';
import type { ApiClient, LoadedPage } from '#web/api/client.ts';
import { loadCells } from '#web/api/page-cells.ts';
import { type OrgPageName, orgPage, type PageRoute } from '#web/site/page.ts';
import {
  type CardStory,
  loadStories,
  STORIES_PER_PAGE,
  type StoryKind,
  toCardStory,
} from '#web/stories/story-kinds.ts';

export type StoryListData = { readonly kind: StoryKind; readonly intro: Cell; readonly list: LoadedPage<Profile> };
export type StoryData = {
  readonly kind: StoryKind;
  readonly profile: Profile;
  readonly neighbors: Neighbors;
  /** Stories to read next. */
  readonly nextStories: readonly CardStory[];
};

export const STORY_PAGES: readonly PageRoute[] = [
  listPage('offsetters'),
  storyPage('offsetter-page', 'offsetters', (api, params) => [
    api.call('readOffsetter', { params }),
    api.call('readOffsetterNeighbors', { params }),
    params.orgid,
  ]),
  listPage('awardees'),
  storyPage('awardee-page', 'awardees', (api, params) => [
    api.call('readAwardee', { params }),
    api.call('readAwardeeNeighbors', { params }),
    params.orgid,
  ]),
  listPage('installers'),
  storyPage('installer-page', 'installers', (api, params) => [
    api.call('readInstaller', { params }),
    api.call('readInstallerNeighbors', { params }),
    params.orgid,
  ]),
];

function listPage(kind: StoryKind): PageRoute {
  const page = orgPage(
    `${kind}-page`,
    async () => (await import('./story-list-page.tsx')).StoryListPage,
    async ({ api, params: { orgid: orgId } }): Promise<StoryListData> => {
      const [cells, list] = await Promise.all([
        loadCells(api, orgId, kind),
        loadStories(api, orgId, kind, { max: STORIES_PER_PAGE }),
      ]);
      return { kind, intro: cells.intro, list };
    },
  );
  return { ...page, module: 'story-list-page' };
}

function storyPage<Name extends OrgPageName>(
  name: Name,
  kind: StoryKind,
  makeCalls: (
    api: ApiClient,
    params: PageParams<Name>,
  ) => readonly [Promise<Profile>, Promise<Neighbors>, orgId: string],
): PageRoute {
  const page = orgPage(
    name,
    async () => (await import('./story-page.tsx')).StoryPage,
    async ({ api, params }): Promise<StoryData> => {
      const [profileCall, neighborsCall, orgId] = makeCalls(api, params);
      const [profile, neighbors] = await Promise.all([profileCall, neighborsCall]);
      // Loaded last, since a missing story has no next stories.
      return { kind, profile, neighbors, nextStories: await loadMoreStories(api, kind, orgId, profile.id) };
    },
  );
  return { ...page, module: 'story-page' };
}

const MORE_STORIES = 3;

/**
 * The next three stories in the list and, near its end, also the newest ones. Empty on failure, so that the story
 * itself still appears.
 */
async function loadMoreStories(api: ApiClient, kind: StoryKind, orgId: string, id: string): Promise<CardStory[]> {
  try {
    const nextPage = await loadStories(api, orgId, kind, { max: MORE_STORIES, cursorRef: id });
    const newest =
      nextPage.items.length < MORE_STORIES
        ? (await loadStories(api, orgId, kind, { max: 2 * MORE_STORIES })).items
        : [];
    const usedIds = new Set([id, ...nextPage.items.map((story) => story.id)]);
    return [...nextPage.items, ...newest.filter((story) => !usedIds.has(story.id))]
      .slice(0, MORE_STORIES)
      .map(toCardStory);
  } catch {
    return [];
  }
}
