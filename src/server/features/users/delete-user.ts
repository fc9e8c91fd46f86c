import type { Transaction } from 'kysely';
import { isUnsettled } from '#domain/checkout.ts';
import { Failure } from '#domain/failures.ts';
import type { UserId } from '#domain/ids.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { findUserRow, lockAddress, type UserRow } from '#server/entities/find-user.ts';
import { isLastEditor } from '#server/features/editors/change-role.ts';
import { recordSession } from '#server/features/payments/record-session.ts';
import { removePicture } from '#server/gateways/pictures/remove-picture.job.ts';
import { isLastAdmin } from './admins.ts';
import { type DataOwner, deleteUserData, listChargeableCheckouts, toDataOwner } from './user-data.store.ts';
import { lockUser } from './users.store.ts';

type Deps = Pick<AppDeps, 'db' | 'payments' | 'jobs' | 'now' | 'parent' | 'sandbox'>;

/**
 * Deletes an account: ends recurring gifts at the provider, deletes the user's stories, and removes the name and address
 * from records that the ledger still needs. The ledger itself doesn't change (decisions §4).
 * @returns Failure user-not-found, last-admin, last-editor, gifts-not-stopped
 */
export async function deleteUser(deps: Deps, userId: UserId): Promise<Failure | undefined> {
  const user = await findUserRow(deps.db.kysely, userId);
  if (!user) return new Failure('user-not-found');
  // Check before ending gifts, which can't be restored, and again in the transaction that deletes the account.
  const failure =
    (await inTransaction(deps.db, (tx) => checkDeletion(tx, user))) ?? (await endPayments(deps, toDataOwner(user)));
  return failure ?? inTransaction(deps.db, (tx) => deleteData(tx, deps, userId));
}

async function deleteData(tx: Transaction<Tables>, { jobs, now }: Deps, userId: UserId): Promise<Failure | undefined> {
  const user = await lockUser(tx, userId);
  if (!user) return new Failure('user-not-found');
  const failure = await checkDeletion(tx, user);
  if (failure) return failure;
  await lockAddress(tx, user.email);
  const photos = await deleteUserData(tx, toDataOwner(user), now());
  for (const { key } of photos) await jobs.enqueue(tx, removePicture, { key });
  return undefined;
}

/** The last admin can't be deleted. An organization's last editor can be deleted only if they are an admin. */
async function checkDeletion(tx: Transaction<Tables>, user: UserRow): Promise<Failure | undefined> {
  if (await isLastAdmin(tx, user.id)) return new Failure('last-admin');
  const isAdmin = user.admin && user.email_verified;
  return !isAdmin && (await isLastEditor(tx, user.id)) ? new Failure('last-editor') : undefined;
}

/**
 * Closes open payment pages, then cancels recurring gifts. A page may have just been paid and started a recurring gift,
 * so each closed session is read again before the gifts are listed.
 */
async function endPayments(deps: Deps, owner: DataOwner): Promise<Failure | undefined> {
  for (const { payment_status, provider_session_id } of await listChargeableCheckouts(deps.db.kysely, owner)) {
    if (!isUnsettled(payment_status) || provider_session_id === null) continue;
    const closeResult = await deps.payments.closeSession(provider_session_id);
    const recordResult = closeResult instanceof Failure ? closeResult : await recordSession(deps, provider_session_id);
    if (recordResult instanceof Failure) return new Failure('gifts-not-stopped');
  }
  for (const { provider_subscription_id } of await listChargeableCheckouts(deps.db.kysely, owner)) {
    if (provider_subscription_id === null) continue;
    const cancellation = await deps.payments.cancelSubscription(provider_subscription_id);
    if (cancellation instanceof Failure) return new Failure('gifts-not-stopped');
  }
  return undefined;
}
