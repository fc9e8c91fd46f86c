import type { Kysely, Transaction } from 'kysely';
import type { ResponseBody } from '#contract/schemas.ts';
import { invitationExpiry } from '#domain/editor-terms.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId, UserId } from '#domain/ids.ts';
import { makeEmailSafe } from '#domain/names.ts';
import { ROLE_TEXTS, type Role } from '#domain/permissions.ts';
import { emailFailure } from '#domain/profile.ts';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { findAddressOwner, findUserRow, lockAddress, type UserFacts } from '#server/entities/find-user.ts';
import { checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { addField } from '#server/http/problems.ts';
import { sendInvitationEmail, sendNewRoleEmail } from './editor-emails.job.ts';
import { presentInvitation } from './editors.present.ts';
import { consumeInvitations, findEditorById, findInvitation, insertRole, saveInvitation } from './editors.store.ts';

export { renameEditor } from './editors.store.ts';

type Deps = Pick<AppDeps, 'db' | 'jobs' | 'now'>;
type AddedEditor = ResponseBody<'addEditor'>;
type RoleRequest = {
  readonly orgId: OrgId;
  readonly email: string;
  readonly role: Role;
  /** Null for the operator's command. */
  readonly invitedBy: UserId | null;
};
/** Details of an invitation for the invited person. */
export type OpenInvitation = {
  readonly role: Role;
  readonly orgName: string;
  /** Name or address of the inviter, or the organization's name for an invitation by the operator. */
  readonly invitedBy: string;
};
type LimitedRoleRequest = RoleRequest & {
  readonly invitedBy: UserId;
  readonly ipAddress: string;
};

/**
 * Gives the owner of an address a role and notifies them by email. An unverified address gets a new invitation email with
 * every call; an unverified account gets no role (decisions §4).
 * @returns Failure no-email, invalid-email, already-editor, too-many-requests
 */
export async function addEditor(deps: Deps, request: LimitedRoleRequest): Promise<AddedEditor | Failure> {
  const { email, ipAddress } = request;
  const failure =
    addField('email', emailFailure(email)) ??
    (await checkRateLimit(deps, 'invitation', { email, client: ipAddress, userId: request.invitedBy }));
  return failure ?? inTransaction(deps.db, (tx) => grantRoleOrInvite(tx, deps, request));
}

/** Adds an editor with a valid address, without a rate limit. @returns Failure already-editor */
export async function grantRoleOrInvite(
  tx: Transaction<Tables>,
  deps: Pick<Deps, 'jobs' | 'now'>,
  { orgId, email, role, invitedBy }: RoleRequest,
): Promise<AddedEditor | Failure> {
  const address = email.trim().toLowerCase();
  await lockAddress(tx, address);
  const user = await findAddressOwner(tx, address);
  return user
    ? grantRole(tx, deps, { orgId, user, role, addedBy: invitedBy })
    : invite(tx, deps, { orgId, email: address, role, invitedBy });
}

async function grantRole(
  tx: Transaction<Tables>,
  { jobs, now }: Pick<Deps, 'jobs' | 'now'>,
  { orgId, user, role, addedBy }: { orgId: OrgId; user: UserFacts; role: Role; addedBy: UserId | null },
): Promise<AddedEditor | Failure> {
  const { userId, email, displayName } = user;
  await consumeInvitations(tx, email, orgId);
  // Adding an address must not reveal its owner's name.
  const visibleName = userId === addedBy ? displayName : '';
  if (!(await insertRole(tx, { org_id: orgId, user_id: userId, display_name: visibleName, role, created_at: now() }))) {
    const editor = await findEditorById(tx, orgId, userId);
    return new Failure('already-editor', {
      name: editor?.display_name || email,
      role: ROLE_TEXTS[editor?.role ?? role].roleNoun,
    });
  }
  if (userId !== addedBy) await jobs.enqueue(tx, sendNewRoleEmail, { orgId, userId, addedBy });
  return { userId, email, role, invitation: null };
}

async function invite(
  tx: Transaction<Tables>,
  { jobs, now }: Pick<Deps, 'jobs' | 'now'>,
  { orgId, email, role, invitedBy }: RoleRequest,
): Promise<AddedEditor> {
  const invitation = { id: newId(), org_id: orgId, email, role, invited_by: invitedBy, created_at: now() };
  await saveInvitation(tx, invitation);
  await jobs.enqueue(tx, sendInvitationEmail, { orgId, invitationId: invitation.id });
  return { userId: null, email, role, invitation: presentInvitation(invitation) };
}

/** Finds an invitation that an address can still accept. It may have expired or been withdrawn or replaced. */
export async function findOpenInvitation(
  db: Kysely<Tables>,
  { id, email }: { readonly id: string; readonly email: string },
  now: Date,
): Promise<OpenInvitation | undefined> {
  const invitation = await findInvitation(db, id);
  if (invitation?.email !== email || invitationExpiry(invitation.created_at) <= now) return undefined;
  const { role, org_name: orgName, inviter_name, inviter_email } = invitation;
  return { role, orgName, invitedBy: makeEmailSafe(inviter_name) || inviter_email || orgName };
}

/**
 * Gives a user the roles of the open invitations to the newly verified address.
 * @param address lowercase; the caller must hold its lock
 */
export async function acceptInvitations(
  tx: Transaction<Tables>,
  { userId, address }: { readonly userId: UserId; readonly address: string },
  now: Date,
): Promise<void> {
  const invitations = await consumeInvitations(tx, address);
  const openInvitations = invitations.filter(({ created_at }) => invitationExpiry(created_at) > now);
  if (openInvitations.length === 0) return;
  const { display_name = '' } = (await findUserRow(tx, userId)) ?? {};
  for (const { org_id, role } of openInvitations) {
    await insertRole(tx, { org_id, role, user_id: userId, display_name, created_at: now });
  }
}
