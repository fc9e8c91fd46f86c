import type { Kysely, Transaction } from 'kysely';
import type { SecondFactors } from '#contract/schemas/session.ts';
import { Failure } from '#domain/failures.ts';
import type { UserId } from '#domain/ids.ts';
import { optionalNameFailure } from '#domain/names.ts';
import { isRecentConfirmation, type SignedInUser } from '#domain/permissions.ts';
import { MAX_PASSKEYS, parseAuthenticatorCode, REMOVAL_OBJECTION_HOURS } from '#domain/second-factor.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { endSessions } from '#server/entities/end-sessions.ts';
import { findUserRow, type UserRow } from '#server/entities/find-user.ts';
import { checkRateLimit, refundRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { generateRecoveryCodes } from './recovery-codes.ts';
import {
  deleteAuthenticator,
  deletePasskey,
  deleteSecondFactors,
  findSecondFactors,
  hasSecondFactor,
  insertAuthenticator,
  insertPasskey,
  listPasskeys,
  lockUser,
  readSessionAuthentication,
  replaceRecoveryCodes,
  setRemovalTime,
  setSecondFactorTime,
} from './second-factors.store.ts';
import { type SecondFactorChange, sendSecondFactorEmail } from './send-second-factor-email.job.ts';

type Deps = Pick<AppDeps, 'db' | 'identity' | 'jobs' | 'now'>;
type RecoveryCodesResult = { readonly recoveryCodes: string[] };

export async function readSecondFactors({ db }: Pick<Deps, 'db'>, userId: UserId): Promise<SecondFactors> {
  const { passkeys, authenticatorAddedAt, recoveryCodeCount, removalAt } = await findSecondFactors(db.kysely, userId);
  return {
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      createdTimestamp: createdAt.toISOString(),
      lastUsedTimestamp: lastUsedAt?.toISOString() ?? null,
    })),
    authenticatorTimestamp: authenticatorAddedAt?.toISOString() ?? null,
    remainingRecoveryCodes: recoveryCodeCount,
    removalTimestamp: removalAt?.toISOString() ?? null,
  };
}

/**
 * Creates a key for an authenticator app. It is stored once the user enters a code from the app.
 * @returns Failure second-factor-needed, confirmation-required, email-confirmation-required, token-invalid
 */
export async function offerAuthenticator(deps: Deps, caller: SignedInUser) {
  const user = await findAuthorizedUser(deps, caller);
  if (user instanceof Failure) return user;
  return deps.identity.authenticatorCodes.createKey({ userId: user.id, email: user.email });
}

/**
 * Adds an authenticator app after checking its first code.
 * @returns recovery codes if it is the first second factor; Failure offer-over, wrong-code, authenticator-known,
 * second-factor-needed, confirmation-required, email-confirmation-required, token-invalid, too-many-requests
 */
export async function addAuthenticator(
  deps: Deps,
  caller: SignedInUser,
  input: { readonly offer: string; readonly code: string },
): Promise<RecoveryCodesResult | Failure> {
  const { identity, now } = deps;
  const { userId } = caller;
  const requester = { userId, device: caller.sessionId };
  const failure = await checkRateLimit(deps, 'second-step', requester);
  if (failure) return failure;
  const key = await identity.authenticatorCodes.acceptKey(userId, input.offer);
  if (key === undefined) return new Failure('offer-over');
  const timeStep = await identity.authenticatorCodes.findTimeStep(
    userId,
    key,
    parseAuthenticatorCode(input.code) ?? '',
  );
  if (timeStep === undefined) return new Failure('wrong-code');
  await refundRateLimit(deps, 'second-step', requester);
  return addFactor(deps, caller, 'authenticator-added', async (tx) => {
    const isNew = await insertAuthenticator(tx, { userId, key, timeStep }, now());
    return isNew ? undefined : new Failure('authenticator-known');
  });
}

/**
 * Creates the options that a device needs to create a passkey.
 * @returns Failure second-factor-needed, confirmation-required, email-confirmation-required, token-invalid, too-many-passkeys
 */
export async function offerPasskey(deps: Deps, caller: SignedInUser) {
  const { db, identity } = deps;
  const user = await findAuthorizedUser(deps, caller);
  if (user instanceof Failure) return user;
  const userId = user.id;
  const existingPasskeys = await listPasskeys(db.kysely, userId);
  if (existingPasskeys.length >= MAX_PASSKEYS) return tooManyPasskeys();
  const options = await identity.passkeys.creationOptions({
    userId,
    email: user.email,
    existingPasskeys,
  });
  return { options, offer: await identity.sealedTexts.seal(userId, options.challenge) };
}

