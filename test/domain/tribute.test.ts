// @spec 7.create-checkout
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Failure } from '#domain/failures.ts';
import { type CardInput, parseTribute, tributeText } from '#domain/tribute.ts';
import { arbitraryText } from '#test/support/arbitrary-text.ts';
import { pickRunCount } from '#test/support/run-count.ts';

const EMAIL = 'ada@example.org';

const parseInput = (name: string, card?: Partial<CardInput>) =>
  parseTribute({ kind: 'honor', name, ...(card ? { card: { email: EMAIL, ...card } } : {}) });

/** Parses a tribute. Throws if it's invalid. */
function parseValid(name: string, card?: Partial<CardInput>) {
  const tribute = parseInput(name, card);
  if (tribute instanceof Failure) throw tribute;
  return tribute;
}

/** Returns an error's code and field, or 'accepted'. */
function describeResult(parseInput: () => unknown): string {
  const result = parseInput();
  return result instanceof Failure ? `${result.code} at ${String(result.details.field)}` : 'accepted';
}

const REAL_NAMES = [
  'Ada Lovelace',
  'Dr. Martin Luther King Jr.',
  'J.R.R. Tolkien',
  'Zoë & Søren O’Neil-Smith',
  'María José (Pepa)',
  'Nana – 1932–2024',
  'the 3rd grade of Room 14',
  '陳大文',
  'محمد علی',
  'می‌خواهم',
  'नेहा शर्मा',
  'Our dog Rex 🐕‍🦺 👩‍👩‍👧‍👦',
];

test.each(REAL_NAMES)('a name is accepted unchanged: %s', (name) => {
  expect(parseValid(name)).toEqual({ kind: 'honor', name });
  expect(parseValid(name, { name, signature: name, message: name }).card).toEqual({
    email: EMAIL,
    name,
    signature: name,
    message: name,
  });
});

test.each([
  'Thank you for everything... and then some! You gave $5.00, or 3.5kg, at 10 a.m.',
  'Remembering you.\n\nWith love,\nthe whole family :/',
  'and/or; 50% off? No: 05/12/1932 – 03/04/2024. Psalm 23:1-6',
  '你好。我爱你。',
  'Meet us at the lake. Me too',
  'Our hotel: the best.',
  'Photos of the day are at https://photos.example, or call 607 555 0100.',
])('a message is accepted unchanged: %j', (message) => {
  expect(parseValid('Ada', { message }).card?.message).toBe(message);
});

test.each([
  ['a line break', 'Ada\nBcc: all'],
  ['a carriage return', 'Ada\rBcc: all'],
  ['a tab', 'Ada\tLovelace'],
  ['a null', 'Ada\0'],
  ['an escape', '\u001B[2J'],
  ['a line separator', 'Ada\u2028Lovelace'],
  ['a direction override', 'Ada\u202Ecod.live'],
  ['an isolate', '\u2066Ada\u2069'],
  ['a direction mark', 'Ada\u200F'],
  ['a zero-width space', 'evil\u200B.com'],
  ['a word joiner', 'evil\u2060.com'],
  ['a soft hyphen', 'evil\u00AD.com'],
  ['a tag', 'Ada\u{E0041}'],
  ['a filler', '\u3164'],
  ['a private character', '\uF8FF'],
  ['a lone surrogate', 'Ada\uD800'],
  ['many combining marks', `A${'\u0301\u0302'.repeat(40)}`],
])('%s in a name is rejected', (_, name) => {
  expect(describeResult(() => parseInput(name))).toMatch(/^(?:text-unprintable|tribute-too-long) at tribute\.name$/);
  expect(describeResult(() => parseInput('Ada', { signature: name }))).toMatch(/ at tribute\.card\.signature$/);
});

test.each([
  ['no name', () => parseInput(' '), 'no-honored-name at tribute.name'],
  ['61 characters', () => parseInput('a'.repeat(61)), 'tribute-too-long at tribute.name'],
  ['no address', () => parseInput('Ada', { email: ' ' }), 'no-email at tribute.card.email'],
  ['half an address', () => parseInput('Ada', { email: 'ada@example' }), 'invalid-email at tribute.card.email'],
  [
    'two addresses',
    () => parseInput('Ada', { email: `${EMAIL}, b@example.org` }),
    'invalid-email at tribute.card.email',
  ],
  [
    'a header',
    () => parseInput('Ada', { email: `${EMAIL}\nBcc: b@example.org` }),
    'invalid-email at tribute.card.email',
  ],
  ['a long message', () => parseInput('Ada', { message: 'a'.repeat(501) }), 'tribute-too-long at tribute.card.message'],
  [
    'a message of 13 lines',
    () => parseInput('Ada', { message: 'a\n'.repeat(13) }),
    'card-message-too-many-lines at tribute.card.message',
  ],
])('%s is rejected', (_, parseInput, failure) => {
  expect(describeResult(parseInput)).toBe(failure);
});

test('text at the limit is accepted, counting visible characters', () => {
  expect(parseValid('👩‍👩‍👧'.repeat(10) + 'a'.repeat(50)).name).toHaveLength(10 * 8 + 50);
  expect(parseValid('Ada', { message: 'é'.repeat(500) }).card?.message).toHaveLength(500);
});

test('extra spaces are removed, and a card doesn’t require a message', () => {
  expect(parseValid('  Ada   Lovelace ', { message: ' One \r\n\r\n\r\n\r\n two\t' }).card).toEqual({
    email: EMAIL,
    name: '',
    message: 'One\n\ntwo',
    signature: '',
  });
  expect(parseValid('  Ada   Lovelace ').name).toBe('Ada Lovelace');
  expect(tributeText({ kind: 'memory', name: 'Ada' })).toBe('In memory of Ada');
});

test('accepted text has few lines and no invisible characters, and is accepted again unchanged', () => {
  const text = fc.oneof(arbitraryText(), fc.string({ unit: 'grapheme' }), fc.constantFrom(...REAL_NAMES));
  fc.assert(
    fc.property(text, text, (name, message) => {
      const parsedTribute = parseInput(name, { message });
      if (parsedTribute instanceof Failure) return;
      expect(parsedTribute.name).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
      expect(parsedTribute.card?.message).not.toMatch(/[^\P{Cc}\n]|[\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
      expect(parseTribute({ ...parsedTribute, card: parsedTribute.card })).toEqual(parsedTribute);
    }),
    { numRuns: pickRunCount(15, 100) },
  );
});
