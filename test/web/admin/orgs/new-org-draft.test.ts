// @spec 2.admin-screen
import { expect, test } from 'vitest';
import {
  EMPTY_ORG,
  formatMissingFields,
  getFieldText,
  toNewOrgBody,
  validateNewOrg,
} from '#web/routes/admin/orgs/new-org-draft.ts';

const FULL_DRAFT = {
  name: ' Hill Fund ',
  slug: undefined,
  tag: 'Warm  homes ',
  place: ' Hill, New York',
  timeZone: 'America/Denver',
  email: ' edith@example.org ',
};

test('the slug follows the name until it is edited', () => {
  expect(getFieldText({ ...EMPTY_ORG, name: 'Hill Fund' }, 'slug')).toBe('hill-fund');
  expect(getFieldText({ ...EMPTY_ORG, name: 'Hill Fund', slug: '' }, 'slug')).toBe('');
  expect(toNewOrgBody(FULL_DRAFT)).toEqual({
    name: 'Hill Fund',
    slug: 'hill-fund',
    tag: 'Warm homes',
    place: 'Hill, New York',
    timeZone: 'America/Denver',
    email: 'edith@example.org',
  });
  expect(toNewOrgBody({ ...FULL_DRAFT, slug: 'hill' }).slug).toBe('hill');
});

test('every field but the place is required', () => {
  expect(validateNewOrg(FULL_DRAFT)).toEqual({});
  expect(validateNewOrg(EMPTY_ORG)).toEqual({
    name: 'Please enter a name.',
    slug: 'Please enter a slug.',
    tag: 'Please enter a tag.',
    email: 'Please enter an email address.',
  });
  expect(validateNewOrg({ ...FULL_DRAFT, email: 'nobody' })).toEqual({ email: 'Not a valid email: nobody' });
});

test('missing fields are listed by name', () => {
  expect(formatMissingFields({ ...FULL_DRAFT, tag: ' ', email: 'nobody' })).toBe('a tag and the first editor’s email');
  expect(formatMissingFields(FULL_DRAFT)).toBe('');
});
