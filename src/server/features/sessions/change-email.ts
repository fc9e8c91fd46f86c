import type { Transaction } from 'kysely';
import { Failure } from '#domain/failures.ts';
import type { SignedInUser } from '#domain/permissions.ts';
import { parseEmail } from '#domain/profile.ts';
import type { Language } from '#messages';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { UserRow } from '#server/entities/find-user.ts';
import { reserveEmailSlot } from '#server/features/rate-limits/email-pace.ts';
import { addField } from '#server/http/problems.ts';
import { findUserByEmail, saveEmail } from './accounts.store.ts';
import { deleteUserCodes } from './email-codes.store.ts';
import { sendSessionEmail } from './send-session-email.job.ts';
import type { SessionDeps } from './session-lifecycle.ts';

/**
 * Emails a link to the user's new address, which changes the address when the user opens it (`verify-email.ts`). A job
 * later looks up whether the address has an account, so that the response doesn't reveal it (decisions §4).
 * @returns Failure no-email, invalid-email, too-many-requests
 */
export async function requestEmailChange(
  deps: SessionDeps,
  { userId }: SignedInUser,
  input: string,
  { client, language }: { readonly client: string; readonly language: Language },
): Promise<Record<string, never> | Failure> {
  const email = parseEmail(input);
  if (email instanceof Failure) return addField('email', email) ?? email;
  const slot = await reserveEmailSlot(deps, `new-email ${userId}`, { email, client });
  if (slot instanceof Failure) return slot;
  const job = { kind: 'new-email', userId, email, language } as const;
  const { db, jobs } = deps;
  if (!slot.isQueued) await inTransaction(db, (tx) => jobs.enqueue(tx, sendSessionEmail, job, slot.sendAt));
  return {};
}

/**
 * Changes the locked user's address, and notifies the old address if it was verified. Sessions stay open. Codes sent to
 * the old address stop working.
 * @returns the user with the new address; undefined if another account has it
 */
export async function changeEmail(
  tx: Transaction<Tables>,
  { jobs, now }: Pick<SessionDeps, 'jobs' | 'now'>,
  user: UserRow,
  email: string,
): Promise<UserRow | undefined> {
  if (await findUserByEmail(tx, email)) return undefined;
  await saveEmail(tx, user.id, email);
  await deleteUserCodes(tx, user.id, 'new-email');
  await deleteUserCodes(tx, user.id, 'confirmation');
  if (user.email_verified) {
    const notice = { formerEmail: user.email, email, changedAt: now().toISOString(), language: user.language };
    await jobs.enqueue(tx, sendSessionEmail, { kind: 'email-changed', ...notice });
  }
  return { ...user, email };
}
