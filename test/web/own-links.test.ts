import { expect, test } from 'vitest';
import { ROLES } from '#domain/permissions.ts';
import { ROLE_TABLE } from '#test/support/role-table.ts';
import { NOBODY, type Session } from '#web/session/session.ts';
import { adminLinks, areaLinks, editorLinks } from '#web/site/own-links.ts';

const viewer = (more: Partial<Session> = {}): Session => ({
  ...NOBODY,
  authenticated: true,
  uid: 'u1',
  emailVerified: true,
  ...more,
});
const labels = (links: readonly { label: string }[]) => links.map(({ label }) => label);

test.each(ROLES)('%s sees the links of their organization, in the order of the specification', (role) => {
  const links = editorLinks('ithaca', viewer({ roles: { elmira: role, ithaca: role } }));
  expect(labels(links)).toEqual(ROLE_TABLE[role].menu);
  for (const { to } of links) expect(to).toMatch(/^\/orgs\/ithaca\/editor\//);
});

test('the editor area links to all its pages for an editor, and to Editors only for an admin', () => {
  const links = labels(areaLinks('ithaca', viewer({ roles: { ithaca: 'editor' } })));
  expect(links).toEqual(expect.arrayContaining(labels(editorLinks('ithaca', viewer({ roles: { ithaca: 'editor' } })))));
  expect(labels(areaLinks('ithaca', viewer({ admin: true, roles: { elmira: 'editor' } })))).toEqual(['Editors']);
  expect(areaLinks('ithaca', viewer())).toEqual([]);
});

test.each([
  ['another organization', viewer({ roles: { elmira: 'editor' } })],
  ['none', viewer()],
  ['none, but an admin', viewer({ admin: true })],
  ['the organization with an unverified email', viewer({ roles: { ithaca: 'editor' }, emailVerified: false })],
])('an editor of %s sees none of them', (_of, of) => {
  expect(editorLinks('ithaca', of)).toEqual([]);
});

test('only an admin with a verified email sees the admin links', () => {
  expect(labels(adminLinks(viewer({ admin: true })))).toContain('Users');
  expect(adminLinks(viewer({ roles: { ithaca: 'editor' } }))).toEqual([]);
  expect(adminLinks(viewer({ admin: true, emailVerified: false }))).toEqual([]);
});
