/** The roles in an organization (§6, decisions §4): editors do everything there, the others a part of it. */
export const ROLES = ['editor', 'texts', 'stories', 'money', 'reader'] as const;
export type Role = (typeof ROLES)[number];

type RoleText = {
  readonly label: string;
  /** In sentences: "Ada is now an editor". */
  readonly noun: string;
  /** In invitations: "invited you to help edit Ithaca". */
  readonly task: string;
  /** One sentence: what they can do, and what not. */
  readonly description: string;
};

export const ROLE_TEXTS: Readonly<Record<Role, RoleText>> = {
  editor: {
    label: 'Editor',
    noun: 'an editor',
    task: 'help edit',
    description: 'Editors can do everything: pages, stories, money, settings, and roles.',
  },
  texts: {
    label: 'Page editor',
    noun: 'a page editor',
    task: 'help edit the pages of',
    description: 'Page editors can edit the text on pages. They can’t see gifts, donors, or unpublished stories.',
  },
  stories: {
    label: 'Story editor',
    noun: 'a story editor',
    task: 'help with the stories of',
    description:
      'Story editors can review, publish, and hide stories and manage awardees, their grants, and installers. They can’t see gifts.',
  },
  money: {
    label: 'Treasurer',
    noun: 'a treasurer',
    task: 'help manage the money of',
    description:
      'Treasurers can see and refund gifts, stop recurring gifts, settle payments, record checks, pay grants, send receipts, and download the books. They can’t change anything else.',
  },
  reader: {
    label: 'Viewer',
    noun: 'a viewer',
    task: 'see the books of',
    description: 'Viewers can see and download gifts, donors, and books. They can’t change anything.',
  },
};

/** A user's role in each of their organizations, by the organization's id. */
export type OrgRoles = Readonly<Record<string, Role>>;

/** How a person proves who they are: a password, a link or code by mail, Google, or a passkey. */
export type ProofBy = 'password' | 'mail' | 'google' | 'passkey';

/** What a person may do only after a second factor, which they have not shown. */
export type Inert = { readonly admin: boolean; readonly orgs: readonly string[] };

/** The user of an identity token, with current permissions (decisions §4). */
export type Bearer = {
  readonly kind: 'user';
  readonly userId: string;
  /** The session that the token was issued from, and ends with. */
  readonly sessionId: string;
  /** When the token was issued: some calls need a fresh one (§9). */
  readonly issuedAt: Date;
  /** When the person last proved who they are in this session; a renewed token proves nothing. */
  readonly provenAt: Date;
  /** Whether the token was issued before that: it may have been stolen before. */
  readonly predatesProof: boolean;
  /** Whether a second factor was shown in this session. */
  readonly secondFactor: boolean;
  readonly admin: boolean;
  readonly emailVerified: boolean;
  readonly roles: OrgRoles;
  /** Absent where a second factor was shown, or none is needed. */
  readonly inert?: Inert | undefined;
};

/** The caller: a visitor without a token, or the bearer of one (§6). */
export type Actor = { readonly kind: 'visitor' } | Bearer;

export const VISITOR: Actor = { kind: 'visitor' };

/** What a call is about: its organization, and its owner if it has one. */
export type Subject = { readonly orgId?: string; readonly ownerId?: string | undefined };

type Rule = (actor: Actor, subject: Subject) => boolean;

const anyone: Rule = () => true;
const signedIn: Rule = (actor) => actor.kind === 'user';
/** An unverified address gives no power (decisions §4). */
const verified = (actor: Actor) => actor.kind === 'user' && actor.emailVerified;
const admin: Rule = (actor) => actor.kind === 'user' && verified(actor) && actor.admin && !actor.inert?.admin;
const isInert = ({ inert }: Bearer, orgId = '') => inert?.orgs.includes(orgId) === true;
const has =
  (...roles: readonly Role[]): Rule =>
  (actor, { orgId }) =>
    actor.kind === 'user' &&
    !isInert(actor, orgId) &&
    verified(actor) &&
    roles.some((role) => orgId !== undefined && actor.roles[orgId] === role);
const anyRole = has(...ROLES);
const editor = has('editor');
const texts = has('editor', 'texts');
const stories = has('editor', 'stories');
const money = has('editor', 'money');
const books = has('editor', 'money', 'reader');
const owner: Rule = (actor, { ownerId }) =>
  actor.kind === 'user' && verified(actor) && ownerId !== undefined && actor.userId === ownerId;
/** Users may read and delete their own data with an unverified email. */
const self: Rule = (actor, { ownerId }) => actor.kind === 'user' && ownerId !== undefined && actor.userId === ownerId;
const both =
  (...rules: readonly Rule[]): Rule =>
  (actor, subject) =>
    rules.every((rule) => rule(actor, subject));
const either =
  (...rules: readonly Rule[]): Rule =>
  (actor, subject) =>
    rules.some((rule) => rule(actor, subject));

