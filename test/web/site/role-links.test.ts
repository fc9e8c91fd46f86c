// @spec 2.drawer 6.editors 6.admin
import { expect, test } from 'vitest';
import { findPage, PAGES, type PageName } from '#contract/pages.ts';
import { can, ROLES, type Role } from '#domain/permissions.ts';
import { ROLE_TABLE } from '#test/support/role-table.ts';
import { SIGNED_IN_PAGES } from '#web/app/signed-in-routes.ts';
import { toActor } from '#web/session/actor.ts';
import { type Session, SIGNED_OUT } from '#web/session/session.ts';
import { adminLinks, editorDrawerLinks, editorLinkGroups } from '#web/site/role-links.ts';

const createViewer = (overrides: Partial<Session> = {}): Session => ({
  ...SIGNED_OUT,
  authenticated: true,
  uid: 'u1',
  emailVerified: true,
  ...overrides,
});
const listLabels = (links: readonly { label: string }[]) => links.map(({ label }) => label);
const areaLinks = (orgId: string, session: Session) => editorLinkGroups(orgId, session).flatMap(({ links }) => links);

test.each(ROLES)('%s sees their organization’s links in the specified order', (role) => {
  const links = editorDrawerLinks('ithaca', createViewer({ roles: { elmira: role, ithaca: role } }));
  expect(listLabels(links)).toEqual(ROLE_TABLE[role].menu);
  for (const { to } of links) expect(to).toMatch(/^\/orgs\/ithaca\/editor\//);
});

const BOOK_PAGES: readonly PageName[] = [
  ...(['overview-page', 'checkouts-page', 'payouts-page', 'statement-page', 'grants-page'] as const),
  ...(['donors-page', 'donor-page', 'recurring-gifts-page'] as const),
  ...(['editors-page', 'activity-page'] as const),
];
const AREA_PAGES = SIGNED_IN_PAGES.filter(({ name }) => PAGES[name].startsWith('/orgs/:orgid/editor/'));
/** The editor pages that each role can open. */
const PAGES_BY_ROLE: Readonly<Record<Role, readonly PageName[]>> = {
  editor: AREA_PAGES.map(({ name }) => name),
  texts: ['overview-page', 'pages-editor-page', 'share-page', 'editors-page'],
  stories: [
    ...(['overview-page', 'editors-page', 'review-page', 'edit-awardees-page', 'edit-awardee-page'] as const),
    ...(['edit-installers-page', 'edit-installer-page', 'grants-page'] as const),
  ],
  money: BOOK_PAGES,
  reader: BOOK_PAGES,
};

test.each(ROLES)('%s can open every page that the area’s links point to', (role) => {
  const session = createViewer({ roles: { ithaca: role } });
  const actor = toActor(session);
  const accessiblePages = AREA_PAGES.filter(
    ({ guard }) => guard && guard !== 'signed-out' && can(actor, guard, { ownerId: 'u1', orgId: 'ithaca' }),
  ).map(({ name }) => name);
  expect(accessiblePages.toSorted()).toEqual(PAGES_BY_ROLE[role].toSorted());
  const links = areaLinks('ithaca', session).map(({ to }) => findPage(to)?.name);
  expect(accessiblePages).toEqual(expect.arrayContaining(links));
});

test('the editor area links to all its pages for an editor, and to Editors only for an admin', () => {
  const links = listLabels(areaLinks('ithaca', createViewer({ roles: { ithaca: 'editor' } })));
  expect(links).toEqual(
    expect.arrayContaining(listLabels(editorDrawerLinks('ithaca', createViewer({ roles: { ithaca: 'editor' } })))),
  );
  expect(listLabels(areaLinks('ithaca', createViewer({ admin: true, roles: { elmira: 'editor' } })))).toEqual([
    'Editors',
  ]);
  expect(areaLinks('ithaca', createViewer())).toEqual([]);
});

test('the editor area groups its links and omits groups that a role can’t open', () => {
  const listGroups = (role: Role) =>
    editorLinkGroups('ithaca', createViewer({ roles: { ithaca: role } })).map(({ label, links }) => [
      label,
      ...listLabels(links),
    ]);
  expect(listGroups('editor')).toEqual([
    [undefined, 'Overview'],
    ['Money', 'Checkouts', 'Donors', 'Payouts', 'Statements'],
    ['Homes', 'Grants', 'Awardees', 'Installers'],
    ['Site', 'Edit pages', 'Offsetters', 'Share', 'Org settings'],
    ['Team', 'Editors', 'Activity'],
  ]);
  expect(listGroups('texts')).toEqual([
    [undefined, 'Overview'],
    ['Site', 'Edit pages', 'Share'],
    ['Team', 'Editors'],
  ]);
});

test.each([
  ['another organization', createViewer({ roles: { elmira: 'editor' } })],
  ['none', createViewer()],
  ['none, but an admin', createViewer({ admin: true })],
  ['the organization with an unverified email', createViewer({ roles: { ithaca: 'editor' }, emailVerified: false })],
])('an editor of %s sees no editor links', (_title, session) => {
  expect(editorDrawerLinks('ithaca', session)).toEqual([]);
});

test('only an admin with a verified email sees the admin links', () => {
  expect(listLabels(adminLinks(createViewer({ admin: true })))).toContain('Users');
  expect(adminLinks(createViewer({ roles: { ithaca: 'editor' } }))).toEqual([]);
  expect(adminLinks(createViewer({ admin: true, emailVerified: false }))).toEqual([]);
});
