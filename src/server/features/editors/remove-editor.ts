import type { Transaction } from 'kysely';
import { Failure } from '#domain/failures.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import type { JobData } from '#server/jobs/jobs.ts';
import {
  deleteEditor,
  deleteInvitation,
  editorById,
  lockedFellowEditors,
  lockedTeam,
  setLeaving,
} from './editors.store.ts';

/** Long enough for whom an editor removed, and for the other editors, to read the mail and object (decisions §4). */
const OBJECT_WITHIN_MS = 24 * 60 * 60_000;

type Deps = Pick<AppDeps, 'db' | 'jobs' | 'now'>;
type Member = { readonly orgId: string; readonly userId: string };
type Removal = Member & { readonly actorId: string; readonly byAdmin: boolean };

/**
 * Takes a user's role away: at once if an admin or the user asks, and otherwise a day later, so that no editor gets rid of
 * the others unnoticed. All editors are told by mail and can object. Only an admin can leave an organization without an
 * editor; people with other roles, and those who are leaving, don't count.
 * @returns Failure too-many-requests, editor-not-found, last-editor
 */
export async function removeEditor(
  deps: Deps,
  { orgId, userId, actorId, byAdmin }: Removal,
): Promise<{ leavesTimestamp: string | null } | Failure> {
  if (!(await editorById(deps.db.kysely, orgId, userId))) return new Failure('editor-not-found');
  const refused = byAdmin ? undefined : await checkRateLimit(deps, 'removal', { person: actorId });
  if (refused) return refused;
  return inTransaction(deps.db, async (tx) => {
    const team = await lockedTeam(tx, orgId);
    const member = team.find(({ user_id }) => user_id === userId);
    if (!member) return new Failure('editor-not-found');
    if (!byAdmin && !hasOthers(team, userId)) return new Failure('last-editor');
    if (byAdmin || userId === actorId || member.role !== 'editor') {
      await deleteEditor(tx, orgId, userId);
      return { leavesTimestamp: null };
    }
    if (member.leaves_at) return { leavesTimestamp: member.leaves_at.toISOString() };
    const at = new Date(deps.now().getTime() + OBJECT_WITHIN_MS);
    const leavesAt = at.toISOString();
    await setLeaving(tx, { orgId, userId }, at);
    await deps.jobs.enqueue(tx, 'end-editor', { orgId, userId, leavesAt }, at);
    const told = team.filter(({ user_id, role }) => user_id !== actorId && role === 'editor');
    const mails = told.map(({ user_id: to }) => ({ orgId, userId, leavesAt, to, removedBy: actorId }));
    await deps.jobs.enqueueAll(tx, 'mail-leaving-editor', mails);
    return { leavesTimestamp: leavesAt };
  });
}

function hasOthers(team: Awaited<ReturnType<typeof lockedTeam>>, userId: string): boolean {
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

/** Ends a removed editor's role after the day in which nobody objected, unless the others have left meanwhile. */
export async function endEditor(
  { db }: Pick<AppDeps, 'db'>,
  { orgId, userId, leavesAt }: JobData['end-editor'],
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const team = await lockedTeam(tx, orgId);
    const leaving = team.find(({ user_id }) => user_id === userId);
    if (leaving?.leaves_at?.toISOString() !== leavesAt) return;
    if (hasOthers(team, userId)) await deleteEditor(tx, orgId, userId);
    else await setLeaving(tx, { orgId, userId }, null);
  });
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
