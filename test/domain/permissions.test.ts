import { expect, test } from 'vitest';
import { type Action, type Actor, can, isFresh, VISITOR } from '#domain/permissions.ts';

const ISSUED = new Date('2026-01-01T12:00:00Z');

const user = (more: Partial<Extract<Actor, { kind: 'user' }>> = {}): Actor => ({
  kind: 'user',
  userId: 'me',
  sessionId: 'session',
  issuedAt: ISSUED,
  admin: false,
  emailVerified: true,
  roles: {},
  ...more,
});

/** Everybody of §6 and decisions §4, towards a thing in the organization "fund" that belongs to the user "me". */
const ACTORS: Record<string, Actor> = {
  visitor: VISITOR,
  stranger: user({ userId: 'other' }),
  owner: user(),
  'owner, unverified': user({ emailVerified: false }),
  editor: user({ userId: 'other', roles: { another: 'editor', fund: 'editor' } }),
  'editor, unverified': user({ userId: 'other', roles: { fund: 'editor' }, emailVerified: false }),
  'editor elsewhere': user({ userId: 'other', roles: { another: 'editor' } }),
  admin: user({ userId: 'other', admin: true }),
  'admin, unverified': user({ userId: 'other', admin: true, emailVerified: false }),
};
const EVERYBODY = Object.keys(ACTORS);
const SIGNED_IN = EVERYBODY.filter((name) => name !== 'visitor');

/** The whole table of §6: who may do what. An admin is not an editor by that alone (decisions §4). */
const TABLE: Record<Action, readonly string[]> = {
  'org.read': EVERYBODY,
  'org.create': ['admin'],
  'org.edit': ['editor'],
  'org.change': ['editor', 'admin'],
  'org.edit-slug': ['admin'],
  'editors.manage': ['editor', 'admin'],
  'cells.read': EVERYBODY,
  'cells.edit': ['editor'],
  'stories.read': EVERYBODY,
  'stories.edit': ['editor'],
  'offsetter.edit': ['owner', 'admin'],
  'offsetter.delete': ['admin'],
  'site.read': EVERYBODY,
  'cities.search': EVERYBODY,
  'checkout.create': EVERYBODY,
  'checkout.read': EVERYBODY,
  'checkout.submit-profile': EVERYBODY,
  'checkout.complete': EVERYBODY,
  'checkouts.manage': ['editor'],
  'pledge.create': EVERYBODY,
  'user.read': ['owner', 'owner, unverified', 'admin'],
  'user.read-giving': ['owner'],
  'user.download': ['owner', 'owner, unverified'],
  'user.delete': ['owner', 'owner, unverified'],
  'users.manage': ['admin'],
  'session.begin': EVERYBODY,
  'session.read': SIGNED_IN,
  'session.change': SIGNED_IN,
  'my-offsetter.read': SIGNED_IN,
  'admin.visit': ['admin'],
};

const actions = Object.keys(TABLE) as Action[];

test.each(actions)('%s is for those whom the table names', (action) => {
  const allowed = EVERYBODY.filter((name) => {
    const actor = ACTORS[name];
    return actor && can(actor, action, { orgId: 'fund', ownerId: 'me' });
  });
  expect(allowed).toEqual(EVERYBODY.filter((name) => TABLE[action].includes(name)));
});

test.each(actions)('%s about nothing in particular gives no power to editors and owners', (action) => {
  const allowed = EVERYBODY.filter((name) => {
    const actor = ACTORS[name];
    return actor && can(actor, action, { ownerId: undefined });
  });
  const expected =
    TABLE[action].length < SIGNED_IN.length ? TABLE[action].filter((name) => name === 'admin') : TABLE[action];
  expect(allowed).toEqual(EVERYBODY.filter((name) => expected.includes(name)));
});

test.each([
  [0, true],
  [5 * 60_000, true],
  [5 * 60_000 + 1, false],
])('a token that was issued %i ms ago is fresh: %s', (age, fresh) => {
  expect(isFresh(user(), new Date(ISSUED.getTime() + age))).toBe(fresh);
});

test('a visitor has no token, and so no fresh one', () => {
  expect(isFresh(VISITOR, ISSUED)).toBe(false);
});
