// @spec 4.checkout decisions.5
import { expect, test } from 'vitest';
import type { FailureCode } from '#domain/failures.ts';
import { ApiProblem, OfflineError } from '#web/api/api-error.ts';
import { failedSentence, refusalOf as refusalBy } from '#web/api/refusal.ts';

const refusalOf = (error: unknown) => refusalBy(error, ['email', 'name', 'story', 'file']);
const refused = (status: number, code: FailureCode, field?: string) =>
  new ApiProblem({ status, code, detail: 'No.', requestId: '', ...(field === undefined ? {} : { field }) });

test.each(['email', 'name', 'story', 'file'])('an error about the %s appears beside it', (field) => {
  expect(refusalOf(refused(422, 'invalid-input', field))).toEqual({ field, message: 'No.' });
});

test('an error about the photo appears beside it, even if the answer names no field', () => {
  for (const code of [
    'photo-unreadable',
    'photo-format',
    'photo-too-large',
    'photo-too-many-pixels',
    'photo-too-long',
  ] as const) {
    expect(refusalOf(refused(422, code))).toEqual({ field: 'file', message: 'No.' });
  }
});

test('a form that a proxy finds too large has too large a photo', () => {
  expect(refusalOf(refused(413, 'server-error'))).toEqual({
    field: 'file',
    message: 'The photo is too large. Max file size 25MB.',
  });
});

test('any other 4xx appears above the form, and keeps it', () => {
  expect(refusalOf(refused(409, 'checkout-over'))).toEqual({ field: undefined, message: 'No.' });
  expect(refusalOf(refused(400, 'invalid-input', 'checkoutId'))).toEqual({ field: undefined, message: 'No.' });
  expect(refusalOf(refused(429, 'too-many-requests'))).toEqual({ field: undefined, message: 'No.' });
});

test('a form for which there was no room just now stays as it is', () => {
  expect(refusalOf(refused(503, 'photo-not-kept', 'file'))).toEqual({ field: 'file', message: 'No.' });
  expect(refusalOf(refused(503, 'too-busy'))).toEqual({ field: undefined, message: 'No.' });
  expect(refusalOf(refused(503, 'out-of-order'))).toEqual({ field: undefined, message: 'No.' });
});

test('no other failure is a refusal: nobody knows whether the profile arrived', () => {
  expect(refusalOf(refused(500, 'server-error'))).toBeUndefined();
  expect(refusalOf(refused(503, 'payment-unavailable', 'name'))).toBeUndefined();
  expect(refusalOf(new OfflineError())).toBeUndefined();
  expect(refusalOf(new SyntaxError('no JSON'))).toBeUndefined();
});

test('a form without a photo has no field for what is said of one', () => {
  expect(refusalBy(refused(413, 'body-too-large'), ['name'])).toMatchObject({ field: undefined });
  expect(refusalBy(refused(422, 'name-too-short', 'name'), ['name'])).toEqual({ field: 'name', message: 'No.' });
});

test('a failed change shows its error, or offers another try', () => {
  expect(failedSentence(refused(409, 'last-editor'))).toBe('No.');
  expect(failedSentence(new OfflineError())).toContain('check your connection');
  expect(failedSentence(new SyntaxError('no JSON'))).toBe('Something went wrong on our side. Please try again.');
});
