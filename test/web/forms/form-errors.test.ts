// @spec 4.checkout decisions.5
import { expect, test } from 'vitest';
import type { FailureCode } from '#domain/failures.ts';
import { ApiProblem, OfflineError } from '#web/api/api-error.ts';
import { failureMessage } from '#web/api/failure-message.ts';
import { toFormError as formErrorFor } from '#web/forms/form-errors.ts';

const profileFormError = (error: unknown) => formErrorFor(error, ['email', 'name', 'story', 'file']);
const createProblem = (status: number, code: FailureCode, field?: string) =>
  new ApiProblem({ status, code, detail: 'No.', requestId: '', ...(field === undefined ? {} : { field }) });

test.each(['email', 'name', 'story', 'file'])('an error about the %s appears next to it', (field) => {
  expect(profileFormError(createProblem(422, 'invalid-input', field))).toEqual({ field, message: 'No.' });
});

test('an error about the photo appears next to it even without a field name', () => {
  for (const code of [
    'photo-unreadable',
    'photo-format',
    'photo-too-large',
    'photo-too-many-pixels',
    'photo-too-long',
  ] as const) {
    expect(profileFormError(createProblem(422, code))).toEqual({ field: 'file', message: 'No.' });
  }
});

test('a form rejected by a proxy as too large shows a photo error', () => {
  expect(profileFormError(createProblem(413, 'server-error'))).toEqual({
    field: 'file',
    message: 'The photo is too large. Max file size 25MB.',
  });
});

test('any other 4xx error appears above the form', () => {
  expect(profileFormError(createProblem(409, 'checkout-over'))).toEqual({ field: undefined, message: 'No.' });
  expect(profileFormError(createProblem(400, 'invalid-input', 'checkoutId'))).toEqual({
    field: undefined,
    message: 'No.',
  });
  expect(profileFormError(createProblem(429, 'too-many-requests'))).toEqual({ field: undefined, message: 'No.' });
});

test('a form rejected under load keeps its input', () => {
  expect(profileFormError(createProblem(503, 'photo-not-stored', 'file'))).toEqual({ field: 'file', message: 'No.' });
  expect(profileFormError(createProblem(503, 'too-busy'))).toEqual({ field: undefined, message: 'No.' });
  expect(profileFormError(createProblem(503, 'database-unavailable'))).toEqual({ field: undefined, message: 'No.' });
});

test('other failures aren’t rejections, because the profile may have arrived', () => {
  expect(profileFormError(createProblem(500, 'server-error'))).toBeUndefined();
  expect(profileFormError(createProblem(503, 'payment-unavailable', 'name'))).toBeUndefined();
  expect(profileFormError(new OfflineError())).toBeUndefined();
  expect(profileFormError(new SyntaxError('no JSON'))).toBeUndefined();
});

test('a form without a photo shows photo errors for the whole form', () => {
  expect(formErrorFor(createProblem(413, 'body-too-large'), ['name'])).toMatchObject({ field: undefined });
  expect(formErrorFor(createProblem(422, 'name-too-short', 'name'), ['name'])).toEqual({
    field: 'name',
    message: 'No.',
  });
});

test('a failed change shows its error or offers a retry', () => {
  expect(failureMessage(createProblem(409, 'last-editor'))).toBe('No.');
  expect(failureMessage(new OfflineError())).toContain('check your connection');
  expect(failureMessage(new SyntaxError('no JSON'))).toBe('Something went wrong on our side. Please try again.');
});
