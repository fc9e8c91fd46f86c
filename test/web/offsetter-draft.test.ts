import { expect, test } from 'vitest';
import type { EditableOffsetter } from '#contract/schemas/offsetters.ts';
import { PHOTO_LIMIT } from '#domain/profile.ts';
import {
  draftOf,
  formOf,
  isChanged,
  type OffsetterDraft,
  offsetterProblems,
  standingOf,
  stillNeeded,
} from '#web/routes/me/use-edit-offsetter.ts';

const OFFSETTER: EditableOffsetter = {
  id: 'o1',
  name: 'Ana Silva',
  story: 'Because we fly to see our parents.',
  photoURL: null,
  photo: null,
  profileURL: '/orgs/ours/offsetters/o1/',
  createdTimestamp: '2026-01-01T00:00:00.000Z',
  shownAs: 'full',
  status: 'published',
  mine: true,
};
const DRAFT = draftOf(OFFSETTER);
const PHOTO = { size: 4_000_000, type: 'image/jpeg' };

const wrong = (part: Partial<OffsetterDraft>, photo?: typeof PHOTO, hasPhoto = true) =>
  Object.keys(offsetterProblems({ ...DRAFT, ...part }, photo, hasPhoto));

test('a name of 3, a story of 26 characters and a photo, existing or newly chosen, can be saved', () => {
  expect(wrong({ name: 'Ana', story: 'x'.repeat(26) })).toEqual([]);
  expect(wrong({}, PHOTO, false)).toEqual([]);
  expect(wrong({}, undefined, false)).toEqual(['file']);
});

test.each([
  [{ name: 'Al' }, 'name'],
  [{ name: '  Al  ' }, 'name'],
  [{ name: 'x'.repeat(101) }, 'name'],
  [{ story: 'x'.repeat(25) }, 'story'],
  [{ story: 'x'.repeat(10_001) }, 'story'],
])('%j cannot be saved, for its %s', (part, field) => {
  expect(wrong(part)).toEqual([field]);
});

test('a new photo has to be one that is taken, also where there is one already', () => {
  expect(wrong({}, { ...PHOTO, size: PHOTO_LIMIT })).toEqual(['file']);
  expect(wrong({}, { ...PHOTO, type: 'image/gif' })).toEqual(['file']);
  expect(wrong({ shownAs: 'none' }, { ...PHOTO, type: 'image/gif' })).toEqual(['file']);
});

test('whoever is not to be shown owes nothing, but what is written must fit', () => {
  expect(wrong({ shownAs: 'none', name: '', story: '' }, undefined, false)).toEqual([]);
  expect(wrong({ shownAs: 'none', name: 'Al', story: 'Short' }, undefined, false)).toEqual(['name', 'story']);
});

test('what is still needed is listed in the order of the form', () => {
  expect(stillNeeded(offsetterProblems({ ...DRAFT, name: '', story: '' }, undefined, false))).toBe(
    'a name, a story of at least 26 characters, and a photo',
  );
  expect(stillNeeded({})).toBe('');
});

test('something is unsaved as soon as a field is another, or a photo is chosen', () => {
  expect(isChanged(DRAFT, DRAFT, undefined)).toBe(false);
  expect(isChanged({ ...DRAFT }, DRAFT, PHOTO)).toBe(true);
  for (const part of [{ name: 'Eve' }, { story: '' }, { shownAs: 'first' }] as const) {
    expect(isChanged({ ...DRAFT, ...part }, DRAFT, undefined)).toBe(true);
  }
});

test('the form has the fields of §7, the photo last and only where one was chosen', () => {
  expect([...formOf('ours', DRAFT, undefined).keys()]).toEqual(['orgid', 'name', 'story', 'shownAs']);
  const form = formOf('ours', DRAFT, new File(['x'], 'me.jpg', { type: 'image/jpeg' }));
  expect([...form.keys()].at(-1)).toBe('file');
  expect([form.get('orgid'), form.get('story')]).toEqual(['ours', DRAFT.story]);
});

test('a story that nobody sees says why', () => {
  expect(standingOf(OFFSETTER)).toBeUndefined();
  expect(standingOf({ ...OFFSETTER, shownAs: 'first' })).toBeUndefined();
  expect(standingOf({ status: 'draft', shownAs: 'full' })).toContain('waits for an editor');
  expect(standingOf({ status: 'published', shownAs: 'none' })).toContain('not shown to anybody');
  expect(standingOf({ status: 'hidden', shownAs: 'none' })).toContain('taken down');
});
