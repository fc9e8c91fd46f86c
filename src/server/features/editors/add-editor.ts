import type { Transaction } from 'kysely';
import type { Answer } from '#contract/schemas.ts';
import { Failure } from '#domain/failures.ts';
import { emailFailure } from '#domain/profile.ts';
import { lockAddress } from '#server/db/address-lock.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { limitAttempts } from '#server/features/rate-limits/limit-attempts.ts';
import { aboutField } from '#server/http/field-failure.ts';
import { newId } from '#server/ids.ts';
import { ownerOfAddress, type UserFacts } from '#server/users/find-user.ts';
import { presentInvitation } from './editors.present.ts';
import { insertEditor, saveInvitation, takeInvitations } from './editors.store.ts';

type Deps = Pick<AppDeps, 'db' | 'jobs' | 'now'>;
type AddedEditor = Answer<'addEditor'>;
type Request = { readonly orgId: string; readonly email: string; readonly invitedBy: string };
/** @property client the address of whoever asks */
type ClientRequest = Request & { readonly client: string };

/**
 * Makes the owner of an address an editor, who is told by mail. Where nobody has proven the address it is invited, by
 * mail; asked for again, the mail is sent again. An account whose address is not proven gets no power by this
 * (decisions §4).
 * @returns Failure no-email, invalid-email, already-editor, too-many-requests
 */
export async function addEditor(deps: Deps, request: ClientRequest): Promise<AddedEditor | Failure> {
  const { email, client } = request;
  const refusal =
    aboutField('email', emailFailure(email)) ?? (await limitAttempts(deps, 'invitation', { email, client }));
  return refusal ?? inTransaction(deps.db, (tx) => appointEditor(tx, deps, request));
}

/** The same of an address that is one, in an organisation that is there. @returns Failure already-editor */
export async function appointEditor(
  tx: Transaction<Tables>,
  deps: Pick<Deps, 'jobs' | 'now'>,
  { orgId, email, invitedBy }: Request,
): Promise<AddedEditor | Failure> {
  const address = email.trim().toLowerCase();
  await lockAddress(tx, address);
  const person = await ownerOfAddress(tx, address);
  return person
    ? giveRole(tx, deps, { orgId, person, addedBy: invitedBy })
    : invite(tx, deps, { orgId, email: address, invitedBy });
}

async function giveRole(
  tx: Transaction<Tables>,
  { jobs, now }: Pick<Deps, 'jobs' | 'now'>,
  { orgId, person, addedBy }: { orgId: string; person: UserFacts; addedBy: string },
): Promise<AddedEditor | Failure> {
  const { userId, email, displayName } = person;
  await takeInvitations(tx, email, orgId);
  const editor = { org_id: orgId, user_id: userId, display_name: displayName, created_at: now() };
  if (!(await insertEditor(tx, editor))) return new Failure('already-editor', { name: displayName || email });
  if (userId !== addedBy) await jobs.enqueue(tx, 'mail-new-editor', { orgId, userId, addedBy });
  return { userId, displayName, email, role: 'editor', invitation: null };
}

async function invite(
  tx: Transaction<Tables>,
  { jobs, now }: Pick<Deps, 'jobs' | 'now'>,
  { orgId, email, invitedBy }: Request,
): Promise<AddedEditor> {
  const row = { id: newId(), org_id: orgId, email, invited_by: invitedBy, created_at: now() };
  const invitation = await saveInvitation(tx, row);
  await jobs.enqueue(tx, 'mail-invitation', { orgId, invitationId: invitation.id });
  return { userId: null, displayName: '', email, role: 'editor', invitation: presentInvitation(invitation) };
}
