import { z } from 'zod';
import { Failure } from '#domain/failures.ts';
import { makeEmailSafe, optionalNameFailure } from '#domain/names.ts';
import { parseEmail } from '#domain/profile.ts';
import { tooManyRequests } from '#domain/server-failures.ts';
import type { Language } from '#messages';
import { newId } from '#server/db/new-id.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { reserveEmailSlot } from '#server/features/rate-limits/email-pace.ts';
import { defineJob } from '#server/jobs/define-job.ts';
import { insertUser, setPassword } from './accounts.store.ts';
import { newPasswordFailure } from './new-password.ts';
import { sendSessionEmail } from './send-session-email.job.ts';
import type { SessionDeps } from './session-lifecycle.ts';
import { consumeSignUp, insertSignUp } from './sign-ups.store.ts';

/** Sign-ups that no job has processed are deleted after this time. */
const SIGN_UP_MS = 24 * 60 * 60_000;

type SignUpInput = {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  readonly returnTo?: string | undefined;
};

/**
 * Accepts a sign-up. A job later looks up whether the address has an account, so that neither the response nor its
 * timing reveals it (decisions §4).
 * @returns Failure no-email, invalid-email, name-too-long, password-too-short, -too-long, -too-common or -is-email,
 * too-many-requests
 */
export async function signUp(
  deps: SessionDeps,
  input: SignUpInput,
  { client, language }: { readonly client: string; readonly language: Language },
): Promise<Record<string, never> | Failure> {
  const { db, identity, jobs, now } = deps;
  const email = parseEmail(input.email);
  if (email instanceof Failure) return email;
  const failure = optionalNameFailure(input.name) ?? newPasswordFailure(input.password, email);
  if (failure) return failure;
  const emailSlot = await reserveEmailSlot(deps, 'sign-up', { email, client });
  if (emailSlot instanceof Failure) return emailSlot;
  // Don't store a password while its email is delayed. The user can request a sign-in link instead.
  if (emailSlot.sendAt) return tooManyRequests(Math.ceil((emailSlot.sendAt.getTime() - now().getTime()) / 1000));
  const hash = await identity.hashPassword(input.password);
  const signUpId = newId();
  await inTransaction(db, async (tx) => {
    const newSignUp = { email, hash, name: input.name.trim(), returnTo: input.returnTo, language };
    await insertSignUp(tx, signUpId, newSignUp, new Date(now().getTime() + SIGN_UP_MS));
    await jobs.enqueue(tx, finishSignUp, { signUpId });
  });
  return {};
}

/** Creates the account with an unverified address. An existing account doesn't change, and its owner gets an email. */
export const finishSignUp = defineJob({
  name: 'finish-sign-up',
  payload: z.object({ signUpId: z.string() }),
  async run({ db, jobs }: Pick<SessionDeps, 'db' | 'jobs'>, { signUpId }) {
    await inTransaction(db, async (tx) => {
      const pendingSignUp = await consumeSignUp(tx, signUpId);
      if (!pendingSignUp) return;
      const { email, name, hash, returnTo, language } = pendingSignUp;
      const userId = newId();
      if (await insertUser(tx, { id: userId, email, name: makeEmailSafe(name), language })) {
        await setPassword(tx, newId(), userId, hash);
        await jobs.enqueue(tx, sendSessionEmail, { kind: 'verify', userId, returnTo, language });
      } else {
        await jobs.enqueue(tx, sendSessionEmail, { kind: 'known-address', email, returnTo, language });
      }
    });
  },
});
