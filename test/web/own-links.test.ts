import { expect, test } from 'vitest';
import { adminLinks, areaLinks, editorLinks, type Viewer } from '#web/site/own-links.ts';

const viewer = (more: Partial<Viewer> = {}): Viewer => ({ admin: false, emailVerified: true, editorOf: [], ...more });
const labels = (links: readonly { label: string }[]) => links.map(({ label }) => label);

test('an editor sees the links of their organization, in the order of the specification', () => {
  const links = editorLinks('ithaca', viewer({ editorOf: ['elmira', 'ithaca'] }));
  expect(labels(links)).toEqual(['Overview', 'Org settings', 'Edit pages', 'Checkouts', 'Editors']);
  for (const { to } of links) expect(to).toMatch(/^\/orgs\/ithaca\/editor\//);
});

test('the editor area links to all its pages for an editor, and to Editors only for an admin', () => {
  const links = labels(areaLinks('ithaca', viewer({ editorOf: ['ithaca'] })));
  expect(links).toEqual(expect.arrayContaining(labels(editorLinks('ithaca', viewer({ editorOf: ['ithaca'] })))));
  expect(labels(areaLinks('ithaca', viewer({ admin: true, editorOf: ['elmira'] })))).toEqual(['Editors']);
  expect(areaLinks('ithaca', viewer())).toEqual([]);
});

test.each([
  ['another organization', viewer({ editorOf: ['elmira'] })],
  ['none', viewer()],
  ['none, but an admin', viewer({ admin: true })],
  ['the organization with an unverified email', viewer({ editorOf: ['ithaca'], emailVerified: false })],
])('an editor of %s sees none of them', (_of, of) => {
  expect(editorLinks('ithaca', of)).toEqual([]);
});

test('only an admin with a verified email sees the admin links', () => {
  expect(labels(adminLinks(viewer({ admin: true })))).toContain('Users');
  expect(adminLinks(viewer({ editorOf: ['ithaca'] }))).toEqual([]);
  expect(adminLinks(viewer({ admin: true, emailVerified: false }))).toEqual([]);
});
