import type { Transaction } from 'kysely';
import { Failure } from '#domain/failures.ts';
import type { UserId } from '#domain/ids.ts';
import { LOW_RECOVERY_CODE_COUNT, parseAuthenticatorCode } from '#domain/second-factor.ts';
import type { Tables } from '#server/db/tables.ts';
import type { AppDeps } from '#server/deps.ts';
import type { UserVerification } from '#server/gateways/identity/identity.ts';
import { removeByAdmin } from './manage-second-factors.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import {
  consumeRecoveryCode,
  consumeTimeStep,
  findAuthenticatorKey,
  findPasskey,
  findSecondFactors,
  hasSecondFactor,
  recordPasskeyUse,
  setRemovalTime,
} from './second-factors.store.ts';
import { sendSecondFactorEmail } from './send-second-factor-email.job.ts';

type Deps = Pick<AppDeps, 'identity' | 'jobs' | 'now'>;

/** The user's input for the second step. If several are set, the first one is used. */
export type SecondFactorInput = {
  readonly passkey?: { readonly id: string } | undefined;
  readonly recoveryCode?: string | undefined;
  readonly code?: string | undefined;
};

/** The request that a passkey must have signed; a null challenge matches no passkey. */
type PasskeyRequest = { readonly challenge: string | null; readonly userVerification: UserVerification };

/**
 * Returns whether a login needs a second step. First carries out an admin's removal of the second step if the waiting
 * period is over.
 */
export async function needsSecondStep(
  tx: Transaction<Tables>,
  deps: Pick<Deps, 'jobs' | 'now'>,
  user: { readonly id: string; readonly second_factor_removal_at: Date | null },
): Promise<boolean> {
  if (user.second_factor_removal_at && user.second_factor_removal_at <= deps.now())
    await removeByAdmin(tx, deps, user.id);
  return hasSecondFactor(tx, user.id);
}

/** Finds the types of the user's second factors, and creates a challenge for their passkeys. */
export async function findSecondStep({ db, identity }: Pick<AppDeps, 'db' | 'identity'>, userId: UserId) {
  const { passkeys, authenticatorAddedAt, recoveryCodeCount } = await findSecondFactors(db.kysely, userId);
  const options =
    passkeys.length > 0
      ? await identity.passkeys.requestOptions({ allowedPasskeys: passkeys, userVerification: 'preferred' })
      : null;
  return { passkey: options, authenticator: authenticatorAddedAt !== undefined, recoveryCodes: recoveryCodeCount > 0 };
}

/**
 * Checks a second factor and uses it up. Also cancels an admin's pending removal of the second step.
 * @param attempt `userId` is undefined if the passkey identifies the user
 * @returns the user's id; Failure wrong-code, wrong-recovery-code, passkey-rejected
 */
export async function redeemSecondFactor(
  tx: Transaction<Tables>,
  deps: Deps,
  attempt: SecondFactorAttempt,
): Promise<string | Failure> {
  const userId = await redeemFactor(tx, deps, attempt);
  if (!(userId instanceof Failure)) await setRemovalTime(tx, userId, null);
  return userId;
}

type SecondFactorAttempt = {
  readonly userId: string | undefined;
  readonly input: SecondFactorInput;
  readonly passkeyRequest: PasskeyRequest;
};

function redeemFactor(
  tx: Transaction<Tables>,
  deps: Deps,
  { userId, input, passkeyRequest }: SecondFactorAttempt,
): Promise<string | Failure> {
  const { passkey, recoveryCode, code = '' } = input;
  if (passkey) return redeemPasskey(tx, deps, { userId, passkey, passkeyRequest });
  if (userId === undefined) throw new Error('A code needs a user id.');
  return recoveryCode === undefined
    ? redeemAppCode(tx, deps, userId, code)
    : redeemRecoveryCode(tx, deps, userId, recoveryCode);
}

async function redeemAppCode(
  tx: Transaction<Tables>,
  { identity }: Deps,
  userId: UserId,
  enteredCode: string,
): Promise<string | Failure> {
  const code = parseAuthenticatorCode(enteredCode);
  const key = await findAuthenticatorKey(tx, userId);
  const step =
    code === undefined || key === undefined
      ? undefined
      : await identity.authenticatorCodes.findTimeStep(userId, key, code);
  const isCorrect = step !== undefined && (await consumeTimeStep(tx, userId, step));
  return isCorrect ? userId : new Failure('wrong-code');
}

async function redeemRecoveryCode(
  tx: Transaction<Tables>,
  { jobs, now }: Deps,
  userId: UserId,
  enteredCode: string,
): Promise<string | Failure> {
  const remainingCodes = await consumeRecoveryCode(tx, userId, hashRecoveryCode(enteredCode));
  if (remainingCodes === undefined) return new Failure('wrong-recovery-code');
  const change = remainingCodes <= LOW_RECOVERY_CODE_COUNT ? 'few-recovery-codes' : 'recovery-code-used';
  await jobs.enqueue(tx, sendSecondFactorEmail, { userId, change, left: remainingCodes, at: now().toISOString() });
  return userId;
}

async function redeemPasskey(
  tx: Transaction<Tables>,
  { identity, now }: Deps,
  attempt: {
    readonly userId: UserId | undefined;
    readonly passkey: { readonly id: string };
    readonly passkeyRequest: PasskeyRequest;
  },
): Promise<string | Failure> {
  const { challenge, userVerification } = attempt.passkeyRequest;
  const passkey = await findPasskey(tx, attempt.passkey.id);
  const isOwner = passkey && (attempt.userId ?? passkey.userId) === passkey.userId;
  if (!isOwner || challenge === null) return new Failure('passkey-rejected');
  const counter = await identity.passkeys.verifyAuthentication(attempt.passkey, {
    challenge,
    passkey,
    userVerification,
  });
  const isAccepted = counter !== undefined && (await recordPasskeyUse(tx, passkey, counter, now()));
  return isAccepted ? passkey.userId : new Failure('passkey-rejected');
}