/**
 * Adds a passkey.
 * @returns recovery codes if it is the first second factor; Failure name-too-long, text-with-address, offer-over,
 * passkey-rejected, passkey-known, too-many-passkeys, second-factor-needed, confirmation-required, email-confirmation-required,
 * token-invalid
 */
export async function addPasskey(
  deps: Deps,
  caller: SignedInUser,
  input: { readonly offer: string; readonly name: string; readonly passkey: unknown },
): Promise<RecoveryCodesResult | Failure> {
  const { identity, now } = deps;
  const { userId } = caller;
  const failure = optionalNameFailure(input.name);
  if (failure) return failure;
  const challenge = await identity.sealedTexts.open(userId, input.offer);
  if (challenge === undefined) return new Failure('offer-over');
  const passkey = await identity.passkeys.verifyCreation(input.passkey, challenge);
  if (!passkey) return new Failure('passkey-rejected');
  return addFactor(deps, caller, 'passkey-added', async (tx) => {
    if ((await listPasskeys(tx, userId)).length >= MAX_PASSKEYS) return tooManyPasskeys();
    const isNew = await insertPasskey(tx, userId, passkey, input.name.trim() || 'Passkey', now());
    return isNew ? undefined : new Failure('passkey-known');
  });
}

function tooManyPasskeys(): Failure {
  return new Failure('too-many-passkeys', { max: MAX_PASSKEYS });
}

/** Adds a factor. Adding the first factor ends all other sessions and issues recovery codes. */
async function addFactor(
  deps: Deps,
  caller: SignedInUser,
  change: SecondFactorChange,
  insert: (tx: Transaction<Tables>) => Promise<Failure | undefined>,
): Promise<RecoveryCodesResult | Failure> {
  const { userId, sessionId } = caller;
  return changeFactors(deps, caller, async (tx, isFirst) => {
    const failure = await insert(tx);
    if (failure) return failure;
    if (isFirst) await endSessions(tx, userId, { except: sessionId });
    await setSecondFactorTime(tx, { userId, sessionId }, deps.now());
    await setRemovalTime(tx, userId, null);
    await enqueueEmail(tx, deps, userId, change);
    return { recoveryCodes: isFirst ? await issueRecoveryCodes(tx, deps, userId) : [] };
  });
}

/** @returns the remaining second factors; Failure second-factor-needed, confirmation-required, token-invalid */
export function removeAuthenticator(deps: Deps, caller: SignedInUser): Promise<SecondFactors | Failure> {
  return removeFactor(deps, caller, 'authenticator-removed', async (tx) => {
    await deleteAuthenticator(tx, caller.userId);
    return undefined;
  });
}

/** @returns the remaining second factors; Failure passkey-not-found, second-factor-needed, confirmation-required, token-invalid */
export function removePasskey(deps: Deps, caller: SignedInUser, id: string): Promise<SecondFactors | Failure> {
  return removeFactor(deps, caller, 'passkey-removed', async (tx) =>
    (await deletePasskey(tx, caller.userId, id)) ? undefined : new Failure('passkey-not-found'),
  );
}

async function removeFactor(
  deps: Deps,
  caller: SignedInUser,
  change: SecondFactorChange,
  deleteFactor: (tx: Transaction<Tables>) => Promise<Failure | undefined>,
): Promise<SecondFactors | Failure> {
  const { userId } = caller;
  const failure = await changeFactors(deps, caller, async (tx) => {
    const deletionFailure = await deleteFactor(tx);
    if (deletionFailure) return deletionFailure;
    // Recovery codes are useless without a second factor, so they are deleted with the last one.
    if (!(await hasSecondFactor(tx, userId))) await endSecondStep(tx, userId);
    await enqueueEmail(tx, deps, userId, change);
    return undefined;
  });
  return failure ?? readSecondFactors(deps, userId);
}

