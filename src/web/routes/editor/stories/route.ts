import type { EditorialStory } from '#contract/schemas/editorial-stories.ts';
import type { ReviewedOffsetter } from '#contract/schemas/review.ts';
import type { Answer, SentQuery } from '#contract/schemas.ts';
import type { StoryStatus } from '#domain/profile.ts';
import type { EditorialKind } from '#domain/story-publication.ts';
import type { ApiClient } from '#web/api/client.ts';
import { orgPage, type Page } from '#web/site/page.ts';

export type Part<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | undefined };
export type ToldListData = { readonly list: Part<EditorialStory> };
/** Nothing where the story is still to be made. */
export type ToldStoryData = { readonly story: EditorialStory | undefined };
export type ReviewData = {
  readonly review: Answer<'readReview'>;
  readonly waiting: Part<ReviewedOffsetter>;
  readonly decided: Part<ReviewedOffsetter>;
};

/** The id of a story that is still to be made, in its page's address. */
export const NEW_STORY = 'new';

export type ToldQuery = SentQuery<'readAwardeesToEdit'>;
export type ReviewQuery = SentQuery<'readOffsettersToReview'>;

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
    ...orgPage(
      'edit-awardees-page',
      async () => (await import('./edit-awardees-page.tsx')).EditAwardeesPage,
      ({ api, params }) => loadToldList(api, 'awardee', params.orgid),
    ),
  },
  {
    guard: 'stories.edit',
    ...orgPage(
      'edit-awardee-page',
      async () => (await import('./edit-awardee-page.tsx')).EditAwardeePage,
      ({ api, params }) => loadToldStory(api, 'awardee', params.orgid, params.awardeeid),
    ),
  },
  {
    guard: 'stories.edit',
    ...orgPage(
      'edit-installers-page',
      async () => (await import('./edit-installers-page.tsx')).EditInstallersPage,
      ({ api, params }) => loadToldList(api, 'installer', params.orgid),
    ),
  },
  {
    guard: 'stories.edit',
    ...orgPage(
      'edit-installer-page',
      async () => (await import('./edit-installer-page.tsx')).EditInstallerPage,
      ({ api, params }) => loadToldStory(api, 'installer', params.orgid, params.installerid),
    ),
  },
];

type Upload = { readonly form: FormData; readonly onProgress: (fraction: number) => void };

/** The calls about awardees or about installers: they are the same for each kind. */
export function toldCalls(api: ApiClient, kind: EditorialKind, orgid: string) {
  const isAwardee = kind === 'awardee';
  const awardee = (id: string) => ({ orgid, awardeeid: id });
  const installer = (id: string) => ({ orgid, installerid: id });
  return {
    list: (query: ToldQuery): Promise<Part<EditorialStory>> =>
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

export type ToldCalls = ReturnType<typeof toldCalls>;

export async function loadToldList(api: ApiClient, kind: EditorialKind, orgid: string): Promise<ToldListData> {
  return { list: await toldCalls(api, kind, orgid).list({}) };
}

export async function loadToldStory(
  api: ApiClient,
  kind: EditorialKind,
  orgid: string,
  id: string,
): Promise<ToldStoryData> {
  return { story: id === NEW_STORY ? undefined : await toldCalls(api, kind, orgid).read(id) };
}

export function loadOffsetters(api: ApiClient, orgid: string, query: ReviewQuery): Promise<Part<ReviewedOffsetter>> {
  return api.list('readOffsettersToReview', { params: { orgid }, query });
}

export async function loadReview(api: ApiClient, orgid: string): Promise<ReviewData> {
  const [review, waiting, decided] = await Promise.all([
    api.call('readReview', { params: { orgid } }),
    loadOffsetters(api, orgid, { standing: 'waiting', order: 'asc' }),
    loadOffsetters(api, orgid, { standing: 'decided' }),
  ]);
  return { review, waiting, decided };
}
