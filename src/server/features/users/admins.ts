import type { Transaction } from 'kysely';
import type { User } from '#contract/schemas/users.ts';
import { Failure } from '#domain/failures.ts';
import type { UserId } from '#domain/ids.ts';
import { parsedEmail } from '#domain/profile.ts';
import type { Database } from '#server/db/connection.ts';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { endSessions } from '#server/entities/end-sessions.ts';
import { adminIds, userById } from '#server/entities/find-user.ts';
import { checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { askForRemoval, removeByAdmin } from '#server/features/second-factors/manage-second-factors.ts';
import { readUser } from './read-user.ts';
import { sendAdminChangeEmail } from './send-admin-change-email.job.ts';
import { type Admin, addAdmin, admins, changeAdmin, lockedAdmins, makeAdmins, userOfAddress } from './users.store.ts';

/** An admin has no power before the address is verified. */
export type AdminAddress = { readonly email: string; readonly verified: boolean };

/**
 * Grants or revokes the admin role, and mails that to all admins and to the person. Roles are read at each call, so no
 * session has to end.
 * @returns Failure user-not-found, last-admin
 */
export async function setAdmin(deps: AdminDeps, wanted: AdminChange): Promise<User | Failure> {
  const refusal = await inTransaction(deps.db, (tx) => change(tx, deps, wanted));
  return refusal ?? readUser(deps.db, wanted.userId);
}

type AdminDeps = Pick<AppDeps, 'db' | 'jobs' | 'now'>;

/** changedBy: null for the operator. */
type AdminChange = {
  readonly userId: UserId;
  readonly admin: boolean;
  /** Null for the operator's command. */
  readonly changedBy: string | null;
};

async function change(tx: Transaction<Tables>, deps: AdminDeps, wanted: AdminChange): Promise<Failure | undefined> {
  const { userId, admin } = wanted;
  if (!admin && (await isLastAdmin(tx, userId))) return new Failure('last-admin');
  const user = await userById(tx, userId);
  if (!user) return new Failure('user-not-found');
  if (user.admin === admin) return undefined;
  await changeAdmin(tx, userId, admin);
  await tellAdmins(tx, deps, wanted);
  return undefined;
}

/** So that no admin is made or removed unnoticed. */
async function tellAdmins(tx: Transaction<Tables>, { jobs, now }: AdminDeps, changed: AdminChange): Promise<void> {
  const at = now().toISOString();
  const readers = new Set([...(await adminIds(tx)), changed.userId]);
  await jobs.enqueueAll(
    tx,
    sendAdminChangeEmail,
    [...readers].map((to) => ({ ...changed, to, at })),
  );
}

/** Whether no other admin has a verified address. Locks them, so that of two who leave at once one stays. */
export async function isLastAdmin(tx: Transaction<Tables>, userId: UserId): Promise<boolean> {
  const ids = await lockedAdmins(tx);
  return ids.length === 1 && ids[0] === userId;
}

/**
 * Makes the user of an address an admin, also before the address has an account (decisions §4: the first admin).
 * @returns Failure no-email, invalid-email
 */
export async function grantAdmin(deps: AdminDeps, typed: string): Promise<AdminAddress | Failure> {
  const email = parsedEmail(typed);
  if (email instanceof Failure) return email;
  return inTransaction(deps.db, async (tx) => {
    const userId = await addAdmin(tx, newId(), email);
    if (userId !== undefined) await tellAdmins(tx, deps, { userId, admin: true, changedBy: null });
    const user = await userOfAddress(tx, email);
    return { email, verified: user?.verified ?? false };
  });
}

/** @returns Failure no-email, invalid-email, user-not-found, last-admin */
export async function revokeAdmin(deps: AdminDeps, typed: string): Promise<AdminAddress | Failure> {
  const email = parsedEmail(typed);
  if (email instanceof Failure) return email;
  const user = await userOfAddress(deps.db.kysely, email);
  if (!user) return new Failure('user-not-found');
  const changed = await setAdmin(deps, { userId: user.id, admin: false, changedBy: null });
  return changed instanceof Failure ? changed : { email, verified: user.verified };
}

/**
 * Ends every session of the person with this address, who may log in again.
 * @returns the address; Failure no-email, invalid-email, user-not-found
 */
export async function logOut(db: Database, typed: string): Promise<string | Failure> {
  const email = parsedEmail(typed);
  if (email instanceof Failure) return email;
  return inTransaction(db, async (tx) => {
    const user = await userOfAddress(tx, email);
    if (!user) return new Failure('user-not-found');
    await endSessions(tx, user.id);
    return email;
  });
}

/**
 * Asks for the removal of somebody's second step, who has lost their device and their recovery codes. They are told by mail.
 * @returns the user; Failure too-many-requests, user-not-found
 */
export async function removeSecondFactorsLater(
  deps: Pick<AppDeps, 'db' | 'jobs' | 'now'>,
  adminId: string,
  userId: UserId,
): Promise<User | Failure> {
  const refused = await checkRateLimit(deps, 'second-step-removal', { person: adminId });
  if (refused) return refused;
  await inTransaction(deps.db, (tx) => askForRemoval(tx, deps, userId));
  return readUser(deps.db, userId);
}

/**
 * Removes the second step of someone who has lost their device and their recovery codes at once, ends their sessions, and
 * tells them by mail.
 * @returns the address; Failure no-email, invalid-email, user-not-found
 */
export async function removeSecondFactor(
  deps: Pick<AppDeps, 'db' | 'jobs' | 'now'>,
  typed: string,
): Promise<string | Failure> {
  const email = parsedEmail(typed);
  if (email instanceof Failure) return email;
  return inTransaction(deps.db, async (tx) => {
    const user = await userOfAddress(tx, email);
    if (!user) return new Failure('user-not-found');
    await removeByAdmin(tx, deps, user.id);
    await endSessions(tx, user.id);
    return email;
  });
}

export function listAdmins(db: Database): Promise<readonly Admin[]> {
  return admins(db.kysely);
}

/** At the start. Addresses in the settings that are not verified yet follow when they are. */
export function grantConfiguredAdmins({ db, adminEmails }: Pick<AppDeps, 'db' | 'adminEmails'>): Promise<void> {
  return makeAdmins(db.kysely, adminEmails);
}
