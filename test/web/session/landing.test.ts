// @spec 6.admin
import { expect, test } from 'vitest';
import { landingPath } from '#web/session/landing.ts';

const EDITOR = { roles: { ithaca: 'editor' as const }, admin: false };
const ADMIN = { roles: {}, admin: true };
const DONOR = { roles: {}, admin: false };

test.each([
  ['a donor', DONOR, undefined, '/user-home'],
  ['a donor', DONOR, '/', '/'],
  ['an editor', EDITOR, undefined, '/orgs/ithaca/editor/'],
  ['an admin', ADMIN, undefined, '/admin'],
  ['an admin', ADMIN, '/', '/admin'],
  ['an admin', ADMIN, '/orgs/ithaca/donate', '/orgs/ithaca/donate'],
  ['an editor who is also an admin', { ...EDITOR, admin: true }, undefined, '/orgs/ithaca/editor/'],
])('%s lands on their first page or returns to the page they came from', (_name, person, returnTo, path) => {
  expect(landingPath(person, returnTo)).toBe(path);
});
