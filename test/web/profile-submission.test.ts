import { expect, test } from 'vitest';
import { formOf } from '#web/routes/checkout/profile-draft.ts';

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
