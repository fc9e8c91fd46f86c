// @spec 2.profile-card 5.email 5.profile 9.preview 9.minimums 9.photo decisions.5
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  emailFailure,
  formatPublicName,
  isEmail,
  MAX_NAME_LENGTH,
  MAX_STORY_LENGTH,
  nameFailure,
  photoSizeFailure,
  photoWarning,
  statusAfterEdit,
  storyFailure,
} from '#domain/profile.ts';
import { previewStory } from '#domain/story-preview.ts';

const FAMILY = '👨‍👩‍👧‍👦';
const FLAG = '🇺🇸';
const MB = 1024 * 1024;

test.each([
  ['', 'no-name'],
  ['   \t\n ', 'no-name'],
  ['Al', 'name-too-short'],
  ['  Al  ', 'name-too-short'],
  [FAMILY, 'name-too-short'],
  [FLAG + FLAG, 'name-too-short'],
  ['e\u0301e\u0301', 'name-too-short'],
  ['Ana', undefined],
  ['李小龙', undefined],
  [FAMILY + FLAG + FAMILY, undefined],
  ['a'.repeat(MAX_NAME_LENGTH), undefined],
  ['a'.repeat(MAX_NAME_LENGTH + 1), 'name-too-long'],
])('the name %j: %s', (name, code) => {
  expect(nameFailure(name)?.code).toBe(code);
});

test.each([
  ['', 'no-story'],
  [' '.repeat(26), 'no-story'],
  ['a'.repeat(25), 'story-too-short'],
  [`${'a'.repeat(25)} `, 'story-too-short'],
  ['a'.repeat(26), undefined],
  [FAMILY.repeat(25), 'story-too-short'],
  [FAMILY.repeat(26), undefined],
  ['a'.repeat(MAX_STORY_LENGTH), undefined],
  ['a'.repeat(MAX_STORY_LENGTH + 1), 'story-too-long'],
])('story length is validated: case %#', (story, code) => {
  expect(storyFailure(story)?.code).toBe(code);
});

test('the error for a name or story that is too short or too long states the limit', () => {
  expect(nameFailure('Al')?.message).toBe('Please enter a name of at least 3 characters.');
  expect(storyFailure('short')?.message).toBe('Please tell your story in at least 26 characters.');
  expect(storyFailure('a'.repeat(10_001))?.message).toBe('Please tell your story in at most 10,000 characters.');
});

const ADDRESSES: readonly (readonly [string, boolean])[] = [
  ['ana@example.org', true],
  ['ana.maria+fund@mail.example.co.uk', true],
  ["o'brien@example.org", true],
  ['a@b.co', true],
  ['ANA@EXAMPLE.ORG', true],
  ['ana@xn--bcher-kva.example', true],
  [`${'a'.repeat(64)}@example.org`, true],
  [`${'a'.repeat(65)}@example.org`, false],
  [`ana@${'a'.repeat(63)}.org`, true],
  [`ana@${'a'.repeat(64)}.org`, false],
  [`a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(8)}`, true],
  [`a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(9)}`, false],
  ['', false],
  ['ana', false],
  ['ana@', false],
  ['@example.org', false],
  ['ana@localhost', false],
  ['ana@@example.org', false],
  ['ana@example..org', false],
  ['ana@.example.org', false],
  ['ana@example.org.', false],
  ['ana@-example.org', false],
  ['ana@example-.org', false],
  ['.ana@example.org', false],
  ['ana.@example.org', false],
  ['an..a@example.org', false],
  ['ana maria@example.org', false],
  ['ana@exam ple.org', false],
  ['ana@example.org, bob@example.org', false],
  ['Ana <ana@example.org>', false],
  ['ana@example.org\r\nBcc: bob@example.org', false],
  ['ana@example.org\n', false],
  ['ana\0@example.org', false],
  ['ana@[127.0.0.1]', false],
  ['"ana"@example.org', false],
  ['аna@example.org', false],
  ['=?utf-8?q?ana=0aBcc?=@example.org', false],
  ['ana=b?c@example.org', true],
];

test.each(ADDRESSES)('the address %j: %s', (address, isValid) => {
  expect(isEmail(address)).toBe(isValid);
});

test('a missing email and an invalid one have different errors, and surrounding spaces are ignored', () => {
  expect(emailFailure('')?.code).toBe('no-email');
  expect(emailFailure('  ')?.code).toBe('no-email');
  expect(emailFailure('ana@')?.message).toBe('Not a valid email: ana@');
  expect(emailFailure(' ana@example.org ')).toBeUndefined();
  expect(emailFailure('a'.repeat(10_000))?.message.length).toBeLessThan(150);
});

