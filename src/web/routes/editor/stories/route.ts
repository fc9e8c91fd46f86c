import type { EditorialStory } from '#contract/schemas/editorial-stories.ts';
import type { ReviewedOffsetter } from '#contract/schemas/review.ts';
import type { Answer, QueryInput } from '#contract/schemas.ts';
import type { StoryStatus } from '#domain/profile.ts';
import type { EditorialKind } from '#domain/story-publication.ts';
import type { ApiClient } from '#web/api/client.ts';
import type { ListPage } from '#web/api/use-list.ts';
import { orgPage, type Page } from '#web/site/page.ts';

export type EditorialListData = { readonly kind: EditorialKind; readonly list: ListPage<EditorialStory> };
/** The story is undefined while it is being added. */
export type EditorialStoryData = { readonly kind: EditorialKind; readonly story: EditorialStory | undefined };
export type ReviewData = {
  readonly review: Answer<'readReview'>;
  readonly waiting: ListPage<ReviewedOffsetter>;
  readonly decided: ListPage<ReviewedOffsetter>;
};

/** In the address, instead of an id: a story that is being added. */
export const NEW_STORY = 'new';

type EditorialQuery = QueryInput<'readAwardeesToEdit'>;
type ReviewQuery = QueryInput<'readOffsettersToReview'>;

const listPage = async () => (await import('./editorial-list-page.tsx')).EditorialListPage;
const formPage = async () => (await import('./editorial-form-page.tsx')).EditorialFormPage;

export const EDIT_STORY_PAGES: readonly Page[] = [
  {
    guard: 'stories.edit',
    ...orgPage(
      'review-page',
      async () => (await import('./review-page.tsx')).ReviewPage,
      ({ api, params }) => loadReview(api, params.orgid),
    ),
  },
  {
    guard: 'stories.edit',
    ...orgPage('edit-awardees-page', listPage, ({ api, params }) => loadList(api, 'awardee', params.orgid)),
  },
  {
    guard: 'stories.edit',
    ...orgPage('edit-awardee-page', formPage, ({ api, params }) =>
      loadStory(api, 'awardee', params.orgid, params.awardeeid),
    ),
  },
  {
    guard: 'stories.edit',
    ...orgPage('edit-installers-page', listPage, ({ api, params }) => loadList(api, 'installer', params.orgid)),
  },
  {
    guard: 'stories.edit',
    ...orgPage('edit-installer-page', formPage, ({ api, params }) =>
      loadStory(api, 'installer', params.orgid, params.installerid),
    ),
  },
];

type Upload = { readonly form: FormData; readonly onProgress: (fraction: number) => void };

export function editorialCalls(api: ApiClient, kind: EditorialKind, orgid: string) {
  const isAwardee = kind === 'awardee';
  const awardee = (id: string) => ({ orgid, awardeeid: id });
  const installer = (id: string) => ({ orgid, installerid: id });
  return {
    list: (query: EditorialQuery): Promise<ListPage<EditorialStory>> =>
      api.list(isAwardee ? 'readAwardeesToEdit' : 'readInstallersToEdit', { params: { orgid }, query }),
    read: (id: string): Promise<EditorialStory> =>
      isAwardee
        ? api.call('readAwardeeToEdit', { params: awardee(id) })
        : api.call('readInstallerToEdit', { params: installer(id) }),
    create: (sent: Upload): Promise<EditorialStory> =>
      api.upload(isAwardee ? 'createAwardee' : 'createInstaller', { params: { orgid }, ...sent }),
    edit: (id: string, sent: Upload): Promise<EditorialStory> =>
      isAwardee
        ? api.upload('editAwardee', { params: awardee(id), ...sent })
        : api.upload('editInstaller', { params: installer(id), ...sent }),
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

async function loadList(api: ApiClient, kind: EditorialKind, orgid: string): Promise<EditorialListData> {
  return { kind, list: await editorialCalls(api, kind, orgid).list({}) };
}

async function loadStory(api: ApiClient, kind: EditorialKind, orgid: string, id: string): Promise<EditorialStoryData> {
  return { kind, story: id === NEW_STORY ? undefined : await editorialCalls(api, kind, orgid).read(id) };
}

export function loadOffsetters(
  api: ApiClient,
  orgid: string,
  query: ReviewQuery,
): Promise<ListPage<ReviewedOffsetter>> {
  return api.list('readOffsettersToReview', { params: { orgid }, query });
}

async function loadReview(api: ApiClient, orgid: string): Promise<ReviewData> {
  const [review, waiting, decided] = await Promise.all([
    api.call('readReview', { params: { orgid } }),
    loadOffsetters(api, orgid, { standing: 'waiting', order: 'asc' }),
    loadOffsetters(api, orgid, { standing: 'decided' }),
  ]);
  return { review, waiting, decided };
}
