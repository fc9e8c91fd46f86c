import { pagePath } from '#contract/pages.ts';
import { Failure } from '#domain/failures.ts';
import { mailedName, optionalNameFailure } from '#domain/names.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { isOpenInvitation } from '#server/features/editors/add-editor.ts';
import { checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { aboutField } from '#server/http/problems.ts';
import { lockUser } from './accounts.store.ts';
import { insertCode, redeemCode, usableCode } from './mailed-codes.store.ts';
import { type HalfLoggedIn, logIn } from './second-step.ts';
import { hashOfSecret, newSecret } from './secrets.ts';
import type { Caller, OpenedSession, SessionDeps } from './session-lifecycle.ts';
import { lockedUserOf } from './sign-in.ts';
import { confirmEmail } from './verify-email.ts';

export type InvitationLink = {
  readonly invitationId: string;
  readonly email: string;
  readonly returnTo: string;
  /** The invitation's end. */
  readonly expiresAt: Date;
};

/** A link that accepts an invitation, once. It contains neither the address nor the invitation. */
export async function newInvitationLink(
  { db, publicUrl, now }: Pick<AppDeps, 'db' | 'publicUrl' | 'now'>,
  { invitationId, email, returnTo, expiresAt }: InvitationLink,
): Promise<string> {
  const code = newSecret();
  const kept = { purpose: 'invitation', hash: hashOfSecret(code), email, userId: undefined } as const;
  await insertCode(db.kysely, { ...kept, invitationId, expiresAt }, now());
  const query = new URLSearchParams({ code, invited: '1', return_to: returnTo });
  return `${publicUrl()}${pagePath('email-signin-page', {})}?${query.toString()}`;
}

/**
 * Opens a session with the code of an invitation, and gives the role. Who has the code has the mail, which proves the
 * address. It works for two weeks, so it opens no account whose address is proven already, and ends with its invitation.
 * @returns Failure name-too-long, text-unprintable, text-with-address, text-like-address, link-invalid, too-many-requests
 */
export async function acceptInvitation(
  deps: SessionDeps,
  sent: { readonly code: string; readonly name: string },
  caller: Caller,
): Promise<OpenedSession | HalfLoggedIn | Failure> {
  const { db, adminEmails, now } = deps;
  const refused =
    aboutField('name', optionalNameFailure(sent.name)) ??
    (await checkRateLimit(deps, 'code', { client: caller.client }));
  if (refused) return refused;
  const code = { purpose: 'invitation', hash: hashOfSecret(sent.code) } as const;
  return inTransaction(db, async (tx) => {
    const mailed = await usableCode(tx, code, now());
    if (!mailed?.invitation_id) return new Failure('link-invalid');
    const known = await lockUser(tx, { email: mailed.email });
    if (known?.email_verified) return new Failure('link-invalid');
    const { invitation_id: id, email } = mailed;
    if (!(await isOpenInvitation(tx, { id, email }, now()))) return new Failure('link-invalid');
    if (!(await redeemCode(tx, code, now()))) return new Failure('link-invalid');
    const user = await lockedUserOf(tx, email);
    await confirmEmail(tx, { user, adminEmails, name: mailedName(sent.name), now: now() });
    return logIn(tx, deps, { user, by: 'mail', caller });
  });
}
