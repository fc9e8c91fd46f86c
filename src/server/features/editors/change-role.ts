import type { Transaction } from 'kysely';
import { EDITOR_UNDO_MS, lastEndedInvitation, lastEndedRemoval } from '#domain/editor-terms.ts';
import { Failure } from '#domain/failures.ts';
import type { Role } from '#domain/permissions.ts';
import type { HeldRole } from '#server/db/held-roles.ts';
import { takingLong } from '#server/db/limits.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { adminIds, lockAddress } from '#server/entities/find-user.ts';
import { checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import { sendLostRoleEmail, sendNewRoleEmail } from './editor-emails.job.ts';
import {
  deleteInvitation,
  deleteInvitationsUntil,
  deleteRemovalsUntil,
  editorById,
  lockedFellowEditors,
  lockedTeam,
  saveRemoval,
  setRole,
  takeRemoval,
} from './editors.store.ts';

type Deps = Pick<AppDeps, 'db' | 'jobs' | 'now'>;
type Empty = Record<string, never>;
type Member = { readonly orgId: string; readonly userId: string; readonly actorId: string };
type Change = Member & {
  readonly byAdmin: boolean;
  /** null: none any more. */
  readonly role: Role | null;
};

/**
 * Changes a user's role or takes it away at once (decisions §4). For a day, editors and admins can undo the loss of an
 * editor's role. Only an admin can leave an organization without an editor; other roles don't count.
 * @returns Failure too-many-requests, editor-not-found, last-editor, editor-too-new, forbidden
 */
export async function changeRole(deps: Deps, change: Change): Promise<Empty | Failure> {
  const { orgId, userId, actorId, byAdmin, role } = change;
  const held = await editorById(deps.db.kysely, orgId, userId);
  if (!held) return new Failure('editor-not-found');
  const limited = byAdmin ? undefined : await checkRateLimit(deps, 'removal', { person: actorId });
  if (limited) return limited;
  return inTransaction(deps.db, async (tx) => {
    // Locks the address so the same person can't be added concurrently.
    await lockAddress(tx, held.email.toLowerCase());
    const team = await lockedTeam(tx, orgId);
    const member = team.find(({ user_id }) => user_id === userId);
    if (!member) return new Failure('editor-not-found');
    if (member.role === role) return {};
    const refused = refusalOf(change, { team, member, now: deps.now() });
    if (refused) return refused;
    await setRole(tx, member, role, deps.now());
    if (userId !== actorId) await announce(tx, deps, change, { team, member });
    return {};
  });
}

type Context = { readonly team: readonly HeldRole[]; readonly member: HeldRole };

function refusalOf(
  { userId, actorId, byAdmin }: Change,
  { team, member, now }: Context & { readonly now: Date },
): Failure | undefined {
  if (byAdmin) return undefined;
  const editors = team.filter(({ role }) => role === 'editor');
  const actor = editors.find(({ user_id }) => user_id === actorId);
  // Two editors may remove each other at the same time: the second one no longer has the role.
  if (userId !== actorId && !actor) return new Failure('forbidden');
  if (member.role !== 'editor') return undefined;
  if (editors.length === 1) return new Failure('last-editor');
  const isNew = actor && actor.created_at.getTime() > now.getTime() - EDITOR_UNDO_MS;
  return isNew && member.created_at < actor.created_at ? new Failure('editor-too-new') : undefined;
}

/** Mails the person, and about an editor also the other editors and the admins. */
async function announce(
  tx: Transaction<Tables>,
  { jobs, now }: Pick<Deps, 'jobs' | 'now'>,
  { orgId, userId, actorId, role: becomes }: Change,
  { team, member }: Context,
): Promise<void> {
  const { role } = member;
  if (becomes && (role !== 'editor' || becomes === 'editor')) {
    return jobs.enqueue(tx, sendNewRoleEmail, { orgId, userId, addedBy: actorId });
  }
  const at = now();
  const readers = new Set([userId]);
  if (role === 'editor') {
    await saveRemoval(tx, member, at);
    for (const { user_id } of team.filter((each) => each.role === 'editor')) readers.add(user_id);
    for (const id of await adminIds(tx)) readers.add(id);
    readers.delete(actorId);
  }
  const lost = { orgId, userId, role, becomes, removedBy: actorId, at: at.toISOString() };
  await jobs.enqueueAll(
    tx,
    sendLostRoleEmail,
    [...readers].map((to) => ({ ...lost, to })),
  );
}

/** Gives an editor's role back within a day. @returns Failure editor-not-found, forbidden */
export async function restoreEditor(
  { db, jobs, now }: Deps,
  { orgId, userId, actorId, byAdmin }: Member & { readonly byAdmin: boolean },
): Promise<Empty | Failure> {
  return inTransaction(db, async (tx) => {
    const team = await lockedTeam(tx, orgId);
    if (!byAdmin && !team.some(({ user_id, role }) => user_id === actorId && role === 'editor')) {
      return new Failure('forbidden');
    }
    const removed = await takeRemoval(tx, { orgId, userId }, lastEndedRemoval(now()));
    if (!removed) return new Failure('editor-not-found');
    await setRole(tx, removed, 'editor', removed.created_at);
    await jobs.enqueue(tx, sendNewRoleEmail, { orgId, userId, addedBy: actorId });
    return {};
  });
}

/** Deletes invitations that have expired and removals that can no longer be undone. */
export async function sweepEditors({ db, now }: Pick<AppDeps, 'db' | 'now'>): Promise<void> {
  await deleteInvitationsUntil(db.kysely, lastEndedInvitation(now()));
  await deleteRemovalsUntil(db.kysely, lastEndedRemoval(now()));
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

export const editorSweep = defineRecurringJob({
  name: 'sweep-editors',
  firstMs: 60_000,
  everyMs: 60 * 60_000,
  isExclusive: false,
  run: (deps: Pick<AppDeps, 'db' | 'now'>) => takingLong(() => sweepEditors(deps)),
});
