import type { Kysely, Transaction } from 'kysely';
import type { SecondFactors } from '#contract/schemas/session.ts';
import { Failure } from '#domain/failures.ts';
import type { UserId } from '#domain/ids.ts';
import { optionalNameFailure } from '#domain/names.ts';
import { type Bearer, isRecentProof } from '#domain/permissions.ts';
import { PASSKEYS_MAXIMUM, plainAuthenticatorCode, REMOVAL_HOURS } from '#domain/second-factor.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { endSessions } from '#server/entities/end-sessions.ts';
import { type UserRow, userById } from '#server/entities/find-user.ts';
import { checkRateLimit, releaseRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import {
  deleteAuthenticator,
  deletePasskey,
  deleteSecondFactors,
  hasSecondFactor,
  insertAuthenticator,
  insertPasskey,
  lockUser,
  markSessions,
  passkeysOf,
  proofIn,
  replaceRecoveryCodes,
  secondFactorsOf,
  setRemoval,
} from './second-factors.store.ts';
import { type SecondFactorChange, sendSecondFactorEmail } from './send-second-factor-email.job.ts';

type Deps = Pick<AppDeps, 'db' | 'identity' | 'jobs' | 'now'>;
type Codes = { readonly recoveryCodes: string[] };

export async function readSecondFactors({ db }: Pick<Deps, 'db'>, userId: UserId): Promise<SecondFactors> {
  const { passkeys, authenticatorSince, recoveryCodesLeft, endsAt } = await secondFactorsOf(db.kysely, userId);
  return {
    passkeys: passkeys.map(({ id, name, createdAt, usedAt }) => ({
      id,
      name,
      createdTimestamp: createdAt.toISOString(),
      usedTimestamp: usedAt?.toISOString() ?? null,
    })),
    authenticatorTimestamp: authenticatorSince?.toISOString() ?? null,
    recoveryCodesLeft,
    endsTimestamp: endsAt?.toISOString() ?? null,
  };
}

/** A new key for an authenticator app. Nothing is stored before a code of it comes. @returns Failure as allowedUser */
export async function offerAuthenticator(deps: Deps, bearer: Bearer) {
  const user = await allowedUser(deps, bearer);
  if (user instanceof Failure) return user;
  return deps.identity.authenticatorCodes.newKey({ userId: user.id, email: user.email });
}

/**
 * Adds an authenticator app by its first code.
 * @returns recovery codes, if there are none yet; Failure offer-over, wrong-code, authenticator-known,
 * second-factor-needed, proof-required,
 * mail-proof-required, token-invalid, too-many-requests
 */
export async function addAuthenticator(
  deps: Deps,
  bearer: Bearer,
  sent: { readonly offer: string; readonly code: string },
): Promise<Codes | Failure> {
  const { identity, now } = deps;
  const { userId } = bearer;
  const asker = { person: userId, device: bearer.sessionId };
  const refused = await checkRateLimit(deps, 'second-step', asker);
  if (refused) return refused;
  const key = await identity.authenticatorCodes.keptKey(userId, sent.offer);
  if (key === undefined) return new Failure('offer-over');
  const step = await identity.authenticatorCodes.stepOf(userId, key, plainAuthenticatorCode(sent.code) ?? '');
  if (step === undefined) return new Failure('wrong-code');
  await releaseRateLimit(deps, 'second-step', asker);
  return add(deps, bearer, 'authenticator-added', async (tx) => {
    const isNew = await insertAuthenticator(tx, { userId, key, step }, now());
    return isNew ? undefined : new Failure('authenticator-known');
  });
}

/** What a device is asked to make a passkey. @returns Failure as allowedUser, too-many-passkeys */
export async function offerPasskey(deps: Deps, bearer: Bearer) {
  const { db, identity } = deps;
  const user = await allowedUser(deps, bearer);
  if (user instanceof Failure) return user;
  const userId = user.id;
  const existing = await passkeysOf(db.kysely, userId);
  if (existing.length >= PASSKEYS_MAXIMUM) return tooMany();
  const options = await identity.passkeys.creationOptions({ userId, email: user.email, existing });
  return { options, offer: await identity.offers.seal(userId, options.challenge) };
}

/**
 * Adds a passkey.
 * @returns recovery codes, if there are none yet; Failure name-too-long, name-has-address, offer-over, passkey-refused,
 * passkey-known, too-many-passkeys, second-factor-needed, proof-required,
 * mail-proof-required, token-invalid
 */
export async function addPasskey(
  deps: Deps,
  bearer: Bearer,
  sent: { readonly offer: string; readonly name: string; readonly passkey: unknown },
): Promise<Codes | Failure> {
  const { identity, now } = deps;
  const { userId } = bearer;
  const refused = optionalNameFailure(sent.name);
  if (refused) return refused;
  const challenge = await identity.offers.open(userId, sent.offer);
  if (challenge === undefined) return new Failure('offer-over');
  const passkey = await identity.passkeys.created(sent.passkey, challenge);
  if (!passkey) return new Failure('passkey-refused');
  return add(deps, bearer, 'passkey-added', async (tx) => {
    if ((await passkeysOf(tx, userId)).length >= PASSKEYS_MAXIMUM) return tooMany();
    const isNew = await insertPasskey(tx, userId, passkey, sent.name.trim() || 'Passkey', now());
    return isNew ? undefined : new Failure('passkey-known');
  });
}

function tooMany(): Failure {
  return new Failure('too-many-passkeys', { most: PASSKEYS_MAXIMUM });
}

/** With the first factor, sessions that have shown none end, and codes for a lost device are given. */
async function add(
  deps: Deps,
  bearer: Bearer,
  change: SecondFactorChange,
  insert: (tx: Transaction<Tables>) => Promise<Failure | undefined>,
): Promise<Codes | Failure> {
  const { userId, sessionId } = bearer;
  return changed(deps, bearer, async (tx, isFirst) => {
    const refused = await insert(tx);
    if (refused) return refused;
    if (isFirst) await endSessions(tx, userId, { except: sessionId });
    await markSessions(tx, userId, deps.now(), sessionId);
    await setRemoval(tx, userId, null);
    await mailChange(tx, deps, userId, change);
    return { recoveryCodes: isFirst ? await giveRecoveryCodes(tx, deps, userId) : [] };
  });
}

/** @returns what is left; Failure second-factor-needed, token-invalid */
export function removeAuthenticator(deps: Deps, bearer: Bearer): Promise<SecondFactors | Failure> {
  return remove(deps, bearer, 'authenticator-removed', async (tx) => {
    await deleteAuthenticator(tx, bearer.userId);
    return undefined;
  });
}

/** @returns what is left; Failure passkey-not-found, second-factor-needed, token-invalid */
export function removePasskey(deps: Deps, bearer: Bearer, id: string): Promise<SecondFactors | Failure> {
  return remove(deps, bearer, 'passkey-removed', async (tx) =>
    (await deletePasskey(tx, bearer.userId, id)) ? undefined : new Failure('passkey-not-found'),
  );
}

async function remove(
  deps: Deps,
  bearer: Bearer,
  change: SecondFactorChange,
  del: (tx: Transaction<Tables>) => Promise<Failure | undefined>,
): Promise<SecondFactors | Failure> {
  const { userId } = bearer;
  const refused = await changed(deps, bearer, async (tx) => {
    const failure = await del(tx);
    if (failure) return failure;
    // Nothing is left that a recovery code could replace.
    if (!(await hasSecondFactor(tx, userId))) await endSecondStep(tx, userId);
    await mailChange(tx, deps, userId, change);
    return undefined;
  });
  return refused ?? readSecondFactors(deps, userId);
}

/** @returns Failure second-factor-needed, token-invalid */
export function renewRecoveryCodes(deps: Deps, bearer: Bearer): Promise<Codes | Failure> {
  return changed(deps, bearer, async (tx, hasNone) => {
    if (hasNone) return new Failure('second-factor-needed');
    await mailChange(tx, deps, bearer.userId, 'recovery-codes-renewed');
    return { recoveryCodes: await giveRecoveryCodes(tx, deps, bearer.userId) };
  });
}

/** Changes one at a time. */
async function changed<Result>(
  deps: Deps,
  bearer: Bearer,
  change: (tx: Transaction<Tables>, isFirst: boolean) => Promise<Result | Failure>,
): Promise<Result | Failure> {
  return inTransaction(deps.db, async (tx) => {
    await lockUser(tx, bearer.userId);
    const isFirst = !(await hasSecondFactor(tx, bearer.userId));
    return (await changeFailure(tx, deps, bearer, isFirst)) ?? change(tx, isFirst);
  });
}

/**
 * Where there is a second factor, only a session that has shown it may change it, after a recent proof. The
 * first one needs a proof by mail, Google or passkey: who knows only the password could lock the owner out by it.
 */
async function changeFailure(
  db: Kysely<Tables>,
  { now }: Pick<Deps, 'now'>,
  bearer: Bearer,
  isFirst: boolean,
): Promise<Failure | undefined> {
  const proof = await proofIn(db, bearer);
  if (!proof) return new Failure('token-invalid');
  if (!isFirst && !proof.hasShown) return new Failure('second-factor-needed');
  const isProven = isRecentProof(proof.provenAt, now());
  if (!isFirst) return isProven ? undefined : new Failure('proof-required');
  const isByMore = proof.provenBy !== 'password';
  return isProven && isByMore ? undefined : new Failure('mail-proof-required');
}

/** The caller of an offer. @returns Failure second-factor-needed, proof-required, mail-proof-required, token-invalid */
async function allowedUser(deps: Deps, bearer: Bearer): Promise<UserRow | Failure> {
  const { kysely } = deps.db;
  const isFirst = !(await hasSecondFactor(kysely, bearer.userId));
  const refused = await changeFailure(kysely, deps, bearer, isFirst);
  return refused ?? (await userById(kysely, bearer.userId)) ?? new Failure('token-invalid');
}

async function giveRecoveryCodes(tx: Transaction<Tables>, { now }: Deps, userId: UserId): Promise<string[]> {
  const { codes, hashes } = newRecoveryCodes();
  await replaceRecoveryCodes(tx, userId, hashes, now());
  return [...codes];
}

/** Sessions that had shown a factor count as those that have not. */
export async function endSecondStep(tx: Transaction<Tables>, userId: UserId): Promise<void> {
  await deleteSecondFactors(tx, userId);
  await markSessions(tx, userId, null);
}

/** For an admin, with a mail. Sessions count as above. */
export async function removeByAdmin(tx: Transaction<Tables>, deps: Pick<Deps, 'jobs' | 'now'>, userId: UserId) {
  await endSecondStep(tx, userId);
  await mailChange(tx, deps, userId, 'removed-by-admin');
}

/**
 * The second step ends at the first login after a day, which gives its owner the time to object by using it. A removal that
 * was asked for already stays as it is.
 */
export async function askForRemoval(
  tx: Transaction<Tables>,
  deps: Pick<Deps, 'jobs' | 'now'>,
  userId: UserId,
): Promise<void> {
  await lockUser(tx, userId);
  const { endsAt } = await secondFactorsOf(tx, userId);
  if (endsAt || !(await hasSecondFactor(tx, userId))) return;
  await setRemoval(tx, userId, new Date(deps.now().getTime() + REMOVAL_HOURS * 60 * 60_000));
  await mailChange(tx, deps, userId, 'removal-asked');
}

async function mailChange(
  tx: Transaction<Tables>,
  { jobs, now }: Pick<Deps, 'jobs' | 'now'>,
  userId: UserId,
  change: SecondFactorChange,
): Promise<void> {
  await jobs.enqueue(tx, sendSecondFactorEmail, { userId, change, at: now().toISOString() });
}
