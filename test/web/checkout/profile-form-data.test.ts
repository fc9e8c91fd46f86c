// @spec 7.upload
import { expect, test } from 'vitest';
import { buildProfileForm, EMPTY_PROFILE } from '#web/routes/checkout/profile-draft.ts';
import { buildOffsetterForm } from '#web/routes/me/use-edit-offsetter.ts';

const KEY = { orgId: 'sample', checkoutId: 'c1', receiptKey: undefined };
const DRAFT = {
  ...EMPTY_PROFILE,
  email: 'a@b.co',
  name: 'Ana',
  story: 'Because we fly a lot, and want to help.',
  shownAs: 'first',
} as const;
const FILE = new File(['x'], 'me.jpg', { type: 'image/jpeg' });

test('the profile form has the fields from §7, with the photo last', () => {
  const form = buildProfileForm(KEY, DRAFT, FILE);
  expect([...form.keys()]).toEqual([
    'checkoutId',
    'orgid',
    'email',
    'shownAs',
    'name',
    'story',
    'showsPounds',
    'showsHomes',
    'file',
  ]);
  expect(form.get('checkoutId')).toBe('c1');
  expect(form.get('story')).toBe(DRAFT.story);
  expect(form.get('file')).toMatchObject({ name: 'me.jpg', size: 1 });
});

test('the form includes the receipt key', () => {
  expect(buildProfileForm({ ...KEY, receiptKey: 'r1' }, DRAFT, FILE).get('receipt')).toBe('r1');
});

test('the edit form has the fields from §7, with the photo last if one was chosen', () => {
  expect([...buildOffsetterForm('ours', DRAFT).keys()]).toEqual([
    'orgid',
    'name',
    'story',
    'showsPounds',
    'showsHomes',
    'shownAs',
  ]);
  const form = buildOffsetterForm('ours', { ...DRAFT, file: FILE });
  expect([...form.keys()].at(-1)).toBe('file');
  expect([form.get('orgid'), form.get('story')]).toEqual(['ours', DRAFT.story]);
});
