import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PHOTO_LIMIT, SHOWN_AS } from '#domain/profile.ts';
import {
  createDraftStore,
  type DraftStorage,
  draftOfText,
  EMPTY_DRAFT,
  type ProfileDraft,
  profileProblems,
  stillNeeded,
  textOfDraft,
} from '#web/routes/checkout/profile-draft.ts';

const GOOD: ProfileDraft = { email: 'maria@example.org', name: 'Ana', story: 'x'.repeat(26), shownAs: 'full' };
const PHOTO = { size: 4_000_000, type: 'image/jpeg' };

const fieldsWrong = (part: Partial<ProfileDraft>, photo: typeof PHOTO | undefined = PHOTO) =>
  Object.keys(profileProblems({ ...GOOD, ...part }, photo));

test('a name of 3, a story of 26 characters, an address and a photo are enough', () => {
  expect(profileProblems(GOOD, PHOTO)).toEqual({});
  expect(profileProblems({ ...GOOD, shownAs: 'first' }, PHOTO)).toEqual({});
});

test.each([
  [{ name: 'Al' }, 'name'],
  [{ name: '  Al  ' }, 'name'],
  [{ name: 'x'.repeat(101) }, 'name'],
  [{ story: 'x'.repeat(25) }, 'story'],
  [{ story: `${'x'.repeat(25)}   ` }, 'story'],
  [{ story: 'x'.repeat(10_001) }, 'story'],
  [{ email: '' }, 'email'],
  [{ email: 'maria@example' }, 'email'],
])('%j keeps the profile back, for its %s', (part, field) => {
  expect(fieldsWrong(part)).toEqual([field]);
});

test('a photo has to be chosen, of a format that is taken, under 25 MB and not empty', () => {
  expect(profileProblems(GOOD, undefined)).toEqual({ file: 'Please choose a photo.' });
  expect(fieldsWrong({}, { ...PHOTO, size: PHOTO_LIMIT - 1 })).toEqual([]);
  expect(profileProblems(GOOD, { ...PHOTO, size: PHOTO_LIMIT }).file).toContain('Max file size 25MB');
  expect(fieldsWrong({}, { ...PHOTO, size: 0 })).toEqual(['file']);
  for (const type of ['image/svg+xml', 'image/gif', 'image/heic', 'text/plain']) {
    expect(profileProblems(GOOD, { ...PHOTO, type }).file).toContain('JPEG, PNG, WebP or AVIF');
  }
});

test('a photo whose type the browser does not know is left for the server to judge', () => {
  expect(fieldsWrong({}, { ...PHOTO, type: '' })).toEqual([]);
});

test('whoever is not to be shown owes an address alone', () => {
  const hidden: ProfileDraft = { ...EMPTY_DRAFT, shownAs: 'none' };
  expect(Object.keys(profileProblems(hidden, undefined))).toEqual(['email']);
  expect(profileProblems({ ...hidden, email: 'maria@example.org' }, undefined)).toEqual({});
});

test('what is still needed is listed in the order of the form', () => {
  expect(stillNeeded(profileProblems(EMPTY_DRAFT, undefined))).toBe(
    'your email address, your name, a story of at least 26 characters, and a photo',
  );
  expect(stillNeeded(profileProblems(GOOD, undefined))).toBe('a photo');
  expect(stillNeeded({})).toBe('');
});

test('every draft comes back from the text that keeps it', () => {
  const draft = fc.record({
    email: fc.string(),
    name: fc.string(),
    story: fc.string({ unit: 'grapheme' }),
    shownAs: fc.constantFrom(...SHOWN_AS),
  });
  fc.assert(
    fc.property(draft, (kept) => {
      expect(draftOfText(textOfDraft(kept))).toEqual(kept);
    }),
  );
});

test('a text that keeps no draft is none, and one that keeps half a draft is half a draft', () => {
  for (const text of [null, '', 'null', '7', '"a"', '{', 'undefined']) expect(draftOfText(text)).toBeUndefined();
  expect(draftOfText('{"name":"Ana","story":7,"shownAs":"loud"}')).toEqual({ ...EMPTY_DRAFT, name: 'Ana' });
  fc.assert(fc.property(fc.json(), (text) => void draftOfText(text)));
});

test('what was typed is there again after a reload, and a change is told', () => {
  const storage = memory();
  const store = createDraftStore(storage);
  let told = 0;
  const stop = store.subscribe(() => {
    told += 1;
  });
  store.change({ name: 'Ana' });
  store.change({ story: 'Because.' });
  stop();
  store.change({ shownAs: 'first' });
  expect(told).toBe(2);
  expect(createDraftStore(storage).draft()).toEqual({
    ...EMPTY_DRAFT,
    name: 'Ana',
    story: 'Because.',
    shownAs: 'first',
  });
});

test('the storage is not read before the draft is asked for, and then once', () => {
  let reads = 0;
  const store = createDraftStore({
    read: () => {
      reads += 1;
      return null;
    },
    write: () => undefined,
  });
  expect(reads).toBe(0);
  expect(store.draft()).toBe(store.draft());
  expect(reads).toBe(1);
});

function memory(): DraftStorage {
  let kept: string | null = null;
  return {
    read: () => kept,
    write: (text) => {
      kept = text;
    },
  };
}