test('an email address has one @, a dot after it, and no line break', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.emailAddress(),
        fc.string().map((text) => `ana@example.org${text}`),
      ),
      (text) => {
        if (!isEmail(text)) return;
        expect(text).toMatch(/^[^\s@<>,"]+@[^\s@<>,"]+\.[^\s@<>,"]+$/);
        expect(text.length).toBeLessThanOrEqual(254);
      },
    ),
  );
});

test.each([
  [0, 'no-img', undefined],
  [1, undefined, undefined],
  [15 * MB - 1, undefined, undefined],
  [15 * MB, undefined, 'Max file size 25MB'],
  [25 * MB - 1, undefined, 'Max file size 25MB'],
  [25 * MB, 'photo-too-large', 'Max file size 25MB'],
  [25 * MB + 1, 'photo-too-large', 'Max file size 25MB'],
])('a photo of %i bytes: %s, %s', (bytes, code, warning) => {
  expect(photoSizeFailure(bytes)?.code).toBe(code);
  expect(photoWarning(bytes)).toBe(warning);
});

test('a story of 150 characters is shown in full, and one of 151 is cut with an ellipsis', () => {
  expect(previewStory('a'.repeat(150))).toBe('a'.repeat(150));
  expect(previewStory('a'.repeat(151))).toBe(`${'a'.repeat(150)}…`);
  expect(previewStory('')).toBe('');
});

test('a preview is cut between words, and previewing it again changes nothing', () => {
  for (const [end, previewEnd] of [
    [', and 1,234 more', ', and…'],
    [', and again more', ', and…'],
    [', then 12 more', ', then 12…'],
    [' even more', ' even more'],
  ] as const) {
    const preview = previewStory(`${'a'.repeat(140)}${end}`);
    expect(preview).toBe(`${'a'.repeat(140)}${previewEnd}`);
    expect(previewStory(preview)).toBe(preview);
  }
});

test('a preview counts an emoji family as one character and never splits it', () => {
  expect(previewStory(FAMILY.repeat(150))).toBe(FAMILY.repeat(150));
  expect(previewStory(FAMILY.repeat(151))).toBe(`${FAMILY.repeat(150)}…`);
  expect(previewStory(`${'a'.repeat(149)}e\u0301 and more`)).toBe(`${'a'.repeat(149)}e\u0301…`);
});

test('a preview is a well-formed beginning of its story', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 100, maxLength: 300 }), (story) => {
      const preview = previewStory(story);
      const visiblePart = preview === story ? story : preview.slice(0, -1);
      expect(story.startsWith(visiblePart)).toBe(true);
      expect(visiblePart.isWellFormed()).toBe(story.isWellFormed());
    }),
  );
});

test('a donor shown by first name gets only the first name', () => {
  expect(formatPublicName('Ana Maria Silva', 'full')).toBe('Ana Maria Silva');
  expect(formatPublicName('  Ana Maria Silva', 'first')).toBe('Ana');
  expect(formatPublicName('Ana\u00a0Silva', 'first')).toBe('Ana');
  expect(formatPublicName('Ana', 'first')).toBe('Ana');
  expect(formatPublicName('Silva, Ana Maria', 'first')).toBe('Ana');
  expect(formatPublicName('Silva,Ana', 'first')).toBe('Ana');
  expect(formatPublicName('Ana Silva, PhD', 'first')).toBe('Ana');
  expect(formatPublicName(' Ana, ', 'first')).toBe('Ana');
});

const baseEdit = { shownAs: 'full', requiresReview: false, isOwnerEdit: true, hasChanged: true } as const;

test.each([
  ['published', baseEdit, 'published'],
  ['draft', baseEdit, 'published'],
  ['draft', { ...baseEdit, shownAs: 'first' }, 'published'],
  ['draft', { ...baseEdit, shownAs: 'none' }, 'draft'],
  ['published', { ...baseEdit, shownAs: 'none' }, 'published'],
  ['hidden', baseEdit, 'hidden'],
  ['hidden', { ...baseEdit, requiresReview: true }, 'hidden'],
  ['published', { ...baseEdit, requiresReview: true }, 'draft'],
  ['published', { ...baseEdit, requiresReview: true, hasChanged: false }, 'published'],
  ['published', { ...baseEdit, requiresReview: true, isOwnerEdit: false }, 'published'],
  ['draft', { ...baseEdit, requiresReview: true, hasChanged: false }, 'draft'],
  ['draft', { ...baseEdit, requiresReview: true, isOwnerEdit: false }, 'draft'],
] as const)('a %s story after the edit %j is %s', (before, edit, after) => {
  expect(statusAfterEdit(before, edit)).toBe(after);
});
