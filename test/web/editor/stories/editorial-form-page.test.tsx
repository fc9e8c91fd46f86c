// @spec 2.editor
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { EditorialStory } from '#contract/schemas/editorial-stories.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import type { EditorialKind } from '#domain/story-publication.ts';
import { createPageContext, wrapInSignedInPage } from '#test/support/render-element.ts';
import { EditorialFormPage } from '#web/routes/editor/stories/editorial-form-page.tsx';
import { editorialStoryQuery } from '#web/routes/editor/stories/route.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const ORG = { id: 'valley', name: 'Valley', timeZone: 'UTC' } as Org;
const STORY: EditorialStory = {
  id: 's1',
  name: 'Anna Insulates',
  story: 'We insulate attics in the whole valley.',
  status: 'published',
  consent: null,
  grants: [],
  photoURL: null,
  photo: null,
  profileURL: '',
  createdTimestamp: '2026-01-01T00:00:00.000Z',
};

function openPage(story: EditorialStory, kind: EditorialKind = 'installer') {
  const context = createPageContext();
  const upload = vi.fn().mockResolvedValue(story);
  context.client.setQueryData(editorialStoryQuery(context.api, kind, ORG.id, story.id).queryKey, story);
  render(
    wrapInSignedInPage(<EditorialFormPage org={ORG} site={{} as Site} kind={kind} storyId={story.id} />, {
      ...context,
      api: { ...context.api, upload },
    }),
  );
  return { listSentForms: (): FormData[] => upload.mock.calls.map(([, { form }]) => form) };
}

const getStoryField = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^Story/ });

test('a restored draft is based on the story it started from, even if someone has changed it since', async () => {
  openPage(STORY);
  fireEvent.change(getStoryField(), { target: { value: 'We insulate attics and basements.' } });
  cleanup();
  const { listSentForms } = openPage({ ...STORY, story: 'We insulate attics in three counties.' });
  expect(getStoryField().value).toBe('We insulate attics and basements.');
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Save' })));
  const [form] = listSentForms();
  expect(form?.get('story')).toBe('We insulate attics and basements.');
  expect(form?.get('basedOnStory')).toBe(STORY.story);
});

test('a restored draft doesn’t undo a household’s revocation of consent', () => {
  const consent = { isGiven: true, changedTimestamp: null, recordedBy: null };
  openPage({ ...STORY, consent }, 'awardee');
  fireEvent.change(getStoryField(), { target: { value: 'We insulate attics and basements.' } });
  cleanup();
  openPage({ ...STORY, consent: { ...consent, isGiven: false } }, 'awardee');
  expect(getStoryField().value).toBe('We insulate attics and basements.');
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /The household has agreed/ }).checked).toBe(false);
});

test('a photo is required only for a published story', () => {
  const isPhotoRequired = () => screen.getByLabelText<HTMLInputElement>('Photo').required;
  openPage(STORY);
  expect(isPhotoRequired()).toBe(true);
  cleanup();
  openPage({ ...STORY, status: 'draft' });
  expect(isPhotoRequired()).toBe(false);
});
