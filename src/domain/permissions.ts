import type { OrgId, UserId } from './ids.ts';

/** The roles in an organization (§6, decisions §4). Editors can do everything; the other roles have fewer permissions. */
export const ROLES = ['editor', 'texts', 'stories', 'money', 'reader'] as const;
export type Role = (typeof ROLES)[number];

type RoleText = {
  readonly label: string;
  /** In sentences: "Ada is now an editor". */
  readonly roleNoun: string;
  /** In invitations: "invited you to help edit Ithaca". */
  readonly invitationPhrase: string;
  /** A sentence about the role's permissions. */
  readonly description: string;
};

export const ROLE_TEXTS: Readonly<Record<Role, RoleText>> = {
  editor: {
    label: 'Editor',
    roleNoun: 'an editor',
    invitationPhrase: 'help edit',
    description: 'Editors can do everything: pages, stories, money, settings, and roles.',
  },
  texts: {
    label: 'Page editor',
    roleNoun: 'a page editor',
    invitationPhrase: 'help edit the pages of',
    description: 'Page editors can edit the text on pages. They can’t see gifts, donors, or unpublished stories.',
  },
  stories: {
    label: 'Story editor',
    roleNoun: 'a story editor',
    invitationPhrase: 'help with the stories of',
    description:
      'Story editors can review, publish, and hide stories and manage awardees, their grants, and installers. They can’t see gifts.',
  },
  money: {
    label: 'Treasurer',
    roleNoun: 'a treasurer',
    invitationPhrase: 'help manage the money of',
    description:
      'Treasurers handle money: gifts, refunds, checks, grants, receipts, and closing months. They can’t edit pages, stories, or settings.',
  },
  reader: {
    label: 'Viewer',
    roleNoun: 'a viewer',
    invitationPhrase: 'see the books of',
    description: 'Viewers can see and download gifts, donors, and books. They can’t change anything.',
  },
};

/** A user's role in each of their organizations, by the organization's id. */
export type OrgRoles = Readonly<Record<string, Role>>;

/** How a person confirmed their identity: a password, an emailed link or code, Google, or a passkey. */
export type AuthenticationMethod = 'password' | 'mail' | 'google' | 'passkey';

/** Permissions that stay inactive until the user provides a second factor. */
export type InactivePermissions = { readonly admin: boolean; readonly orgs: readonly string[] };

/** The user of an identity token, with current permissions (decisions §4). */
export type SignedInUser = {
  readonly kind: 'user';
  readonly userId: UserId;
  /** The token's session. The token becomes invalid when the session ends. */
  readonly sessionId: string;
  /** When the token was issued. Some calls need a fresh one (§9). */
  readonly issuedAt: Date;
  /** When the person last confirmed their identity in this session. Renewing a token doesn't count. */
  readonly authenticatedAt: Date;
  /** True if the token is older than that confirmation: it may have been stolen before the confirmation. */
  readonly hasStaleToken: boolean;
  /** True if the user provided a second factor in this session. */
  readonly hasSecondFactor: boolean;
  readonly admin: boolean;
  readonly emailVerified: boolean;
  readonly roles: OrgRoles;
  /** Omitted if the user provided a second factor or doesn't need one. */
  readonly inactivePermissions?: InactivePermissions | undefined;
};

/** The caller: a visitor without a token, or the bearer of one (§6). */
export type Actor = { readonly kind: 'visitor' } | SignedInUser;

export const VISITOR: Actor = { kind: 'visitor' };

/** Subject of a call: its organization, and its owner, if any. */
export type Subject = { readonly orgId?: OrgId; readonly ownerId?: UserId | undefined };

type Rule = (actor: Actor, subject: Subject) => boolean;

const anyone: Rule = () => true;
const signedIn: Rule = (actor) => actor.kind === 'user';
/** An unverified email address grants no permissions (decisions §4). */
const isVerified = (actor: Actor) => actor.kind === 'user' && actor.emailVerified;
const admin: Rule = (actor) =>
  actor.kind === 'user' && isVerified(actor) && actor.admin && !actor.inactivePermissions?.admin;
const isRoleInactive = ({ inactivePermissions }: SignedInUser, orgId = '') =>
  inactivePermissions?.orgs.includes(orgId) === true;
const hasRole =
  (...roles: readonly Role[]): Rule =>
  (actor, { orgId }) =>
    actor.kind === 'user' &&
    !isRoleInactive(actor, orgId) &&
    isVerified(actor) &&
    roles.some((role) => orgId !== undefined && actor.roles[orgId] === role);
const anyRole = hasRole(...ROLES);
const editor = hasRole('editor');
const texts = hasRole('editor', 'texts');
const stories = hasRole('editor', 'stories');
const money = hasRole('editor', 'money');
const books = hasRole('editor', 'money', 'reader');
const owner: Rule = (actor, { ownerId }) =>
  actor.kind === 'user' && isVerified(actor) && ownerId !== undefined && actor.userId === ownerId;
/** Users can read and delete their own data even with an unverified email address. */
const accountOwner: Rule = (actor, { ownerId }) =>
  actor.kind === 'user' && ownerId !== undefined && actor.userId === ownerId;
const allOf =
  (...rules: readonly Rule[]): Rule =>
  (actor, subject) =>
    rules.every((rule) => rule(actor, subject));
const anyOf =
  (...rules: readonly Rule[]): Rule =>
  (actor, subject) =>
    rules.some((rule) => rule(actor, subject));

