import { Secret, TOTP } from 'otpauth';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { generateRecoveryCodes } from '#server/features/second-factors/recovery-codes.ts';
import {
  insertAuthenticator,
  insertPasskey,
  replaceRecoveryCodes,
  setSecondFactorTime,
} from '#server/features/second-factors/second-factors.store.ts';
import { insertPendingLogin } from '#server/features/sessions/pending-logins.store.ts';
import { generateSecret, hashSecret } from '#server/features/sessions/secrets.ts';
import { HOUR, MINUTE } from './clock.ts';
import type { createSoftwarePasskey } from './software-passkey.ts';

type Deps = Pick<AppDeps, 'db' | 'identity' | 'now'>;
type Person = { readonly userId: string; readonly email: string };

/** An authenticator app's code at this time. */
export function generateAppCode(key: string, time: Date): string {
  return new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: time.getTime() });
}

/** Gives a person an authenticator app and recovery codes, as if all their sessions had used a second factor. */
export async function addAuthenticatorTo(deps: Deps, { userId, email }: Person) {
  const { db, identity, now } = deps;
  const { key, offer } = await identity.authenticatorCodes.createKey({ userId, email });
  const storedKey = (await identity.authenticatorCodes.acceptKey(userId, offer)) ?? '';
  const { codes, hashes } = generateRecoveryCodes();
  await inTransaction(db, async (tx) => {
    await insertAuthenticator(tx, { userId, key: storedKey, timeStep: 0 }, now());
    await replaceRecoveryCodes(tx, userId, hashes, now());
    await setSecondFactorTime(tx, { userId }, now());
  });
  return { key, recoveryCodes: codes, code: () => generateAppCode(key, now()) };
}

/** Gives a person a passkey, as if all their sessions had used it. */
export async function addPasskeyTo(
  deps: Deps,
  { userId, email }: Person,
  passkey: ReturnType<typeof createSoftwarePasskey>,
  origin: string,
): Promise<void> {
  const { db, identity, now } = deps;
  const options = await identity.passkeys.creationOptions({ userId, email, existingPasskeys: [] });
  const storedPasskey = await identity.passkeys.verifyCreation(passkey.create(options, { origin }), options.challenge);
  if (!storedPasskey) throw new Error('The passkey was rejected.');
  await inTransaction(db, async (tx) => {
    await insertPasskey(tx, userId, storedPasskey, 'Test device', now());
    await setSecondFactorTime(tx, { userId }, now());
  });
}

/**
 * Records an email confirmation for the person, which is required to add a first second factor. The confirmation is
 * older than the person's tokens.
 */
export async function confirmByEmail({ db, now }: Pick<AppDeps, 'db' | 'now'>, userId: string): Promise<void> {
  await db.kysely
    .updateTable('sessions')
    .set({ authentication_method: 'mail', authenticated_at: new Date(now().getTime() - MINUTE) })
    .where('user_id', '=', userId)
    .execute();
}

/** The Cookie header for a login that is pending its second step or, without a user, a passkey. */
export async function createPendingLoginCookie(
  { db, identity, now }: Deps,
  userId: string | null,
  challenge: string | null = null,
): Promise<string> {
  const secret = generateSecret();
  const pendingLogin = {
    hash: hashSecret(secret),
    user_id: userId,
    authentication_method: userId === null ? null : 'password',
  } as const;
  await insertPendingLogin(
    db.kysely,
    { ...pendingLogin, challenge, expires_at: new Date(now().getTime() + HOUR) },
    now(),
  );
  return identity.pendingLogin.set(secret, 600).split(';')[0] ?? '';
}
