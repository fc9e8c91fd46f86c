import type { Cell } from '#contract/schemas/cells.ts';
import type { Neighbours, Profile } from '#contract/schemas/stories.ts';
import type { ApiClient } from '#web/api/client.ts';
import { loadCells } from '#web/api/page-cells.ts';
import { orgPage, type Page } from '#web/site/page.ts';
import { loadStories, type StoryKind, type StoryList } from '#web/stories/load-stories.ts';

export type StoryListData = { readonly intro: Cell; readonly list: StoryList };
export type StoryData = { readonly profile: Profile; readonly neighbours: Neighbours };

export const STORY_PAGES: readonly Page[] = [
  orgPage(
    'offsetters-page',
    async () => (await import('./offsetters-page.tsx')).OffsettersPage,
    ({ api, params }) => loadStoryList(api, params.orgid, 'offsetters'),
  ),
  orgPage(
    'offsetter-page',
    async () => (await import('./offsetter-page.tsx')).OffsetterPage,
    ({ api, params }) => loadStory(api, params.orgid, 'offsetters', params.offsetterid),
  ),
  orgPage(
    'awardees-page',
    async () => (await import('./awardees-page.tsx')).AwardeesPage,
    ({ api, params }) => loadStoryList(api, params.orgid, 'awardees'),
  ),
  orgPage(
    'awardee-page',
    async () => (await import('./awardee-page.tsx')).AwardeePage,
    ({ api, params }) => loadStory(api, params.orgid, 'awardees', params.awardeeid),
  ),
  orgPage(
    'installers-page',
    async () => (await import('./installers-page.tsx')).InstallersPage,
    ({ api, params }) => loadStoryList(api, params.orgid, 'installers'),
  ),
  orgPage(
    'installer-page',
    async () => (await import('./installer-page.tsx')).InstallerPage,
    ({ api, params }) => loadStory(api, params.orgid, 'installers', params.installerid),
  ),
];

async function loadStoryList(api: ApiClient, orgid: string, kind: StoryKind): Promise<StoryListData> {
  const [cells, list] = await Promise.all([loadCells(api, orgid, kind), loadStories(api, orgid, kind, {})]);
  return { intro: cells.intro, list };
}

async function loadStory(api: ApiClient, orgid: string, kind: StoryKind, id: string): Promise<StoryData> {
  const [profile, neighbours] = await Promise.all(storyCalls(api, orgid, kind, id));
  return { profile, neighbours };
}

function storyCalls(
  api: ApiClient,
  orgid: string,
  kind: StoryKind,
  id: string,
): [Promise<Profile>, Promise<Neighbours>] {
  if (kind === 'offsetters') {
    const params = { orgid, offsetterid: id };
    return [api.call('readOffsetter', { params }), api.call('readOffsetterNeighbours', { params })];
  }
  if (kind === 'awardees') {
    const params = { orgid, awardeeid: id };
    return [api.call('readAwardee', { params }), api.call('readAwardeeNeighbours', { params })];
  }
  const params = { orgid, installerid: id };
  return [api.call('readInstaller', { params }), api.call('readInstallerNeighbours', { params })];
}
