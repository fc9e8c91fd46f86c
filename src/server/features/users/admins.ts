import type { Transaction } from 'kysely';
import type { User } from '#contract/schemas/users.ts';
import { Failure } from '#domain/failures.ts';
import type { UserId } from '#domain/ids.ts';
import { parseEmail } from '#domain/profile.ts';
import type { Database } from '#server/db/connection.ts';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps, WithSettings } from '#server/deps.ts';
import { endSessions } from '#server/entities/end-sessions.ts';
import { findUserRow, listVerifiedAdminIds } from '#server/entities/find-user.ts';
import { checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { removeByAdmin, scheduleRemoval } from '#server/features/second-factors/manage-second-factors.ts';
import { readUser } from './read-user.ts';
import { sendAdminChangeEmail } from './send-admin-change-email.job.ts';
import {
  type Admin,
  addAdmin,
  findUserByAddress,
  listAllAdmins,
  lockAdmins,
  makeAdmins,
  setAdminRole,
} from './users.store.ts';

/** An admin's address. The role has no effect until the address is verified. */
export type AdminAddress = { readonly email: string; readonly verified: boolean };

/**
 * Grants or revokes the admin role, and emails all admins and the user. Each request reads the user's roles, so no session
 * has to end.
 * @returns Failure user-not-found, last-admin
 */
export async function setAdmin(deps: AdminDeps, change: AdminChange): Promise<User | Failure> {
  const failure = await inTransaction(deps.db, (tx) => applyChange(tx, deps, change));
  return failure ?? readUser(deps.db, change.userId);
}

type AdminDeps = Pick<AppDeps, 'db' | 'jobs' | 'now'>;

type AdminChange = {
  readonly userId: UserId;
  readonly admin: boolean;
  /** Null if the change was made with the operator's command. */
  readonly changedBy: string | null;
};

async function applyChange(
  tx: Transaction<Tables>,
  deps: AdminDeps,
  change: AdminChange,
): Promise<Failure | undefined> {
  const { userId, admin } = change;
  if (!admin && (await isLastAdmin(tx, userId))) return new Failure('last-admin');
  const user = await findUserRow(tx, userId);
  if (!user) return new Failure('user-not-found');
  if (user.admin === admin) return undefined;
  await setAdminRole(tx, userId, admin);
  await notifyAdmins(tx, deps, change);
  return undefined;
}

/** Emails all admins and the user, so that they notice every added or removed admin. */
async function notifyAdmins(tx: Transaction<Tables>, { jobs, now }: AdminDeps, change: AdminChange): Promise<void> {
  const at = now().toISOString();
  const recipients = new Set([...(await listVerifiedAdminIds(tx)), change.userId]);
  await jobs.enqueueAll(
    tx,
    sendAdminChangeEmail,
    [...recipients].map((to) => ({ ...change, to, at })),
  );
}

/**
 * Returns whether the user is the only admin with a verified address. Locks all admins, so that the last two can't be removed
 * concurrently.
 */
export async function isLastAdmin(tx: Transaction<Tables>, userId: UserId): Promise<boolean> {
  const ids = await lockAdmins(tx);
  return ids.length === 1 && ids[0] === userId;
}

/**
 * Makes the user with this address an admin. Adds a user if the address has none yet (decisions §4: the first admin).
 * @returns Failure no-email, invalid-email
 */
export async function grantAdmin(deps: AdminDeps, address: string): Promise<AdminAddress | Failure> {
  const email = parseEmail(address);
  if (email instanceof Failure) return email;
  return inTransaction(deps.db, async (tx) => {
    const userId = await addAdmin(tx, newId(), email);
    if (userId !== undefined) await notifyAdmins(tx, deps, { userId, admin: true, changedBy: null });
    const user = await findUserByAddress(tx, email);
    return { email, verified: user?.verified ?? false };
  });
}

/** @returns Failure no-email, invalid-email, user-not-found, last-admin */
export async function revokeAdmin(deps: AdminDeps, address: string): Promise<AdminAddress | Failure> {
  const email = parseEmail(address);
  if (email instanceof Failure) return email;
  const user = await findUserByAddress(deps.db.kysely, email);
  if (!user) return new Failure('user-not-found');
  const result = await setAdmin(deps, { userId: user.id, admin: false, changedBy: null });
  return result instanceof Failure ? result : { email, verified: user.verified };
}

/**
 * Ends all sessions of the user with this address. They may log in again.
 * @returns the address; Failure no-email, invalid-email, user-not-found
 */
export async function logOutUser(db: Database, address: string): Promise<string | Failure> {
  const email = parseEmail(address);
  if (email instanceof Failure) return email;
  return inTransaction(db, async (tx) => {
    const user = await findUserByAddress(tx, email);
    if (!user) return new Failure('user-not-found');
    await endSessions(tx, user.id);
    return email;
  });
}

/**
 * Schedules the removal of the second step of a user who has lost their device and recovery codes, and emails them.
 * @returns the user; Failure too-many-requests, user-not-found
 */
export async function scheduleSecondFactorRemoval(
  deps: Pick<AppDeps, 'db' | 'jobs' | 'now'>,
  adminId: string,
  userId: UserId,
): Promise<User | Failure> {
  const failure = await checkRateLimit(deps, 'second-step-removal', { userId: adminId });
  if (failure) return failure;
  await inTransaction(deps.db, (tx) => scheduleRemoval(tx, deps, userId));
  return readUser(deps.db, userId);
}

/**
 * Immediately removes the second step of a user who has lost their device and recovery codes, ends their sessions, and
 * emails them.
 * @returns the address; Failure no-email, invalid-email, user-not-found
 */
export async function removeSecondFactor(
  deps: Pick<AppDeps, 'db' | 'jobs' | 'now'>,
  address: string,
): Promise<string | Failure> {
  const email = parseEmail(address);
  if (email instanceof Failure) return email;
  return inTransaction(deps.db, async (tx) => {
    const user = await findUserByAddress(tx, email);
    if (!user) return new Failure('user-not-found');
    await removeByAdmin(tx, deps, user.id);
    await endSessions(tx, user.id);
    return email;
  });
}

export function listAdmins(db: Database): Promise<readonly Admin[]> {
  return listAllAdmins(db.kysely);
}

/** Makes the configured addresses admins at startup. Unverified addresses become admins once they are verified. */
export function grantConfiguredAdmins({
  db,
  settings,
}: Pick<AppDeps, 'db'> & WithSettings<'adminEmails'>): Promise<void> {
  return makeAdmins(db.kysely, settings.adminEmails);
}
