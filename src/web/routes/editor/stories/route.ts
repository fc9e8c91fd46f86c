import type { EditorialStory } from '#contract/schemas/editorial-stories.ts';
import type { QueryInput } from '#contract/schemas.ts';
import type { StoryStatus } from '#domain/profile.ts';
import type { EditorialKind } from '#domain/story-publication.ts';
import type { ApiClient } from '#web/api/client.ts';
import { callQuery, listQuery, loadList, loadQuery } from '#web/api/queries.ts';
import type { Search } from '#web/navigation/address.ts';
import { withSearch } from '#web/navigation/with-search.ts';
import { guardedOrgPage } from '#web/site/guarded-page.ts';
import type { PageRoute } from '#web/site/page.ts';
import { reviewQuery } from '../queries.ts';

export type EditorialListData = { readonly kind: EditorialKind; readonly filter: EditorialFilter };
export type ReviewData = { readonly filter: ReviewedFilter };
export type EditorialStoryData = {
  readonly kind: EditorialKind;
  /** Undefined for a new story. */
  readonly storyId: string | undefined;
};

/** Replaces the id in the URL of a new story. */
export const NEW_STORY = 'new';

const loadListPage = async () => (await import('./editorial-list-page.tsx')).EditorialListPage;
const loadFormPage = async () => (await import('./editorial-form-page.tsx')).EditorialFormPage;

const toStoryProps = (kind: EditorialKind, id: string): EditorialStoryData => ({
  kind,
  storyId: id === NEW_STORY ? undefined : id,
});

export const EDIT_STORY_PAGES: readonly PageRoute[] = [
  guardedOrgPage('review-page', {
    can: 'stories.edit',
    component: async () => (await import('./review-page.tsx')).ReviewPage,
    props: ({ search }): ReviewData => ({ filter: parseReviewedFilter(search) }),
    load: ({ api, params: { orgid: orgId } }, { filter }) =>
      Promise.all([
        loadQuery(reviewQuery(api, orgId)),
        loadList(waitingQuery(api, orgId)),
        loadList(reviewedQuery(api, orgId, filter)),
      ]),
  }),
  guardedOrgPage('edit-awardees-page', {
    can: 'stories.edit',
    component: loadListPage,
    props: ({ search }): EditorialListData => ({ kind: 'awardee', filter: parseEditorialFilter(search) }),
    load: ({ api, params }, props) => loadEditorialStories(api, params.orgid, props),
  }),
  guardedOrgPage('edit-awardee-page', {
    can: 'stories.edit',
    component: loadFormPage,
    props: ({ params }) => toStoryProps('awardee', params.awardeeid),
    load: ({ api, params }, props) => loadStory(api, params.orgid, props),
  }),
  guardedOrgPage('edit-installers-page', {
    can: 'stories.edit',
    component: loadListPage,
    props: ({ search }): EditorialListData => ({ kind: 'installer', filter: parseEditorialFilter(search) }),
    load: ({ api, params }, props) => loadEditorialStories(api, params.orgid, props),
  }),
  guardedOrgPage('edit-installer-page', {
    can: 'stories.edit',
    component: loadFormPage,
    props: ({ params }) => toStoryProps('installer', params.installerid),
    load: ({ api, params }, props) => loadStory(api, params.orgid, props),
  }),
];

type Upload = { readonly form: FormData; readonly onProgress: (fraction: number) => void };

export function createEditorialApi(api: ApiClient, kind: EditorialKind, orgId: string) {
  const isAwardee = kind === 'awardee';
  const toAwardeeParams = (id: string) => ({ orgid: orgId, awardeeid: id });
  const toInstallerParams = (id: string) => ({ orgid: orgId, installerid: id });
  return {
    create: (upload: Upload): Promise<EditorialStory> =>
      api.upload(isAwardee ? 'createAwardee' : 'createInstaller', { params: { orgid: orgId }, ...upload }),
    edit: (id: string, upload: Upload): Promise<EditorialStory> =>
      isAwardee
        ? api.upload('editAwardee', { params: toAwardeeParams(id), ...upload })
        : api.upload('editInstaller', { params: toInstallerParams(id), ...upload }),
    setStatus: (id: string, status: StoryStatus): Promise<EditorialStory> =>
      isAwardee
        ? api.call('setAwardeeStatus', { params: toAwardeeParams(id), body: { status } })
        : api.call('setInstallerStatus', { params: toInstallerParams(id), body: { status } }),
    remove: async (id: string): Promise<void> => {
      if (isAwardee) await api.call('deleteAwardee', { params: toAwardeeParams(id) });
      else await api.call('deleteInstaller', { params: toInstallerParams(id) });
    },
  };
}

/** Search of a story list, as stored in the URL. */
export type StoryFilter<Status extends string> = { readonly status: Status; readonly query: string };

const EDITORIAL_STATUSES = ['all', 'draft', 'published', 'hidden'] as const;
const REVIEWED_STATUSES = ['decided', 'published', 'hidden'] as const;
export type EditorialFilter = StoryFilter<(typeof EDITORIAL_STATUSES)[number]>;
export type ReviewedFilter = StoryFilter<(typeof REVIEWED_STATUSES)[number]>;

export const ALL_STORIES: EditorialFilter = { status: 'all', query: '' };
export const ALL_REVIEWED: ReviewedFilter = { status: 'decided', query: '' };

function parseReviewedFilter({ status, query = '' }: Search): ReviewedFilter {
  return { status: REVIEWED_STATUSES.find((name) => name === status) ?? ALL_REVIEWED.status, query };
}

function parseEditorialFilter({ status, query = '' }: Search): EditorialFilter {
  return { status: EDITORIAL_STATUSES.find((name) => name === status) ?? ALL_STORIES.status, query };
}

/** @param defaultFilter is omitted from the URL */
export function storiesUrl<Status extends string>(
  path: string,
  { status, query }: StoryFilter<Status>,
  defaultFilter: StoryFilter<Status>,
): string {
  return withSearch(path, { status: status === defaultFilter.status ? undefined : status, query });
}

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

function loadEditorialStories(api: ApiClient, orgId: string, { kind, filter }: EditorialListData): Promise<void> {
  return loadList(editorialListQuery(api, kind, orgId, filter));
}

async function loadStory(api: ApiClient, orgId: string, { kind, storyId }: EditorialStoryData): Promise<void> {
  if (storyId !== undefined) await loadQuery(editorialStoryQuery(api, kind, orgId, storyId));
}

/** Stories to review, oldest first. */
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