/** The permission table (§6, decisions §4). An admin is not automatically an editor. */
const RULES = {
  'org.read': anyone,
  'org.create': admin,
  'org.edit': editor,
  // The fields of a change are checked too: settings are for editors, the slug for admins.
  'org.change': either(editor, admin),
  'org.edit-slug': admin,
  // The first page of the editors' area, which shows each role its own part.
  'area.visit': anyRole,
  // Those with a narrower role see who the editors are, and themselves.
  'editors.read': either(anyRole, admin),
  'editors.manage': either(editor, admin),
  // Everyone can step down.
  'editors.remove': either(editor, admin, both(anyRole, owner)),
  'cells.read': anyone,
  'cells.edit': texts,
  'stories.read': anyone,
  'stories.edit': stories,
  'offsetter.edit': either(owner, admin),
  // Its owner is the owner of the address that it was sent with.
  'offsetter.claim': owner,
  'offsetter.delete': admin,
  'site.read': anyone,
  'cities.search': anyone,
  'checkout.create': anyone,
  'checkout.read': anyone,
  'checkout.submit-profile': anyone,
  'checkout.complete': anyone,
  'checkouts.read': books,
  // It also takes away the story, and cannot be undone.
  'checkouts.delete': editor,
  'payments.refund': money,
  'attention.settle': money,
  'attention.manage-stray': admin,
  'gifts.stop': money,
  // The key in its address is the permission.
  'gift.manage': anyone,
  'checks.read': books,
  'checks.manage': money,
  // A grant is of a home, and of the money.
  'grants.read': either(stories, books),
  'grants.edit': stories,
  'grants.pay': money,
  'receipt.open': anyone,
  'receipts.read': books,
  'receipts.send': money,
  'ledger.download': books,
  'books.read': books,
  'overview.read': books,
  'activity.read': books,
  'activity.read-all': admin,
  'pledge.create': anyone,
  'user.read': either(self, admin),
  'user.read-giving': owner,
  'user.download': self,
  'user.delete': self,
  'users.manage': admin,
  'session.begin': anyone,
  'session.read': signedIn,
  'session.change': signedIn,
  'second-factors.manage': verified,
  'my-offsetter.read': signedIn,
  'admin.visit': admin,
} as const satisfies Record<string, Rule>;

export type Action = keyof typeof RULES;

/** The server asks before every call; pages ask what to show. */
export function can(actor: Actor, action: Action, subject: Subject = {}): boolean {
  return RULES[action](actor, subject);
}

/**
 * What needs a second factor of a person who has shown none (decisions §4): being an admin, where the installation asks for
 * it, and the roles in organizations that do.
 */
export function inertPowers(
  person: { readonly admin: boolean; readonly secondFactor: boolean },
  needed: { readonly ofAdmins: boolean; readonly inOrgs: readonly string[] },
): Inert | undefined {
  if (person.secondFactor) return undefined;
  const inert = { admin: person.admin && needed.ofAdmins, orgs: needed.inOrgs };
  return inert.admin || inert.orgs.length > 0 ? inert : undefined;
}

/** The same person with a second factor. */
export function withSecondFactor(actor: Bearer): Bearer {
  return { ...actor, inert: undefined };
}

/** Whether a role is enough for an action in its organization. */
export function roleCan(role: Role, action: Action): boolean {
  const [never, org] = [new Date(0), 'org'];
  const session = {
    sessionId: '',
    issuedAt: never,
    provenAt: never,
    predatesProof: false,
    secondFactor: false,
  } as const;
  const user = { kind: 'user', userId: '', ...session, admin: false, emailVerified: true } as const;
  return can({ ...user, roles: { [org]: role } }, action, { orgId: org });
}

/**
 * What a call needs besides a token: one issued in the last 5 minutes (§9), which a page gets without asking; or a login
 * or confirmation in the last 60 minutes (decisions §4).
 */
export type Need = 'fresh-token' | 'recent-proof';

const FRESH_TOKEN_MINUTES = 5;
const RECENT_PROOF_MINUTES = 60;

/** Whether a person logged in or confirmed who they are recently enough for sensitive calls. */
export function isRecentProof(provenAt: Date, now: Date): boolean {
  return isWithin(RECENT_PROOF_MINUTES, provenAt, now);
}

function isWithin(minutes: number, moment: Date, now: Date): boolean {
  return now.getTime() - moment.getTime() <= minutes * 60_000;
}

/** @returns what the caller must do first */
export function unmetNeed(need: Need, actor: Actor, now: Date): 'token-stale' | 'proof-required' | undefined {
  if (actor.kind === 'visitor') return 'token-stale';
  if (need === 'fresh-token') {
    return isWithin(FRESH_TOKEN_MINUTES, actor.issuedAt, now) ? undefined : 'token-stale';
  }
  if (actor.predatesProof) return 'token-stale';
  return isRecentProof(actor.provenAt, now) ? undefined : 'proof-required';
}