/** @returns Failure second-factor-needed, confirmation-required, email-confirmation-required, token-invalid */
export function renewRecoveryCodes(deps: Deps, caller: SignedInUser): Promise<RecoveryCodesResult | Failure> {
  return changeFactors(deps, caller, async (tx, hasNoFactor) => {
    if (hasNoFactor) return new Failure('second-factor-needed');
    await enqueueEmail(tx, deps, caller.userId, 'recovery-codes-renewed');
    return { recoveryCodes: await issueRecoveryCodes(tx, deps, caller.userId) };
  });
}

/** Changes a user's second factors, one change at a time. */
async function changeFactors<Result>(
  deps: Deps,
  caller: SignedInUser,
  change: (tx: Transaction<Tables>, isFirst: boolean) => Promise<Result | Failure>,
): Promise<Result | Failure> {
  return inTransaction(deps.db, async (tx) => {
    await lockUser(tx, caller.userId);
    const isFirst = !(await hasSecondFactor(tx, caller.userId));
    return (await checkFactorChange(tx, deps, caller, isFirst)) ?? change(tx, isFirst);
  });
}

/**
 * Checks whether a session may change second factors. If the account has a second factor, the session needs a recent confirmation
 * and must have used a second factor. The first factor needs a recent confirmation by email, Google, or passkey: otherwise a
 * stranger who knows the password could lock the owner out.
 */
async function checkFactorChange(
  db: Kysely<Tables>,
  { now }: Pick<Deps, 'now'>,
  caller: SignedInUser,
  isFirst: boolean,
): Promise<Failure | undefined> {
  const authentication = await readSessionAuthentication(db, caller);
  if (!authentication) return new Failure('token-invalid');
  if (!isFirst && !authentication.hasSecondFactor) return new Failure('second-factor-needed');
  const isRecent = isRecentConfirmation(authentication.authenticatedAt, now());
  if (!isFirst) return isRecent ? undefined : new Failure('confirmation-required');
  return isRecent && authentication.authenticationMethod !== 'password'
    ? undefined
    : new Failure('email-confirmation-required');
}

/**
 * Returns the user's account if the session may change second factors.
 * @returns Failure second-factor-needed, confirmation-required, email-confirmation-required, token-invalid
 */
async function findAuthorizedUser(deps: Deps, caller: SignedInUser): Promise<UserRow | Failure> {
  const { kysely } = deps.db;
  const isFirst = !(await hasSecondFactor(kysely, caller.userId));
  const failure = await checkFactorChange(kysely, deps, caller, isFirst);
  return failure ?? (await findUserRow(kysely, caller.userId)) ?? new Failure('token-invalid');
}

async function issueRecoveryCodes(tx: Transaction<Tables>, { now }: Deps, userId: UserId): Promise<string[]> {
  const { codes, hashes } = generateRecoveryCodes();
  await replaceRecoveryCodes(tx, userId, hashes, now());
  return [...codes];
}

/** Deletes the user's second factors. Their sessions no longer count as confirmed by a second factor. */
export async function endSecondStep(tx: Transaction<Tables>, userId: UserId): Promise<void> {
  await deleteSecondFactors(tx, userId);
  await setSecondFactorTime(tx, { userId }, null);
}

/** Carries out an admin's removal of the second step, and emails the user. */
export async function removeByAdmin(tx: Transaction<Tables>, deps: Pick<Deps, 'jobs' | 'now'>, userId: UserId) {
  await endSecondStep(tx, userId);
  await enqueueEmail(tx, deps, userId, 'removed-by-admin');
}

/**
 * Schedules the removal of a user's second step, which takes effect at the first login after a day. The user can cancel
 * the removal by using a second factor. A second request doesn't change the time.
 */
export async function scheduleRemoval(
  tx: Transaction<Tables>,
  deps: Pick<Deps, 'jobs' | 'now'>,
  userId: UserId,
): Promise<void> {
  await lockUser(tx, userId);
  const { removalAt } = await findSecondFactors(tx, userId);
  if (removalAt || !(await hasSecondFactor(tx, userId))) return;
  await setRemovalTime(tx, userId, new Date(deps.now().getTime() + REMOVAL_OBJECTION_HOURS * 60 * 60_000));
  await enqueueEmail(tx, deps, userId, 'removal-asked');
}

async function enqueueEmail(
  tx: Transaction<Tables>,
  { jobs, now }: Pick<Deps, 'jobs' | 'now'>,
  userId: UserId,
  change: SecondFactorChange,
): Promise<void> {
  await jobs.enqueue(tx, sendSecondFactorEmail, { userId, change, at: now().toISOString() });
}
