// @spec 5.profile decisions.5
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PHOTO_LIMIT_BYTES, SHOWN_AS } from '#domain/profile.ts';
import { createSharedText } from '#test/support/shared-text.ts';
import {
  createDraftStore,
  EMPTY_PROFILE,
  formatMissingFields,
  type ProfileDraft,
  parseDraft,
  validateDraft,
} from '#web/routes/checkout/profile-draft.ts';

const VALID_DRAFT: ProfileDraft = { ...EMPTY_PROFILE, email: 'maria@example.org', name: 'Ana', story: 'x'.repeat(26) };
const PHOTO = { size: 4_000_000, type: 'image/jpeg' };

const findInvalidFields = (part: Partial<ProfileDraft>, photo: typeof PHOTO | undefined = PHOTO) =>
  Object.keys(validateDraft({ ...VALID_DRAFT, ...part }, photo));

test('a name of 3 characters, a story of 26, an email, and a photo are enough', () => {
  expect(validateDraft(VALID_DRAFT, PHOTO)).toEqual({});
  expect(validateDraft({ ...VALID_DRAFT, shownAs: 'first' }, PHOTO)).toEqual({});
});

test.each([
  [{ name: 'Al' }, 'name'],
  [{ name: '  Al  ' }, 'name'],
  [{ name: 'x'.repeat(61) }, 'name'],
  [{ story: 'x'.repeat(25) }, 'story'],
  [{ story: `${'x'.repeat(25)}   ` }, 'story'],
  [{ story: 'x'.repeat(10_001) }, 'story'],
  [{ email: '' }, 'email'],
  [{ email: 'maria@example' }, 'email'],
])('%j is rejected because of its %s', (part, field) => {
  expect(findInvalidFields(part)).toEqual([field]);
});

test('a photo must be a non-empty JPEG, PNG, WebP, or AVIF under 25 MB', () => {
  expect(validateDraft(VALID_DRAFT, undefined)).toEqual({ file: 'Please choose a photo.' });
  expect(findInvalidFields({}, { ...PHOTO, size: PHOTO_LIMIT_BYTES - 1 })).toEqual([]);
  expect(validateDraft(VALID_DRAFT, { ...PHOTO, size: PHOTO_LIMIT_BYTES }).file).toContain('Max file size 25MB');
  expect(findInvalidFields({}, { ...PHOTO, size: 0 })).toEqual(['file']);
  for (const type of ['image/svg+xml', 'image/gif', 'image/heic', 'text/plain']) {
    expect(validateDraft(VALID_DRAFT, { ...PHOTO, type }).file).toContain('JPEG, PNG, WebP, or AVIF');
  }
});

test('a photo whose type the browser doesn’t know is validated by the server', () => {
  expect(findInvalidFields({}, { ...PHOTO, type: '' })).toEqual([]);
});

test('a hidden donor needs to enter only an email', () => {
  const hiddenDraft: ProfileDraft = { ...EMPTY_PROFILE, shownAs: 'none' };
  expect(Object.keys(validateDraft(hiddenDraft, undefined))).toEqual(['email']);
  expect(validateDraft({ ...hiddenDraft, email: 'maria@example.org' }, undefined)).toEqual({});
});

test('missing fields are listed in the order of the form', () => {
  expect(formatMissingFields(validateDraft(EMPTY_PROFILE, undefined))).toBe(
    'your email address, your name, a story of 26 to 10,000 characters, and a photo',
  );
  expect(formatMissingFields(validateDraft(VALID_DRAFT, undefined))).toBe('a photo');
  expect(formatMissingFields({})).toBe('');
});

test('every stored draft can be read back', () => {
  const draft = fc.record({
    email: fc.string(),
    name: fc.string(),
    story: fc.string({ unit: 'grapheme' }),
    shownAs: fc.constantFrom(...SHOWN_AS),
    showsPounds: fc.boolean(),
    showsHomes: fc.boolean(),
  });
  fc.assert(
    fc.property(draft, (part) => {
      const storedDraft = { ...EMPTY_PROFILE, ...part };
      expect(parseDraft(JSON.stringify(storedDraft))).toEqual(storedDraft);
    }),
  );
});

test('stored data that isn’t a draft is ignored, and missing fields are empty', () => {
  for (const text of [null, '', 'null', '7', '"a"', '{', 'undefined']) expect(parseDraft(text)).toBeUndefined();
  expect(parseDraft('{"name":"Ana","story":7,"shownAs":"loud"}')).toEqual({ ...EMPTY_PROFILE, name: 'Ana' });
  fc.assert(fc.property(fc.json(), (text) => void parseDraft(text)));
});

test('a draft survives a reload, and subscribers receive each change', () => {
  const storage = createSharedText().tab();
  const store = createDraftStore(storage);
  let changeCount = 0;
  const stop = store.subscribe(() => {
    changeCount += 1;
  });
  store.change({ name: 'Ana' });
  store.change({ story: 'Because.' });
  stop();
  store.change({ shownAs: 'first' });
  expect(changeCount).toBe(2);
  expect(createDraftStore(storage).draft()).toEqual({
    ...EMPTY_PROFILE,
    name: 'Ana',
    story: 'Because.',
    shownAs: 'first',
  });
});

test('storage is read once, when the draft is first needed', () => {
  let readCount = 0;
  const store = createDraftStore({
    read: () => {
      readCount += 1;
      return null;
    },
    write: () => undefined,
  });
  expect(readCount).toBe(0);
  expect(store.draft()).toBe(store.draft());
  expect(readCount).toBe(1);
});
