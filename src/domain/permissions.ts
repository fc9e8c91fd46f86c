/** Whoever calls with an identity token, and what that person may do now (decisions §4). */
export type Bearer = {
  readonly kind: 'user';
  readonly userId: string;
  /** The session that the token was got with; the token dies with it. */
  readonly sessionId: string;
  /** When the token was issued: some calls need a fresh one (§9). */
  readonly issuedAt: Date;
  readonly admin: boolean;
  readonly emailVerified: boolean;
  readonly editorOf: readonly string[];
};

/** Who calls: a visitor without a token, or the bearer of one (§6). */
export type Actor = { readonly kind: 'visitor' } | Bearer;

export const VISITOR: Actor = { kind: 'visitor' };

/** What a call is about: the organisation it is in, and whose thing it is, where it is somebody's. */
export type Subject = { readonly orgId?: string; readonly ownerId?: string | undefined };

type Rule = (actor: Actor, subject: Subject) => boolean;

const anyone: Rule = () => true;
const signedIn: Rule = (actor) => actor.kind === 'user';
/** An unverified address gives no power (decisions §4). */
const verified = (actor: Actor) => actor.kind === 'user' && actor.emailVerified;
const admin: Rule = (actor) => actor.kind === 'user' && verified(actor) && actor.admin;
const editor: Rule = (actor, { orgId }) =>
  actor.kind === 'user' && verified(actor) && orgId !== undefined && actor.editorOf.includes(orgId);
const owner: Rule = (actor, { ownerId }) =>
  actor.kind === 'user' && verified(actor) && ownerId !== undefined && actor.userId === ownerId;
/** The person, whose address may still be unverified: what one reads and ends of oneself needs no proof of it. */
const self: Rule = (actor, { ownerId }) => actor.kind === 'user' && ownerId !== undefined && actor.userId === ownerId;
const either =
  (...rules: readonly Rule[]): Rule =>
  (actor, subject) =>
    rules.some((rule) => rule(actor, subject));

/** The one permission table (§6, decisions §4): an admin is not an editor by that alone. */
const RULES = {
  'org.read': anyone,
  'org.create': admin,
  'org.edit': editor,
  // What is in a change is asked once more: settings are the editors', the slug is the admins'.
  'org.change': either(editor, admin),
  'org.edit-slug': admin,
  'editors.manage': either(editor, admin),
  'cells.read': anyone,
  'cells.edit': editor,
  'stories.read': anyone,
  'stories.edit': editor,
  'offsetter.edit': either(owner, admin),
  'offsetter.delete': admin,
  'site.read': anyone,
  'cities.search': anyone,
  'checkout.create': anyone,
  'checkout.read': anyone,
  'checkout.submit-profile': anyone,
  'checkout.complete': anyone,
  'checkouts.manage': editor,
  'pledge.create': anyone,
  'user.read': either(self, admin),
  'user.read-giving': owner,
  'user.download': self,
  'user.delete': self,
  'users.manage': admin,
  'session.begin': anyone,
  'session.read': signedIn,
  'session.change': signedIn,
  'my-offsetter.read': signedIn,
  'admin.visit': admin,
} as const satisfies Record<string, Rule>;

export type Action = keyof typeof RULES;

/** Whether the actor may do this to the subject. Every handler asks; screens ask the same. */
export function can(actor: Actor, action: Action, subject: Subject = {}): boolean {
  return RULES[action](actor, subject);
}

/** A token is fresh for this long: a role, an address, a password and claims are changed with a fresh one (§9). */
const FRESH_MS = 5 * 60_000;

/** Whether the token was issued in the last 5 minutes (§9, decisions §4). */
export function isFresh(actor: Actor, now: Date): boolean {
  return actor.kind === 'user' && now.getTime() - actor.issuedAt.getTime() <= FRESH_MS;
}
