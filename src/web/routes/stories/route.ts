import type { PageParams } from '#contract/pages.ts';
import type { Cell } from '#contract/schemas/cells.ts';
import type { Neighbors, Profile } from '#contract/schemas/stories.ts';
import type { ApiClient } from '#web/api/client.ts';
import { loadCells } from '#web/api/page-cells.ts';
import { type OrgPageName, orgPage, type Page } from '#web/site/page.ts';
import {
  type CardStory,
  cardStory,
  LISTED_STORIES,
  loadStories,
  type StoryKind,
  type StoryList,
} from '#web/stories/story-kinds.ts';

export type StoryListData = { readonly kind: StoryKind; readonly intro: Cell; readonly list: StoryList };
export type StoryData = {
  readonly kind: StoryKind;
  readonly profile: Profile;
  readonly neighbors: Neighbors;
  /** To read next. */
  readonly more: readonly CardStory[];
};

export const STORY_PAGES: readonly Page[] = [
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

function listPage(kind: StoryKind): Page {
  const page = orgPage(
    `${kind}-page`,
    async () => (await import('./story-list-page.tsx')).StoryListPage,
    async ({ api, params: { orgid } }): Promise<StoryListData> => {
      const [cells, list] = await Promise.all([
        loadCells(api, orgid, kind),
        loadStories(api, orgid, kind, { max: LISTED_STORIES }),
      ]);
      return { kind, intro: cells.intro, list };
    },
  );
  return { ...page, module: 'story-list-page' };
}

function storyPage<Name extends OrgPageName>(
  name: Name,
  kind: StoryKind,
  calls: (api: ApiClient, params: PageParams<Name>) => readonly [Promise<Profile>, Promise<Neighbors>, orgid: string],
): Page {
  const page = orgPage(
    name,
    async () => (await import('./story-page.tsx')).StoryPage,
    async ({ api, params }): Promise<StoryData> => {
      const [asked, beside, orgid] = calls(api, params);
      const [profile, neighbors] = await Promise.all([asked, beside]);
      // Asked last: of a story that is gone, there is nothing after it.
      return { kind, profile, neighbors, more: await moreStories(api, kind, orgid, profile.id) };
    },
  );
  return { ...page, module: 'story-page' };
}

const MORE = 3;

/** The next three in the list; at its end, the newest ones too. None if they cannot be read: the story itself can. */
async function moreStories(api: ApiClient, kind: StoryKind, orgid: string, id: string): Promise<CardStory[]> {
  try {
    const next = await loadStories(api, orgid, kind, { max: MORE, cursorRef: id });
    const newest = next.items.length < MORE ? (await loadStories(api, orgid, kind, { max: 2 * MORE })).items : [];
    const known = new Set([id, ...next.items.map((story) => story.id)]);
    return [...next.items, ...newest.filter((story) => !known.has(story.id))].slice(0, MORE).map(cardStory);
  } catch {
    return [];
  }
}
