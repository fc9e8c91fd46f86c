import { expect, test } from 'vitest';
import type { FailureCode } from '#domain/failures.ts';
import { ApiProblem, OfflineError } from '#web/api/api-error.ts';
import { formOf, refusalOf } from '#web/features/checkout-profile/submission.ts';

const refused = (status: number, code: FailureCode, field?: string) =>
  new ApiProblem({ status, code, title: 'No.', requestId: '', ...(field === undefined ? {} : { field }) });

test.each(['email', 'name', 'story', 'file'])('a refusal about the %s is told there', (field) => {
  expect(refusalOf(refused(422, 'invalid-input', field))).toEqual({ field, message: 'No.' });
});

test('a refusal of the photo is told beside the photo, even where the answer names no field', () => {
  for (const code of ['photo-unreadable', 'photo-format', 'photo-too-large', 'photo-too-many-pixels'] as const) {
    expect(refusalOf(refused(422, code))).toEqual({ field: 'file', message: 'No.' });
  }
});

test('a form that is too large for what stands before the program has too large a photo', () => {
  expect(refusalOf(refused(413, 'server-error'))).toEqual({
    field: 'file',
    message: 'The photo is too large. Max file size 25MB.',
  });
});

test('any other 4xx is told of the whole form, and keeps it', () => {
  expect(refusalOf(refused(409, 'checkout-over'))).toEqual({ field: undefined, message: 'No.' });
  expect(refusalOf(refused(400, 'invalid-input', 'checkoutId'))).toEqual({ field: undefined, message: 'No.' });
  expect(refusalOf(refused(429, 'too-many-requests'))).toEqual({ field: undefined, message: 'No.' });
});

test('no other failure is a refusal: nobody knows whether the profile arrived', () => {
  expect(refusalOf(refused(500, 'server-error'))).toBeUndefined();
  expect(refusalOf(refused(503, 'payment-unavailable', 'name'))).toBeUndefined();
  expect(refusalOf(new OfflineError())).toBeUndefined();
  expect(refusalOf(new SyntaxError('no JSON'))).toBeUndefined();
});

const KEY = { orgid: 'sample', checkoutid: 'c1', receipt: undefined };
const DRAFT = {
  email: 'a@b.co',
  name: 'Ana',
  story: 'Because we fly a lot, and want to help.',
  shownAs: 'first',
} as const;
const PHOTO = new File(['x'], 'me.jpg', { type: 'image/jpeg' });

test('the form has the fields of §7, the photo last', () => {
  const form = formOf(KEY, DRAFT, PHOTO);
  expect([...form.keys()]).toEqual(['checkoutId', 'orgid', 'email', 'shownAs', 'name', 'story', 'file']);
  expect(form.get('checkoutId')).toBe('c1');
  expect(form.get('story')).toBe(DRAFT.story);
  expect(form.get('file')).toMatchObject({ name: 'me.jpg', size: 1 });
});

test('the key of the receipt goes with it', () => {
  expect(formOf({ ...KEY, receipt: 'r1' }, DRAFT, PHOTO).get('receipt')).toBe('r1');
});

test('whoever is not to be shown sends no name, no story and no photo', () => {
  const form = formOf(KEY, { ...DRAFT, shownAs: 'none' }, PHOTO);
  expect([...form.keys()]).toEqual(['checkoutId', 'orgid', 'email', 'shownAs']);
});
