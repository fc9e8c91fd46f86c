import type { Transaction } from 'kysely';
import { Failure } from '#domain/failures.ts';
import type { UserId } from '#domain/ids.ts';
import { FEW_RECOVERY_CODES, plainAuthenticatorCode } from '#domain/second-factor.ts';
import type { Tables } from '#server/db/tables.ts';
import type { AppDeps } from '#server/deps.ts';
import type { UserVerification } from '#server/gateways/identity/identity.ts';
import { removeByAdmin } from './manage-second-factors.ts';
import { hashOfRecoveryCode } from './recovery-codes.ts';
import {
  authenticatorKey,
  hasSecondFactor,
  notePasskeyUse,
  passkeyById,
  secondFactorsOf,
  setRemoval,
  takeRecoveryCode,
  takeStep,
} from './second-factors.store.ts';
import { sendSecondFactorEmail } from './send-second-factor-email.job.ts';

type Deps = Pick<AppDeps, 'identity' | 'jobs' | 'now'>;

/** What a person sends as the second step: one of them; the first counts. */
export type SentFactor = {
  readonly passkey?: { readonly id: string } | undefined;
  readonly recoveryCode?: string | undefined;
  readonly code?: string | undefined;
};

/** What was asked of a passkey. */
export type Asked = { readonly challenge: string | null; readonly userVerification: UserVerification };

/** Whether a login needs a second step. A removal that is due takes effect here. */
export async function needsSecondStep(
  tx: Transaction<Tables>,
  deps: Pick<Deps, 'jobs' | 'now'>,
  user: UserOfStep,
): Promise<boolean> {
  if (user.second_factor_ends_at && user.second_factor_ends_at <= deps.now()) await removeByAdmin(tx, deps, user.id);
  return hasSecondFactor(tx, user.id);
}

type UserOfStep = { readonly id: string; readonly second_factor_ends_at: Date | null };

/** What the person can use, and what a passkey is asked. */
export async function secondStepOf({ db, identity }: Pick<AppDeps, 'db' | 'identity'>, userId: UserId) {
  const { passkeys, authenticatorSince, recoveryCodesLeft } = await secondFactorsOf(db.kysely, userId);
  const options =
    passkeys.length > 0
      ? await identity.passkeys.requestOptions({ allowed: passkeys, userVerification: 'preferred' })
      : null;
  return { passkey: options, authenticator: authenticatorSince !== undefined, recoveryCodes: recoveryCodesLeft > 0 };
}

/**
 * Checks a second factor and uses it up. Whoever has one calls off its removal by an admin.
 * @param userId undefined where the passkey says who it is
 * @returns the user; Failure wrong-code, wrong-recovery-code, passkey-refused
 */
export async function redeemSecondFactor(
  tx: Transaction<Tables>,
  deps: Deps,
  { userId, sent, asked }: { readonly userId: UserId | undefined; readonly sent: SentFactor; readonly asked: Asked },
): Promise<string | Failure> {
  const used = await usedBy(tx, deps, { userId, sent, asked });
  if (!(used instanceof Failure)) await setRemoval(tx, used, null);
  return used;
}

function usedBy(
  tx: Transaction<Tables>,
  deps: Deps,
  { userId, sent, asked }: { readonly userId: UserId | undefined; readonly sent: SentFactor; readonly asked: Asked },
): Promise<string | Failure> {
  const { passkey, recoveryCode, code = '' } = sent;
  if (passkey) return redeemPasskey(tx, deps, { userId, passkey, asked });
  if (userId === undefined) throw new Error('A code is of a person who is known.');
  return recoveryCode === undefined
    ? redeemAppCode(tx, deps, userId, code)
    : redeemRecoveryCode(tx, deps, userId, recoveryCode);
}

async function redeemAppCode(
  tx: Transaction<Tables>,
  { identity }: Deps,
  userId: UserId,
  typed: string,
): Promise<string | Failure> {
  const code = plainAuthenticatorCode(typed);
  const key = await authenticatorKey(tx, userId);
  const step =
    code === undefined || key === undefined ? undefined : await identity.authenticatorCodes.stepOf(userId, key, code);
  const isRight = step !== undefined && (await takeStep(tx, userId, step));
  return isRight ? userId : new Failure('wrong-code');
}

async function redeemRecoveryCode(
  tx: Transaction<Tables>,
  { jobs, now }: Deps,
  userId: UserId,
  typed: string,
): Promise<string | Failure> {
  const left = await takeRecoveryCode(tx, userId, hashOfRecoveryCode(typed));
  if (left === undefined) return new Failure('wrong-recovery-code');
  const change = left <= FEW_RECOVERY_CODES ? 'few-recovery-codes' : 'recovery-code-used';
  await jobs.enqueue(tx, sendSecondFactorEmail, { userId, change, left, at: now().toISOString() });
  return userId;
}

async function redeemPasskey(
  tx: Transaction<Tables>,
  { identity, now }: Deps,
  sent: { readonly userId: UserId | undefined; readonly passkey: { readonly id: string }; readonly asked: Asked },
): Promise<string | Failure> {
  const { challenge, userVerification } = sent.asked;
  const passkey = await passkeyById(tx, sent.passkey.id);
  const isTheirs = passkey && (sent.userId ?? passkey.userId) === passkey.userId;
  if (!isTheirs || challenge === null) return new Failure('passkey-refused');
  const counter = await identity.passkeys.counterAfter(sent.passkey, { challenge, passkey, userVerification });
  const isUsed = counter !== undefined && (await notePasskeyUse(tx, passkey, counter, now()));
  return isUsed ? passkey.userId : new Failure('passkey-refused');
}
