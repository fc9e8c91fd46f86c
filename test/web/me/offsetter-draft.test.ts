// @spec 2.edit-offsetter-screen 4.edit-offsetter 5.edit-offsetter
import { expect, test } from 'vitest';
import type { EditableOffsetter } from '#contract/schemas/offsetters.ts';
import { PHOTO_LIMIT_BYTES } from '#domain/profile.ts';
import {
  formatMissingFields,
  getHiddenNote,
  hasOffsetterChanged,
  type OffsetterDraft,
  toOffsetterDraft,
} from '#web/routes/me/use-edit-offsetter.ts';
import { validateProfile } from '#web/stories/profile-fields.tsx';

const OFFSETTER: EditableOffsetter = {
  id: 'o1',
  name: 'Ana Silva',
  story: 'Because we fly to see our parents.',
  photoURL: null,
  photo: null,
  profileURL: '/orgs/ours/offsetters/o1/',
  createdTimestamp: '2026-01-01T00:00:00.000Z',
  shownAs: 'full',
  showsPounds: false,
  showsHomes: false,
  status: 'published',
  mine: true,
};
const DRAFT = toOffsetterDraft(OFFSETTER);
const PHOTO = { size: 4_000_000, type: 'image/jpeg' };

const findProblems = (part: Partial<OffsetterDraft>, photo?: typeof PHOTO, hasPhoto = true) =>
  Object.keys(validateProfile({ ...DRAFT, ...part }, photo, hasPhoto));

test('a name of 3 characters, a story of 26, and a photo can be saved', () => {
  expect(findProblems({ name: 'Ana', story: 'x'.repeat(26) })).toEqual([]);
  expect(findProblems({}, PHOTO, false)).toEqual([]);
  expect(findProblems({}, undefined, false)).toEqual(['file']);
});

test.each([
  [{ name: 'Al' }, 'name'],
  [{ name: '  Al  ' }, 'name'],
  [{ name: 'x'.repeat(61) }, 'name'],
  [{ story: 'x'.repeat(25) }, 'story'],
  [{ story: 'x'.repeat(10_001) }, 'story'],
])('%j is rejected because of its %s', (part, field) => {
  expect(findProblems(part)).toEqual([field]);
});

test('a new photo must be valid even if there already is one', () => {
  expect(findProblems({}, { ...PHOTO, size: PHOTO_LIMIT_BYTES })).toEqual(['file']);
  expect(findProblems({}, { ...PHOTO, type: 'image/gif' })).toEqual(['file']);
  expect(findProblems({ shownAs: 'none' }, { ...PHOTO, type: 'image/gif' })).toEqual(['file']);
});

test('a hidden story may be incomplete, but each field must be valid', () => {
  expect(findProblems({ shownAs: 'none', name: '', story: '' }, undefined, false)).toEqual([]);
  expect(findProblems({ shownAs: 'none', name: 'Al', story: 'Short' }, undefined, false)).toEqual(['name', 'story']);
});

test('missing fields are listed in the order of the form', () => {
  expect(formatMissingFields(validateProfile({ ...DRAFT, name: '', story: '' }, undefined))).toBe(
    'a name, a story of 26 to 10,000 characters, and a photo',
  );
  expect(formatMissingFields({})).toBe('');
});

test('a changed field or a chosen photo counts as unsaved', () => {
  expect(hasOffsetterChanged(DRAFT, OFFSETTER)).toBe(false);
  expect(hasOffsetterChanged({ ...DRAFT, file: PHOTO }, OFFSETTER)).toBe(true);
  for (const part of [{ name: 'Eve' }, { story: '' }, { shownAs: 'first' }] as const) {
    expect(hasOffsetterChanged({ ...DRAFT, ...part }, OFFSETTER)).toBe(true);
  }
});

test('the note on a hidden story states why', () => {
  expect(getHiddenNote(OFFSETTER)).toBeUndefined();
  expect(getHiddenNote({ ...OFFSETTER, shownAs: 'first' })).toBeUndefined();
  expect(getHiddenNote({ status: 'draft', shownAs: 'full' })).toContain('in review');
  expect(getHiddenNote({ status: 'published', shownAs: 'none' })).toContain('is hidden');
  expect(getHiddenNote({ status: 'hidden', shownAs: 'none' })).toContain('taken down');
});
