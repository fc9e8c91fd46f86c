import { expect, test } from 'vitest';
import { FAILURES, Failure, type FailureCode, sentenceOf, tooManyRequests } from '#domain/failures.ts';

/** Every string of §5 and §8 that is thrown, shown or logged, as it stands there, and the code that it became. */
const SPECIFIED: readonly (readonly [string, FailureCode])[] = [
  ['No usid', 'no-usid'],
  ['No email', 'no-email'],
  ['No orgId', 'no-org-id'],
  ['No data', 'no-data'],
  ['No slug', 'no-slug'],
  ['No checkoutId', 'no-checkout-id'],
  ['No installerId', 'no-installer-id'],
  ['No Event', 'no-event'],
  ['No funder id', 'no-funder-id'],
  ['Only admins', 'only-admins'],
  ['No cell', 'no-cell'],
  ['No file', 'no-file'],
  ['No img', 'no-img'],
  ['No name', 'no-name'],
  ['No story', 'no-story'],
  ['NO amount', 'no-amount'],
  ['No travelers', 'no-travelers'],
  ['No miles', 'no-miles'],
  ['No donate amount field', 'no-donate-amount-field'],
  ['no pageId', 'no-page-id'],
  ['no cell name', 'no-cell-name'],
  ["error - wasn't expecting offsetType", 'unexpected-offset-type'],
  ["error - wasn't expecting type", 'unexpected-item-type'],
  ['yearly interval error', 'yearly-interval'],
  ['Not a valid email: {email}', 'invalid-email'],
  // Typing errors are mended as decisions §1 say: upoad, Opps, Cant.
  ['There was a problem. Please contact {email} if your profile did not upload.', 'profile-upload-failed'],
  ['Oops, there may have been a problem sending the reset link.', 'reset-mail-failed'],
  ["Can't find api url", 'unknown-api-host'],
  ['authorization error', 'authorization-failed'],
  ['ERROR SETTING CUSTOM CLAIMS', 'claims-failed'],
  ['Failed to get document because the client is offline.', 'offline'],
  ["You don't have permission to view this page.", 'forbidden'],
];

test.each(SPECIFIED)('%j is in the catalogue, and says where it arises or why it never does', (words, code) => {
  const entry: { message: string; says?: string; where?: string; never?: string } = FAILURES[code];
  expect(entry.says ?? entry.message).toBe(words);
  expect((entry.where === undefined) !== (entry.never === undefined)).toBe(true);
});

test('every code is for programs and every message for people', () => {
  for (const [code, { message }] of Object.entries(FAILURES)) {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(message.trim()).toBe(message);
    expect(message.length, code).toBeGreaterThan(5);
  }
});

test.each(['unexpected-offset-type', 'unexpected-item-type', 'yearly-interval'] as const)(
  'what a program threw as %s is a sentence to a person',
  (code) => {
    expect(sentenceOf(code)).not.toContain('error');
    expect(sentenceOf(code)).toMatch(/^An? [a-z ,:1]+\.$/);
  },
);

test('the braces of a sentence are filled from the details, and stay where there are none', () => {
  expect(sentenceOf('photo-too-many-pixels', { kind: 'A photo', most: 100 })).toBe(
    'This photo has too many pixels. A photo may have at most 100 megapixels.',
  );
  expect(sentenceOf('invalid-email')).toBe('Not a valid email: {email}');
  expect(sentenceOf('invalid-email', { email: '{name} $& $1' })).toBe('Not a valid email: {name} $& $1');
});

test('a failure is an error with its code, its details and its sentence', () => {
  const failure = new Failure('story-too-short', { least: 26 });
  expect(failure).toBeInstanceOf(Error);
  expect(failure.code).toBe('story-too-short');
  expect(failure.details).toEqual({ least: 26 });
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
])('who has to wait %i seconds is told of %s, and never of less', (seconds, words) => {
  const failure = tooManyRequests(seconds);
  expect(failure.details.seconds).toBe(seconds);
  expect(failure.message).toBe(`That was a lot at once. Please try again in ${words}.`);
});