/** The permission table (§6, decisions §4). An admin is not automatically an editor. */
const RULES = {
  'org.read': anyone,
  'org.create': admin,
  'org.edit': editor,
  // The changed fields are checked too: editors can change settings, and admins the slug.
  'org.change': anyOf(editor, admin),
  'org.edit-slug': admin,
  // The first page of the editors' area, which adapts to each role.
  'area.visit': anyRole,
  // Limited roles see only the editors and themselves.
  'editors.read': anyOf(anyRole, admin),
  'editors.manage': anyOf(editor, admin),
  // Everyone can step down.
  'editors.remove': anyOf(editor, admin, allOf(anyRole, owner)),
  'cells.read': anyone,
  'cells.edit': texts,
  'stories.read': anyone,
  'stories.edit': stories,
  'offsetter.edit': anyOf(owner, admin),
  // The owner of the email address that submitted the story.
  'offsetter.claim': owner,
  'offsetter.delete': admin,
  'site.read': anyone,
  'cities.search': anyone,
  'checkout.create': anyone,
  'checkout.read': anyone,
  'checkout.submit-profile': anyone,
  'checkout.complete': anyone,
  'checkouts.read': books,
  // Notes about gifts and donors.
  'team-notes.edit': money,
  // Also deletes the story, and can't be undone.
  'checkouts.delete': editor,
  'payments.refund': money,
  'attention.resolve': money,
  'attention.manage-unassigned': admin,
  'recurring-gifts.stop': money,
  // The key in the URL grants access.
  'recurring-gift.manage': anyone,
  'checks.read': books,
  'checks.manage': money,
  // A grant concerns both a home and money.
  'grants.read': anyOf(stories, books),
  'grants.edit': stories,
  'grants.pay': money,
  'receipt.open': anyone,
  'receipts.read': books,
  'receipts.send': money,
  'donors.read': books,
  // The owner of a corrected email address.
  'gifts.claim': owner,
  // Includes correcting addresses and merging donors.
  'donors.manage': money,
  'donors.download': books,
  'ledger.download': books,
  'books.read': books,
  // Includes check marks, deposits, and closing months.
  'books.reconcile': money,
  'overview.read': books,
  'activity.read': books,
  'activity.read-all': admin,
  'pledge.create': anyone,
  'user.read': anyOf(accountOwner, admin),
  'user.read-giving': owner,
  'user.download': accountOwner,
  'user.delete': accountOwner,
  'users.manage': admin,
  'session.begin': anyone,
  'session.read': signedIn,
  'session.change': signedIn,
  'second-factors.manage': isVerified,
  'my-offsetter.read': signedIn,
  'admin.visit': admin,
} as const satisfies Record<string, Rule>;

export type Action = keyof typeof RULES;

/** Checks a permission. The server does this before every call, and pages to decide what to show. */
export function can(actor: Actor, action: Action, subject: Subject = {}): boolean {
  return RULES[action](actor, subject);
}

/**
 * Finds the permissions that require a second factor, if the user hasn't provided one (decisions §4): admin, if the
 * installation requires it, and roles in organizations that require it.
 */
export function findInactivePermissions(
  user: { readonly admin: boolean; readonly hasSecondFactor: boolean },
  requirements: { readonly forAdmins: boolean; readonly forOrgs: readonly string[] },
): InactivePermissions | undefined {
  if (user.hasSecondFactor) return undefined;
  const inactivePermissions = { admin: user.admin && requirements.forAdmins, orgs: requirements.forOrgs };
  return inactivePermissions.admin || inactivePermissions.orgs.length > 0 ? inactivePermissions : undefined;
}

/** The same user after providing a second factor. */
export function withSecondFactor(actor: SignedInUser): SignedInUser {
  return { ...actor, inactivePermissions: undefined };
}

/** @returns whether a role alone permits an action in its organization */
export function roleCan(role: Role, action: Action): boolean {
  const [epoch, org] = [new Date(0), 'org'];
  const session = {
    sessionId: '',
    issuedAt: epoch,
    authenticatedAt: epoch,
    hasStaleToken: false,
    hasSecondFactor: false,
  } as const;
  const user = { kind: 'user', userId: '', ...session, admin: false, emailVerified: true } as const;
  return can({ ...user, roles: { [org]: role } }, action, { orgId: org });
}

/**
 * Extra requirement of a call: a token issued in the last 5 minutes (§9), which a page gets without asking the user, or a
 * login or confirmation in the last 60 minutes (decisions §4).
 */
export type Requirement = 'fresh-token' | 'recent-confirmation';

const FRESH_TOKEN_MINUTES = 5;
const RECENT_CONFIRMATION_MINUTES = 60;

/** @returns whether the user logged in or confirmed their identity recently enough for sensitive calls */
export function isRecentConfirmation(authenticatedAt: Date, now: Date): boolean {
  return isWithin(RECENT_CONFIRMATION_MINUTES, authenticatedAt, now);
}

function isWithin(minutes: number, moment: Date, now: Date): boolean {
  return now.getTime() - moment.getTime() <= minutes * 60_000;
}

/** @returns the step that the caller must take first */
export function findUnmetRequirement(
  requirement: Requirement,
  actor: Actor,
  now: Date,
): 'token-stale' | 'confirmation-required' | undefined {
  if (actor.kind === 'visitor') return 'token-stale';
  if (requirement === 'fresh-token') {
    return isWithin(FRESH_TOKEN_MINUTES, actor.issuedAt, now) ? undefined : 'token-stale';
  }
  if (actor.hasStaleToken) return 'token-stale';
  return isRecentConfirmation(actor.authenticatedAt, now) ? undefined : 'confirmation-required';
}
