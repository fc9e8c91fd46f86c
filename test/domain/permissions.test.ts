// @spec 3.org 6.visitors 6.signed-in 6.editors 6.admin 9.token-refresh 9.token-age decisions.4
import { expect, test } from 'vitest';
import { type Action, type Actor, can, findUnmetRequirement, ROLES, roleCan, VISITOR } from '#domain/permissions.ts';
import { roleAllows } from '#test/support/role-table.ts';

const ISSUED = new Date('2026-01-01T12:00:00Z');

const user = (overrides: Partial<Extract<Actor, { kind: 'user' }>> = {}): Actor => ({
  kind: 'user',
  userId: 'me',
  sessionId: 'session',
  issuedAt: ISSUED,
  authenticatedAt: ISSUED,
  hasStaleToken: false,
  hasSecondFactor: false,
  admin: false,
  emailVerified: true,
  roles: {},
  ...overrides,
});

/**
 * Every caller in §6 and decisions §4. The action concerns something in the organization "fund" that the user "me"
 * owns.
 */
const ACTORS: Record<string, Actor> = {
  visitor: VISITOR,
  stranger: user({ userId: 'other' }),
  owner: user(),
  'owner, unverified': user({ emailVerified: false }),
  admin: user({ userId: 'other', admin: true }),
  'admin, unverified': user({ userId: 'other', admin: true, emailVerified: false }),
  ...Object.fromEntries(
    ROLES.flatMap((role) => [
      [role, user({ userId: 'other', roles: { another: role, fund: role } })],
      [`${role}, unverified`, user({ userId: 'other', roles: { fund: role }, emailVerified: false })],
      [`${role} elsewhere`, user({ userId: 'other', roles: { another: role } })],
    ]),
  ),
};
const EVERYONE = Object.keys(ACTORS);
const SIGNED_IN = EVERYONE.filter((name) => name !== 'visitor');

/** Role permissions (§6). Admins aren't automatically editors (decisions §4). */
const ALLOWED_CALLERS: Record<Action, readonly string[]> = {
  'org.read': EVERYONE,
  'org.create': ['admin'],
  'org.edit': [],
  'org.change': ['admin'],
  'org.edit-slug': ['admin'],
  'area.visit': [],
  'editors.read': ['admin'],
  'editors.manage': ['admin'],
  'editors.remove': ['admin'],
  'cells.read': EVERYONE,
  'cells.edit': [],
  'stories.read': EVERYONE,
  'stories.edit': [],
  'grants.read': [],
  'grants.edit': [],
  'grants.pay': [],
  'offsetter.edit': ['owner', 'admin'],
  'offsetter.claim': ['owner'],
  'offsetter.delete': ['admin'],
  'site.read': EVERYONE,
  'cities.search': EVERYONE,
  'checkout.create': EVERYONE,
  'checkout.read': EVERYONE,
  'checkout.submit-profile': EVERYONE,
  'checkout.complete': EVERYONE,
  'checkouts.read': [],
  'checkouts.delete': [],
  'payments.refund': [],
  'attention.resolve': [],
  'activity.read': [],
  'activity.read-all': ['admin'],
  'attention.manage-unassigned': ['admin'],
  'team-notes.edit': [],
  'recurring-gifts.stop': [],
  'recurring-gift.manage': EVERYONE,
  'checks.read': [],
  'checks.manage': [],
  'receipt.open': EVERYONE,
  'receipts.read': [],
  'receipts.send': [],
  'donors.read': [],
  'donors.manage': [],
  'donors.download': [],
  'gifts.claim': ['owner'],
  'ledger.download': [],
  'books.read': [],
  'books.reconcile': [],
  'overview.read': [],
  'pledge.create': EVERYONE,
  'user.read': ['owner', 'owner, unverified', 'admin'],
  'user.read-giving': ['owner'],
  'user.download': ['owner', 'owner, unverified'],
  'user.delete': ['owner', 'owner, unverified'],
  'users.manage': ['admin'],
  'session.begin': EVERYONE,
  'session.read': SIGNED_IN,
  'session.change': SIGNED_IN,
  'second-factors.manage': SIGNED_IN.filter((name) => !name.includes('unverified')),
  'my-offsetter.read': SIGNED_IN,
  'admin.visit': ['admin'],
};

const actions = Object.keys(ALLOWED_CALLERS) as Action[];
const allowedRoles = (action: Action) => ROLES.filter((role) => roleAllows(role, action));

test.each(actions)('%s is allowed for exactly the callers in the table', (action) => {
  const allowedCallers = EVERYONE.filter((name) => {
    const actor = ACTORS[name];
    return actor && can(actor, action, { orgId: 'fund', ownerId: 'me' });
  });
  const expected = [...ALLOWED_CALLERS[action], ...allowedRoles(action)];
  expect(allowedCallers).toEqual(EVERYONE.filter((name) => expected.includes(name)));
});

test.each(ROLES)('the role %s alone permits everything a person with that role may do', (role) => {
  const allowedActions = actions.filter((action) => roleAllows(role, action) || ALLOWED_CALLERS[action].includes(role));
  expect(actions.filter((action) => roleCan(role, action))).toEqual(allowedActions);
});

test('everyone can give up their own role, and only editors can remove others', () => {
  for (const role of ROLES) {
    const member = user({ userId: 'me', roles: { fund: role } });
    expect(can(member, 'editors.remove', { orgId: 'fund', ownerId: 'me' })).toBe(true);
    expect(can(member, 'editors.remove', { orgId: 'fund', ownerId: 'other' })).toBe(role === 'editor');
    expect(can(member, 'editors.remove', { orgId: 'another', ownerId: 'me' })).toBe(false);
  }
});

test.each(actions)('%s without a subject is denied to roles and owners', (action) => {
  const allowedCallers = EVERYONE.filter((name) => {
    const actor = ACTORS[name];
    return actor && can(actor, action, { ownerId: undefined });
  });
  const isPublic = ALLOWED_CALLERS[action].includes('stranger');
  const expected = isPublic ? ALLOWED_CALLERS[action] : ALLOWED_CALLERS[action].filter((name) => name === 'admin');
  expect(allowedCallers).toEqual(EVERYONE.filter((name) => expected.includes(name)));
});

const MINUTE = 60_000;

test.each([
  ['fresh-token', 5 * MINUTE, 61 * MINUTE, false, undefined],
  ['fresh-token', 5 * MINUTE + 1, 0, false, 'token-stale'],
  ['recent-confirmation', 0, 60 * MINUTE, false, undefined],
  ['recent-confirmation', 0, 60 * MINUTE + 1, false, 'confirmation-required'],
  ['recent-confirmation', 59 * MINUTE, 59 * MINUTE, false, undefined],
  ['recent-confirmation', 0, 0, true, 'token-stale'],
] as const)(
  '%s with a token from %i ms ago and a confirmation from %i ms ago (token predates it: %s): %s',
  (need, tokenAge, confirmationAge, hasStaleToken, expected) => {
    const timeAgo = (age: number) => new Date(ISSUED.getTime() - age);
    const actor = user({
      issuedAt: timeAgo(tokenAge),
      authenticatedAt: timeAgo(confirmationAge),
      hasStaleToken,
    });
    expect(findUnmetRequirement(need, actor, ISSUED)).toBe(expected);
  },
);

test('a visitor has no token, so it can’t be fresh', () => {
  expect(findUnmetRequirement('fresh-token', VISITOR, ISSUED)).toBe('token-stale');
});
