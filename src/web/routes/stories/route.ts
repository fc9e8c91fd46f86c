import type { PageParams } from '#contract/pages.ts';
import type { Cell } from '#contract/schemas/cells.ts';
import type { Neighbors, Profile } from '#contract/schemas/stories.ts';
import type { ApiClient } from '#web/api/client.ts';
import { loadCells } from '#web/api/page-cells.ts';
import { type OrgPageName, orgPage, type Page } from '#web/site/page.ts';
import { loadStories, type StoryKind, type StoryList } from '#web/stories/story-kinds.ts';

export type StoryListData = { readonly kind: StoryKind; readonly intro: Cell; readonly list: StoryList };
export type StoryData = { readonly kind: StoryKind; readonly profile: Profile; readonly neighbors: Neighbors };

export const STORY_PAGES: readonly Page[] = [
  listPage('offsetters'),
  storyPage('offsetter-page', 'offsetters', (api, params) => [
    api.call('readOffsetter', { params }),
    api.call('readOffsetterNeighbors', { params }),
  ]),
  listPage('awardees'),
  storyPage('awardee-page', 'awardees', (api, params) => [
    api.call('readAwardee', { params }),
    api.call('readAwardeeNeighbors', { params }),
  ]),
  listPage('installers'),
  storyPage('installer-page', 'installers', (api, params) => [
    api.call('readInstaller', { params }),
    api.call('readInstallerNeighbors', { params }),
  ]),
];

function listPage(kind: StoryKind): Page {
  const page = orgPage(
    `${kind}-page`,
    async () => (await import('./story-list-page.tsx')).StoryListPage,
    async ({ api, params: { orgid } }): Promise<StoryListData> => {
      const [cells, list] = await Promise.all([loadCells(api, orgid, kind), loadStories(api, orgid, kind, {})]);
      return { kind, intro: cells.intro, list };
    },
  );
  return { ...page, module: 'story-list-page' };
}

function storyPage<Name extends OrgPageName>(
  name: Name,
  kind: StoryKind,
  calls: (api: ApiClient, params: PageParams<Name>) => [Promise<Profile>, Promise<Neighbors>],
): Page {
  const page = orgPage(
    name,
    async () => (await import('./story-page.tsx')).StoryPage,
    async ({ api, params }): Promise<StoryData> => {
      const [profile, neighbors] = await Promise.all(calls(api, params));
      return { kind, profile, neighbors };
    },
  );
  return { ...page, module: 'story-page' };
}
