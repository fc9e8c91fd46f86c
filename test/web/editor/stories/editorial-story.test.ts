// @spec decisions.5
import { expect, test } from 'vitest';
import type { EditorialStory } from '#contract/schemas/editorial-stories.ts';
import { PHOTO_LIMIT_BYTES } from '#domain/profile.ts';
import {
  EMPTY_STORY,
  findDraftProblems,
  findMissingParts,
  findPublishProblems,
  formatMissingFields,
  formatRequirements,
  hasStoryChanged,
  toFormData,
  toStoryDraft,
} from '#web/routes/editor/stories/editorial-story.ts';

const STORY: EditorialStory = {
  id: 'a1',
  name: 'Anna Awarded',
  story: 'The heat pump has made the old house warm.',
  photoURL: null,
  photo: null,
  profileURL: '/orgs/ours/awardees/a1/',
  createdTimestamp: '2026-01-01T00:00:00.000Z',
  status: 'draft',
  consent: { isGiven: true, changedTimestamp: '2026-01-01T00:00:00.000Z', recordedBy: 'Edith' },
  grants: [],
};
const DRAFT = toStoryDraft(STORY);
const CHOSEN_PHOTO = { size: 4_000_000, type: 'image/jpeg' };
const NO_PHOTO = { newPhoto: undefined, hasPhoto: false };

test('a draft needs a name of 3 characters and a story of 26, but no photo', () => {
  expect(findDraftProblems({ ...DRAFT, name: 'Ann', story: 'x'.repeat(26) }, undefined)).toEqual({});
  expect(Object.keys(findDraftProblems({ ...DRAFT, name: 'An', story: 'x'.repeat(25) }, undefined))).toEqual([
    'name',
    'story',
  ]);
});

test.each([
  [{ size: PHOTO_LIMIT_BYTES, type: 'image/jpeg' }, 'Max file size 25MB'],
  [{ size: 900, type: 'image/svg+xml' }, 'JPEG, PNG, WebP, or AVIF'],
])('a draft with an unusable photo is rejected: %j', (photo, problem) => {
  expect(findDraftProblems(DRAFT, photo).file).toContain(problem);
});

test('publishing requires a saved or chosen photo and an awardee’s consent', () => {
  expect(Object.keys(findPublishProblems('awardee', { ...DRAFT, consent: false }, NO_PHOTO))).toEqual([
    'file',
    'consent',
  ]);
  expect(Object.keys(findPublishProblems('installer', { ...DRAFT, consent: false }, NO_PHOTO))).toEqual(['file']);
  expect(findPublishProblems('awardee', DRAFT, { newPhoto: CHOSEN_PHOTO, hasPhoto: false })).toEqual({});
  expect(findPublishProblems('awardee', DRAFT, { newPhoto: undefined, hasPhoto: true })).toEqual({});
});

test('missing requirements are listed in words', () => {
  expect(formatMissingFields(findPublishProblems('awardee', EMPTY_STORY, NO_PHOTO))).toBe(
    'a name, a story of 26 to 10,000 characters, a photo, and consent',
  );
  expect(formatMissingFields({})).toBe('');
  expect(formatRequirements(findMissingParts('awardee', { ...STORY, consent: null }))).toBe('a photo and consent');
  expect(formatRequirements(findMissingParts('installer', { ...STORY, consent: null }))).toBe('a photo');
});

test('a change to any field counts as unsaved', () => {
  expect(hasStoryChanged(DRAFT, DRAFT, undefined)).toBe(false);
  expect(hasStoryChanged(DRAFT, DRAFT, CHOSEN_PHOTO)).toBe(true);
  for (const part of [{ name: 'Bea' }, { story: 'Other' }, { consent: false }]) {
    expect(hasStoryChanged({ ...DRAFT, ...part }, DRAFT, undefined)).toBe(true);
  }
});

test('the form sends consent only for awardees, and a status only if one was chosen', () => {
  const buildForm = (...args: Parameters<typeof toFormData>) => Object.fromEntries(toFormData(...args));
  const story = { name: DRAFT.name, story: DRAFT.story };
  const form = { draft: DRAFT, photo: undefined, base: undefined, requestId: 'request-1' };
  expect(buildForm({ ...form, kind: 'awardee', status: 'published' })).toEqual({
    ...story,
    requestid: 'request-1',
    consent: 'true',
    status: 'published',
  });
  expect(buildForm({ ...form, kind: 'installer', status: undefined })).toEqual({
    ...story,
    requestid: 'request-1',
  });
  const photo = new File(['x'], 'home.jpg');
  expect([...toFormData({ ...form, kind: 'awardee', photo, status: undefined }).keys()].at(-1)).toBe('file');
});

test('an edit sends its base version, and the consent only if it changed', () => {
  const buildForm = (consent: boolean) =>
    Object.fromEntries(
      toFormData({
        kind: 'awardee',
        base: DRAFT,
        draft: { ...DRAFT, name: 'Bea', consent },
        photo: undefined,
        status: undefined,
        requestId: 'request-1',
      }),
    );
  const texts = { name: 'Bea', story: DRAFT.story, basedOnName: DRAFT.name, basedOnStory: DRAFT.story };
  expect(buildForm(true)).toEqual(texts);
  expect(buildForm(false)).toEqual({ ...texts, consent: 'false' });
});
