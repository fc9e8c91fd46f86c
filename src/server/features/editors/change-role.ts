import type { Transaction } from 'kysely';
import { EDITOR_UNDO_MS, invitationCutoff, removalCutoff } from '#domain/editor-terms.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId, UserId } from '#domain/ids.ts';
import type { Role } from '#domain/permissions.ts';
import type { Tables } from '#server/db/tables.ts';
import type { TeamRole } from '#server/db/team-roles.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { listVerifiedAdminIds, lockAddress } from '#server/entities/find-user.ts';
import { checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import { sendLostRoleEmail, sendNewRoleEmail } from './editor-emails.job.ts';
import {
  consumeRemoval,
  deleteInvitation,
  deleteInvitationsUntil,
  deleteRemovalsUntil,
  findEditorById,
  lockFellowEditors,
  lockTeam,
  saveRemoval,
  setRole,
} from './editors.store.ts';

type Deps = Pick<AppDeps, 'db' | 'jobs' | 'now'>;
type Empty = Record<string, never>;
type Member = { readonly orgId: OrgId; readonly userId: UserId; readonly actorId: string };
type RoleChange = Member & {
  readonly isByAdmin: boolean;
  /** Null to remove the role. */
  readonly role: Role | null;
};

/**
 * Changes or removes a user's role immediately (decisions §4). Editors and admins can undo the removal of an editor for
 * a day. Only an admin can leave an organization without a user whose role is editor.
 * @returns Failure too-many-requests, editor-not-found, last-editor, editor-too-new, forbidden
 */
export async function changeRole(deps: Deps, change: RoleChange): Promise<Empty | Failure> {
  const { orgId, userId, actorId, isByAdmin, role } = change;
  const editor = await findEditorById(deps.db.kysely, orgId, userId);
  if (!editor) return new Failure('editor-not-found');
  const rateLimitFailure = isByAdmin ? undefined : await checkRateLimit(deps, 'removal', { userId: actorId });
  if (rateLimitFailure) return rateLimitFailure;
  return inTransaction(deps.db, async (tx) => {
    // Locks the address so the same person can't be added concurrently.
    await lockAddress(tx, editor.email.toLowerCase());
    const currentRoles = await lockTeam(tx, orgId);
    const member = currentRoles.find(({ user_id }) => user_id === userId);
    if (!member) return new Failure('editor-not-found');
    if (member.role === role) return {};
    const failure = roleChangeFailure(change, { currentRoles, member, now: deps.now() });
    if (failure) return failure;
    await setRole(tx, member, role, deps.now());
    if (userId !== actorId) await queueRoleEmails(tx, deps, change, { currentRoles, member });
    return {};
  });
}

type Context = { readonly currentRoles: readonly TeamRole[]; readonly member: TeamRole };

function roleChangeFailure(
  { userId, actorId, isByAdmin }: RoleChange,
  { currentRoles, member, now }: Context & { readonly now: Date },
): Failure | undefined {
  if (isByAdmin) return undefined;
  const editors = currentRoles.filter(({ role }) => role === 'editor');
  const actor = editors.find(({ user_id }) => user_id === actorId);
  // If two editors remove each other at the same time, the second one has already lost the role.
  if (userId !== actorId && !actor) return new Failure('forbidden');
  if (member.role !== 'editor') return undefined;
  if (editors.length === 1) return new Failure('last-editor');
  const isNew = actor && actor.created_at.getTime() > now.getTime() - EDITOR_UNDO_MS;
  return isNew && member.created_at < actor.created_at ? new Failure('editor-too-new') : undefined;
}

/** Emails the person and, if the person was an editor, the other editors and the admins. */
async function queueRoleEmails(
  tx: Transaction<Tables>,
  { jobs, now }: Pick<Deps, 'jobs' | 'now'>,
  { orgId, userId, actorId, role: newRole }: RoleChange,
  { currentRoles, member }: Context,
): Promise<void> {
  const { role } = member;
  if (newRole && (role !== 'editor' || newRole === 'editor')) {
    return jobs.enqueue(tx, sendNewRoleEmail, { orgId, userId, addedBy: actorId });
  }
  const time = now();
  const recipients = new Set([userId]);
  if (role === 'editor') {
    await saveRemoval(tx, member, time);
    for (const { user_id } of currentRoles.filter((teamRole) => teamRole.role === 'editor')) recipients.add(user_id);
    for (const id of await listVerifiedAdminIds(tx)) recipients.add(id);
    recipients.delete(actorId);
  }
  const removal = { orgId, userId, role, newRole, removedBy: actorId, at: time.toISOString() };
  await jobs.enqueueAll(
    tx,
    sendLostRoleEmail,
    [...recipients].map((to) => ({ ...removal, to })),
  );
}

/** Restores an editor who was removed less than a day ago. @returns Failure editor-not-found, forbidden */
export async function restoreEditor(
  { db, jobs, now }: Deps,
  { orgId, userId, actorId, isByAdmin }: Member & { readonly isByAdmin: boolean },
): Promise<Empty | Failure> {
  return inTransaction(db, async (tx) => {
    const team = await lockTeam(tx, orgId);
    if (!isByAdmin && !team.some(({ user_id, role }) => user_id === actorId && role === 'editor')) {
      return new Failure('forbidden');
    }
    const removal = await consumeRemoval(tx, { orgId, userId }, removalCutoff(now()));
    if (!removal) return new Failure('editor-not-found');
    await setRole(tx, removal, 'editor', removal.created_at);
    await jobs.enqueue(tx, sendNewRoleEmail, { orgId, userId, addedBy: actorId });
    return {};
  });
}

/** Deletes invitations that have expired and removals that can no longer be undone. */
export async function sweepEditors({ db, now }: Pick<AppDeps, 'db' | 'now'>): Promise<void> {
  await deleteInvitationsUntil(db.kysely, invitationCutoff(now()));
  await deleteRemovalsUntil(db.kysely, removalCutoff(now()));
}

/** @returns Failure invitation-not-found */
export async function withdrawInvitation(
  { db }: Pick<AppDeps, 'db'>,
  orgId: OrgId,
  invitationId: string,
): Promise<Record<string, never> | Failure> {
  return (await deleteInvitation(db.kysely, orgId, invitationId)) ? {} : new Failure('invitation-not-found');
}

/** Checks whether any organization would have no editor without this user. */
export async function isLastEditor(tx: Transaction<Tables>, userId: UserId): Promise<boolean> {
  const editors = await lockFellowEditors(tx, userId);
  const sharedOrgs = new Set(editors.filter(({ user_id }) => user_id !== userId).map(({ org_id }) => org_id));
  return editors.some(({ org_id }) => !sharedOrgs.has(org_id));
}

export const sweepEditorsJob = defineRecurringJob({
  name: 'sweep-editors',
  initialDelayMs: 60_000,
  intervalMs: 60 * 60_000,
  isExclusive: false,
  isLong: true,
  run: sweepEditors,
});
