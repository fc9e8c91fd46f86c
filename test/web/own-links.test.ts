import { expect, test } from 'vitest';
import { PAGES_TO_COME, pageAt } from '#contract/pages.ts';
import { adminLinks, areaLinks, editorLinks, type Viewer } from '#web/site/own-links.ts';

const viewer = (more: Partial<Viewer> = {}): Viewer => ({ admin: false, emailVerified: true, editorOf: [], ...more });
const isToCome = (to: string) => PAGES_TO_COME.some((name) => name === pageAt(to)?.name);
const labels = (links: readonly { label: string }[]) => links.map(({ label }) => label);

test('an editor sees the links of the own organization, in the order of the specification', () => {
  const links = editorLinks('ithaca', viewer({ editorOf: ['elmira', 'ithaca'] }));
  const specified = ['Overview', 'Org settings', 'Edit pages', 'Checkouts', 'Editors'];
  expect(labels(links)).toEqual(specified.filter((label) => labels(links).includes(label)));
  expect(labels(links)).toContain('Editors');
  for (const { to } of links) expect(to).toMatch(/^\/orgs\/ithaca\/editor\//);
});

test('the area of an editor leads to every page of it, and that of an admin to the editors alone', () => {
  const links = labels(areaLinks('ithaca', viewer({ editorOf: ['ithaca'] })));
  expect(links).toEqual(expect.arrayContaining(labels(editorLinks('ithaca', viewer({ editorOf: ['ithaca'] })))));
  expect(labels(areaLinks('ithaca', viewer({ admin: true, editorOf: ['elmira'] })))).toEqual(['Editors']);
  expect(areaLinks('ithaca', viewer())).toEqual([]);
});

test.each([
  ['another organization', viewer({ editorOf: ['elmira'] })],
  ['none', viewer()],
  ['none, but an admin', viewer({ admin: true })],
  ['an address that is not proven', viewer({ editorOf: ['ithaca'], emailVerified: false })],
])('an editor of %s sees none of them', (_of, of) => {
  expect(editorLinks('ithaca', of)).toEqual([]);
});

test('only an admin whose address is proven sees the links of admins', () => {
  expect(labels(adminLinks(viewer({ admin: true })))).toContain('Users');
  expect(adminLinks(viewer({ editorOf: ['ithaca'] }))).toEqual([]);
  expect(adminLinks(viewer({ admin: true, emailVerified: false }))).toEqual([]);
});

test('no link leads to what is still to come', () => {
  const all = [...editorLinks('ithaca', viewer({ editorOf: ['ithaca'] })), ...adminLinks(viewer({ admin: true }))];
  expect(all.filter(({ to }) => isToCome(to))).toEqual([]);
  expect(all.length).toBeGreaterThan(0);
});
