import type { Transaction } from 'kysely';
import { Failure } from '#domain/failures.ts';
import { lastEndedInvitation } from '#domain/invitations.ts';
import type { NarrowerRole, Role } from '#domain/permissions.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction, lockAddress } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import type { JobData } from '#server/jobs/jobs.ts';
import {
  deleteInvitation,
  deleteInvitationsUntil,
  editorById,
  lockedFellowEditors,
  lockedTeam,
  setLeaving,
  setRole,
  type TeamMember,
} from './editors.store.ts';

/** Long enough for whom an editor removed, and for the other editors, to read the mail and object (decisions §4). */
const OBJECT_WITHIN_MS = 24 * 60 * 60_000;

type Deps = Pick<AppDeps, 'db' | 'jobs' | 'now'>;
type Member = { readonly orgId: string; readonly userId: string };
type Change = Member & {
  readonly actorId: string;
  readonly byAdmin: boolean;
  /** null: none any more. */
  readonly role: Role | null;
};

/**
 * Changes a user's role or takes it away: at once if an admin or the user asks, or if the user is no editor, and otherwise a
 * day later, so that no editor gets rid of the others unnoticed. All editors are told by mail and can object. Only an admin
 * can leave an organization without an editor; people with other roles, and those who are leaving, don't count.
 * @returns when it changes, null if it has; Failure too-many-requests, editor-not-found, last-editor
 */
export async function changeRole(
  deps: Deps,
  change: Change,
): Promise<{ readonly leavesTimestamp: string | null } | Failure> {
  const { orgId, userId, actorId, byAdmin, role } = change;
  const held = await editorById(deps.db.kysely, orgId, userId);
  if (!held) return new Failure('editor-not-found');
  const refused = byAdmin ? undefined : await checkRateLimit(deps, 'removal', { person: actorId });
  if (refused) return refused;
  return inTransaction(deps.db, async (tx) => {
    // Nobody adds the same person meanwhile.
    await lockAddress(tx, held.email.toLowerCase());
    const team = await lockedTeam(tx, orgId);
    const member = team.find(({ user_id }) => user_id === userId);
    if (!member) return new Failure('editor-not-found');
    const isKept = role === 'editor' || member.role !== 'editor';
    if (!isKept && !byAdmin && !hasOthers(team, userId)) return new Failure('last-editor');
    if (isKept || byAdmin || userId === actorId) {
      if (role !== member.role) await changeNow(tx, deps, change, member);
      return { leavesTimestamp: null };
    }
    return { leavesTimestamp: await changeLater(tx, deps, { ...change, team, member, becomes: role }) };
  });
}

async function changeNow(
  tx: Transaction<Tables>,
  { jobs, now }: Deps,
  { orgId, userId, actorId, role }: Change,
  member: TeamMember,
): Promise<void> {
  const at = now();
  await setRole(tx, orgId, member, role, at);
  if (userId === actorId) return;
  if (role) await jobs.enqueue(tx, 'mail-new-role', { orgId, userId, addedBy: actorId });
  else {
    const lost = { orgId, userId, role: member.role, removedBy: actorId, at: at.toISOString() };
    await jobs.enqueue(tx, 'mail-lost-role', lost);
  }
}

type Leaving = Change & {
  readonly team: readonly TeamMember[];
  readonly member: TeamMember;
  readonly becomes: NarrowerRole | null;
};

async function changeLater(
  tx: Transaction<Tables>,
  { jobs, now }: Deps,
  { orgId, userId, actorId, team, member, becomes }: Leaving,
): Promise<string> {
  // Another end has a day of its own.
  if (member.leaves_at && member.becomes === becomes) return member.leaves_at.toISOString();
  const at = new Date(now().getTime() + OBJECT_WITHIN_MS);
  const leavesAt = at.toISOString();
  await setLeaving(tx, { orgId, userId }, at, becomes);
  await jobs.enqueue(tx, 'end-role', { orgId, userId, leavesAt }, at);
  const told = team.filter(({ user_id, role }) => user_id !== actorId && role === 'editor');
  const mails = told.map(({ user_id: to }) => ({ orgId, userId, leavesAt, to, removedBy: actorId }));
  await jobs.enqueueAll(tx, 'mail-leaving-editor', mails);
  return leavesAt;
}

function hasOthers(team: readonly TeamMember[], userId: string): boolean {
  return team.some(({ user_id, role, leaves_at }) => user_id !== userId && role === 'editor' && leaves_at === null);
}

/** Objects to a removal. @returns Failure editor-not-found */
export async function keepEditor(
  { db }: Pick<AppDeps, 'db'>,
  { orgId, userId }: Member,
): Promise<Record<string, never> | Failure> {
  return inTransaction(db, async (tx) => {
    const team = await lockedTeam(tx, orgId);
    if (!team.some(({ user_id }) => user_id === userId)) return new Failure('editor-not-found');
    await setLeaving(tx, { orgId, userId }, null);
    return {};
  });
}

/** Ends a removed editor's role, or changes it, after the day in which nobody objected, unless the others have left meanwhile. */
export async function endEditor(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  { orgId, userId, leavesAt }: JobData['end-role'],
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const team = await lockedTeam(tx, orgId);
    const leaving = team.find(({ user_id }) => user_id === userId);
    if (leaving?.leaves_at?.toISOString() !== leavesAt) return;
    if (!hasOthers(team, userId)) return setLeaving(tx, { orgId, userId }, null);
    await setRole(tx, orgId, leaving, leaving.becomes, now());
  });
}

/** Ends invitations that nobody has accepted in their time. */
export function sweepInvitations({ db, now }: Pick<AppDeps, 'db' | 'now'>): Promise<void> {
  return deleteInvitationsUntil(db.kysely, lastEndedInvitation(now()));
}

/** @returns Failure invitation-not-found */
export async function withdrawInvitation(
  { db }: Pick<AppDeps, 'db'>,
  orgId: string,
  invitationId: string,
): Promise<Record<string, never> | Failure> {
  return (await deleteInvitation(db.kysely, orgId, invitationId)) ? {} : new Failure('invitation-not-found');
}

/** Whether some organization would have no editor without this user. */
export async function isLastEditor(tx: Transaction<Tables>, userId: string): Promise<boolean> {
  const editors = await lockedFellowEditors(tx, userId);
  const shared = new Set(editors.filter(({ user_id }) => user_id !== userId).map(({ org_id }) => org_id));
  return editors.some(({ org_id }) => !shared.has(org_id));
}
