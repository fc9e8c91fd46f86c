// @spec 2.admin-screen
import { expect, test } from 'vitest';
import { EMPTY_ORG, newOrgBody, newOrgProblems, textIn } from '#web/routes/admin/orgs/new-org-draft.ts';

const FULL = {
  name: ' Hill Fund ',
  slug: undefined,
  tag: 'Warm  homes ',
  place: ' Hill, New York',
  email: ' edith@example.org ',
};

test('the slug follows the name until it is edited', () => {
  expect(textIn({ ...EMPTY_ORG, name: 'Hill Fund' }, 'slug')).toBe('hill-fund');
  expect(textIn({ ...EMPTY_ORG, name: 'Hill Fund', slug: '' }, 'slug')).toBe('');
  expect(newOrgBody(FULL)).toEqual({
    name: 'Hill Fund',
    slug: 'hill-fund',
    tag: 'Warm homes',
    place: 'Hill, New York',
    email: 'edith@example.org',
  });
  expect(newOrgBody({ ...FULL, slug: 'hill' }).slug).toBe('hill');
});

test('every field but the place is required', () => {
  expect(newOrgProblems(FULL)).toEqual({});
  expect(newOrgProblems(EMPTY_ORG)).toEqual({
    name: 'Please enter a name.',
    slug: 'Please enter a short name.',
    tag: 'Please enter a tag.',
    email: 'Please enter an email address.',
  });
  expect(newOrgProblems({ ...FULL, email: 'nobody' })).toEqual({ email: 'Not a valid email: nobody' });
});
