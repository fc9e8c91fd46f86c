/** Who calls: a visitor without a token, or the bearer of one (§6, decisions §4). */
export type Actor =
  | { readonly kind: 'visitor' }
  | {
      readonly kind: 'user';
      readonly userId: string;
      readonly admin: boolean;
      readonly emailVerified: boolean;
      readonly editorOf: readonly string[];
    };

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
const either =
  (...rules: readonly Rule[]): Rule =>
  (actor, subject) =>
    rules.some((rule) => rule(actor, subject));

/** The one permission table (§6, decisions §4): an admin is not an editor by that alone. */
const RULES = {
  'org.read': anyone,
  'org.create': admin,
  'org.edit': editor,
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
  'user.read': either(owner, admin),
  'users.manage': admin,
  'session.read': signedIn,
  'admin.visit': admin,
} as const satisfies Record<string, Rule>;

export type Action = keyof typeof RULES;

/** Whether the actor may do this to the subject. Every handler asks; screens ask the same. */
export function can(actor: Actor, action: Action, subject: Subject = {}): boolean {
  return RULES[action](actor, subject);
}
