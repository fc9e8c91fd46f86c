import { pagePath } from '#contract/pages.ts';
import { Failure } from '#domain/failures.ts';
import { makeEmailSafe, optionalNameFailure } from '#domain/names.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { findAddressOwner } from '#server/entities/find-user.ts';
import { findOpenInvitation, type OpenInvitation } from '#server/features/editors/add-editor.ts';
import { checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { addField } from '#server/http/problems.ts';
import { lockUser } from './accounts.store.ts';
import { findUsableCode, insertCode, redeemCode } from './email-codes.store.ts';
import { logIn, type SecondStepRequired } from './second-step.ts';
import { generateSecret, hashSecret } from './secrets.ts';
import type { Caller, OpenedSession, SessionDeps } from './session-lifecycle.ts';
import { findOrAddUser } from './sign-in.ts';
import { confirmEmail } from './verify-email.ts';

export type InvitationLink = {
  readonly invitationId: string;
  readonly email: string;
  readonly returnTo: string;
  /** When the invitation expires. */
  readonly expiresAt: Date;
};

/** Creates a single-use link that accepts an invitation. It contains neither the address nor the invitation's id. */
export async function createInvitationLink(
  { db, publicUrl, now }: Pick<AppDeps, 'db' | 'publicUrl' | 'now'>,
  { invitationId, email, returnTo, expiresAt }: InvitationLink,
): Promise<string> {
  const code = generateSecret();
  const hash = hashSecret(code);
  await insertCode(
    db.kysely,
    { purpose: 'invitation', hash, email, userId: undefined, invitationId, expiresAt },
    now(),
  );
  const query = new URLSearchParams({ code, invited: '1', return_to: returnTo });
  return `${publicUrl()}${pagePath('email-signin-page', {})}?${query.toString()}`;
}

/**
 * Reads what an invitation's code grants, without accepting the invitation.
 * @returns Failure link-invalid, too-many-requests
 */
export async function readInvitation(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  code: string,
  client: string,
): Promise<OpenInvitation | Failure> {
  const failure = await checkRateLimit({ db, now }, 'code', { client });
  if (failure) return failure;
  const match = { purpose: 'invitation', hash: hashSecret(code) } as const;
  const emailCode = await findUsableCode(db.kysely, match, now());
  if (!emailCode?.invitation_id || (await findAddressOwner(db.kysely, emailCode.email)))
    return new Failure('link-invalid');
  const { invitation_id: id, email } = emailCode;
  return (await findOpenInvitation(db.kysely, { id, email }, now())) ?? new Failure('link-invalid');
}

/**
 * Opens a session with an invitation's code and grants the role. The emailed code also verifies the address. Because
 * the code works for two weeks, it can't be used to log in to accounts with a verified address. It expires with its
 * invitation.
 * @returns Failure name-too-long, text-unprintable, text-with-address, text-like-address, link-invalid,
 * too-many-requests
 */
export async function acceptInvitation(
  deps: SessionDeps,
  input: { readonly code: string; readonly name: string },
  caller: Caller,
): Promise<OpenedSession | SecondStepRequired | Failure> {
  const { db, settings, now } = deps;
  const failure =
    addField('name', optionalNameFailure(input.name)) ??
    (await checkRateLimit(deps, 'code', { client: caller.client }));
  if (failure) return failure;
  const code = { purpose: 'invitation', hash: hashSecret(input.code) } as const;
  return inTransaction(db, async (tx) => {
    const emailCode = await findUsableCode(tx, code, now());
    if (!emailCode?.invitation_id) return new Failure('link-invalid');
    const existingUser = await lockUser(tx, { email: emailCode.email });
    if (existingUser?.email_verified) return new Failure('link-invalid');
    const { invitation_id: id, email } = emailCode;
    if (!(await findOpenInvitation(tx, { id, email }, now()))) return new Failure('link-invalid');
    if (!(await redeemCode(tx, code, now()))) return new Failure('link-invalid');
    const user = await findOrAddUser(tx, email);
    await confirmEmail(tx, { user, adminEmails: settings.adminEmails, name: makeEmailSafe(input.name), now: now() });
    return logIn(tx, deps, { user, authenticationMethod: 'mail', caller });
  });
}
