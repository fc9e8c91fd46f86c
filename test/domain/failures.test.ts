// @spec 2.forbidden 5.ids 7.client 8.profile-upload 8.reset-mail 8.authorization 8.claims 8.email-toast 8.strings
// @spec 8.messages decisions.1
import { expect, test } from 'vitest';
import { Failure, type FailureCode, PAGE_FAILURES } from '#domain/failures.ts';
import { profileFailure } from '#domain/profile-failures.ts';
import { cardsDeclined, FAILURES, failureSentence, SERVER_FAILURES, tooManyRequests } from '#domain/server-failures.ts';
import { LANGUAGES, m } from '#messages';
import { REPLACED_TEXTS, UNCHANGED_TEXTS } from '#test/support/specified-failures.ts';

const CODES = Object.keys(FAILURES) as readonly FailureCode[];

test.each([...REPLACED_TEXTS, ...UNCHANGED_TEXTS])('%j has the code %s', (_, code) => {
  expect(FAILURES).toHaveProperty(code);
});

test.each(UNCHANGED_TEXTS)('%j has the specified wording', (words, code) => {
  expect(failureSentence(new Failure(code))).toBe(words);
});

test('every failure has a kebab-case code and a user-facing message', () => {
  for (const code of CODES) {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
    for (const locale of LANGUAGES) {
      const message = failureSentence(new Failure(code), { locale });
      expect(message.trim()).toBe(message);
      expect(message.length, code).toBeGreaterThan(5);
    }
  }
});

/** Sentences that only appear in logs, and sentences with placeholders. */
const ENGLISH_ONLY = ['authorization-failed', 'claims-failed', 'invalid-input'];

test('every sentence exists in every language', () => {
  const codes = CODES.filter((code) => {
    const failure = new Failure(code);
    return failureSentence(failure) === failureSentence(failure, { locale: 'es' });
  });
  expect(codes.sort()).toEqual(ENGLISH_ONLY);
});

test.each(['unexpected-offset-type', 'unexpected-item-type', 'yearly-interval'] as const)(
  '%s has a user-facing message instead of an internal error',
  (code) => {
    const sentence = failureSentence(new Failure<FailureCode>(code, { types: 'air, car' }));
    expect(sentence).not.toContain('error');
    expect(sentence).toMatch(/^An? [a-z ,:1]+\.$/);
  },
);

// @asvs 1.3.7
test('fills placeholders from the details and keeps the rest', () => {
  expect(failureSentence(new Failure('photo-too-many-pixels', { kind: 'A photo', max: 100 }))).toBe(
    'This photo has too many pixels. A photo can have at most 100 megapixels.',
  );
  expect(failureSentence(new Failure('invalid-email'))).toBe('Not a valid email: {email}');
  const failure = profileFailure('invalid-email', { email: '{name} $& $1' });
  expect(failure.message).toBe('Not a valid email: {name} $& $1');
});

test('details are typed by the failure’s code', () => {
  // @ts-expect-error -- The placeholder is `most`.
  profileFailure('name-too-long', { maximum: 100 });
  // @ts-expect-error -- The sentence has no placeholder.
  profileFailure('no-name', { max: 100 });
  // @ts-expect-error -- The response has more details.
  expect(new Failure('text-changed', { savedBy: 'Ada' }).code).toBe('text-changed');
});

test('no failure code is defined twice', () => {
  expect(Object.keys(PAGE_FAILURES).filter((code) => code in SERVER_FAILURES)).toEqual([]);
});

test('a failure is an error with a code, details, and a sentence', () => {
  const failure = profileFailure('story-too-short', { min: 26 });
  expect(failure).toBeInstanceOf(Error);
  expect(failure.code).toBe('story-too-short');
  expect(failure.details).toEqual({ min: 26 });
  expect(failure.message).toBe('Please tell your story in at least 26 characters.');
});

test.each([
  [1, '1 second'],
  [2, '2 seconds'],
  [90, '90 seconds'],
  [91, '2 minutes'],
  [120, '2 minutes'],
  [121, '3 minutes'],
  [900, '15 minutes'],
])('rounds a wait of %i seconds up to %s', (seconds, words) => {
  const failure = tooManyRequests(seconds);
  expect(failure.details.seconds).toBe(seconds);
  expect(failureSentence(failure)).toBe(`Too many requests. Please try again in ${words}.`);
});

test.each([
  [tooManyRequests(1), 'Demasiadas solicitudes. Inténtelo de nuevo dentro de 1 segundo.'],
  [cardsDeclined(600), /Inténtelo de nuevo dentro de 10 minutos o envíe un cheque\./],
  [
    new Failure('text-unprintable', { label: (options) => m.theName({}, options) }),
    'El nombre tiene caracteres que no se pueden imprimir.',
  ],
])('inserted values are in the same language as the message', (failure, words) => {
  expect(failureSentence(failure, { locale: 'es' })).toMatch(words);
  expect(failureSentence(failure)).not.toMatch(words);
});
