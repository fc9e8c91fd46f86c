import type { EditorialStory } from '#contract/schemas/editorial-stories.ts';
import type { QueryInput } from '#contract/schemas.ts';
import type { StoryStatus } from '#domain/profile.ts';
import type { EditorialKind } from '#domain/story-publication.ts';
import type { ApiClient } from '#web/api/client.ts';
import { callQuery, listQuery, loadList, loadQuery } from '#web/api/queries.ts';
import { orgPage, type PageRoute } from '#web/site/page.ts';
import { reviewQuery } from '../queries.ts';

export type EditorialListData = { readonly kind: EditorialKind };
export type EditorialStoryData = {
  readonly kind: EditorialKind;
  /** Undefined for a story that is being added. */
  readonly storyId: string | undefined;
};

/** Replaces the id in the address of a story that is being added. */
export const NEW_STORY = 'new';

const listPage = async () => (await import('./editorial-list-page.tsx')).EditorialListPage;
const formPage = async () => (await import('./editorial-form-page.tsx')).EditorialFormPage;

export const EDIT_STORY_PAGES: readonly PageRoute[] = [
  {
    guard: 'stories.edit',
    ...orgPage(
      'review-page',
      async () => (await import('./review-page.tsx')).ReviewPage,
      async ({ api, params }) => {
        await loadReview(api, params.orgid);
        return {};
      },
    ),
  },
  {
    guard: 'stories.edit',
    ...orgPage('edit-awardees-page', listPage, ({ api, params }) => loadStories(api, 'awardee', params.orgid)),
  },
  {
    guard: 'stories.edit',
    ...orgPage('edit-awardee-page', formPage, ({ api, params }) =>
      loadStory(api, 'awardee', params.orgid, params.awardeeid),
    ),
  },
  {
    guard: 'stories.edit',
    ...orgPage('edit-installers-page', listPage, ({ api, params }) => loadStories(api, 'installer', params.orgid)),
  },
  {
    guard: 'stories.edit',
    ...orgPage('edit-installer-page', formPage, ({ api, params }) =>
      loadStory(api, 'installer', params.orgid, params.installerid),
    ),
  },
];

type Upload = { readonly form: FormData; readonly onProgress: (fraction: number) => void };

export function editorialCalls(api: ApiClient, kind: EditorialKind, orgId: string) {
  const isAwardee = kind === 'awardee';
  const awardee = (id: string) => ({ orgid: orgId, awardeeid: id });
  const installer = (id: string) => ({ orgid: orgId, installerid: id });
  return {
    create: (upload: Upload): Promise<EditorialStory> =>
      api.upload(isAwardee ? 'createAwardee' : 'createInstaller', { params: { orgid: orgId }, ...upload }),
    edit: (id: string, upload: Upload): Promise<EditorialStory> =>
      isAwardee
        ? api.upload('editAwardee', { params: awardee(id), ...upload })
        : api.upload('editInstaller', { params: installer(id), ...upload }),
    setStatus: (id: string, status: StoryStatus): Promise<EditorialStory> =>
      isAwardee
        ? api.call('setAwardeeStatus', { params: awardee(id), body: { status } })
        : api.call('setInstallerStatus', { params: installer(id), body: { status } }),
    remove: async (id: string): Promise<void> => {
      if (isAwardee) await api.call('deleteAwardee', { params: awardee(id) });
      else await api.call('deleteInstaller', { params: installer(id) });
    },
  };
}

export type StoryFilter<Status extends string> = { readonly status: Status; readonly query: string };
export type EditorialFilter = StoryFilter<StoryStatus | 'all'>;
export type ReviewedFilter = StoryFilter<'decided' | 'published' | 'hidden'>;

export const ALL_STORIES: EditorialFilter = { status: 'all', query: '' };
export const ALL_REVIEWED: ReviewedFilter = { status: 'decided', query: '' };

export function editorialListQuery(api: ApiClient, kind: EditorialKind, orgId: string, filter: EditorialFilter) {
  const call = kind === 'awardee' ? 'readAwardeesToEdit' : 'readInstallersToEdit';
  const { status, query: name } = filter;
  const query = { ...(status === 'all' ? {} : { status }), ...(name === '' ? {} : { query: name }) };
  return listQuery(api, call, { params: { orgid: orgId }, query }, { keepsRows: true });
}

export function editorialStoryQuery(api: ApiClient, kind: EditorialKind, orgId: string, id: string) {
  return kind === 'awardee'
    ? callQuery(api, 'readAwardeeToEdit', { params: { orgid: orgId, awardeeid: id } })
    : callQuery(api, 'readInstallerToEdit', { params: { orgid: orgId, installerid: id } });
}

async function loadStories(api: ApiClient, kind: EditorialKind, orgId: string): Promise<EditorialListData> {
  await loadList(editorialListQuery(api, kind, orgId, ALL_STORIES));
  return { kind };
}

async function loadStory(api: ApiClient, kind: EditorialKind, orgId: string, id: string): Promise<EditorialStoryData> {
  if (id === NEW_STORY) return { kind, storyId: undefined };
  await loadQuery(editorialStoryQuery(api, kind, orgId, id));
  return { kind, storyId: id };
}

/** Stories waiting for review; the longest wait comes first. */
export function waitingQuery(api: ApiClient, orgId: string) {
  return offsettersQuery(api, orgId, { state: 'waiting', order: 'asc' });
}

/** Stories that are published or hidden. */
export function reviewedQuery(api: ApiClient, orgId: string, { status, query }: ReviewedFilter) {
  return offsettersQuery(api, orgId, { state: status, ...(query === '' ? {} : { query }) });
}

function offsettersQuery(api: ApiClient, orgId: string, query: QueryInput<'readOffsettersToReview'>) {
  return listQuery(api, 'readOffsettersToReview', { params: { orgid: orgId }, query }, { keepsRows: true });
}

async function loadReview(api: ApiClient, orgId: string): Promise<void> {
  await Promise.all([
    loadQuery(reviewQuery(api, orgId)),
    loadList(waitingQuery(api, orgId)),
    loadList(reviewedQuery(api, orgId, ALL_REVIEWED)),
  ]);
}
