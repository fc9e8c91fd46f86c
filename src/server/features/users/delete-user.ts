import type { Transaction } from 'kysely';
import { Failure } from '#domain/failures.ts';
import { lockAddress } from '#server/db/address-lock.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { isLastEditorSomewhere } from '#server/features/editors/last-editor.ts';
import { type UserRow, userById } from '#server/users/find-user.ts';
import { isLastAdmin } from './last-admin.ts';
import { personOf } from './person.ts';
import { deletePersonRows } from './person-rows.store.ts';
import { stopCharging } from './stop-charging.ts';
import { lockedUser } from './users.store.ts';

type Deps = Pick<AppDeps, 'db' | 'payments' | 'jobs' | 'now'>;

/**
 * Deletes an account. Recurring gifts are ended at the provider first; then the person's stories go, and the name and
 * the address in everything that the ledger still needs. The ledger itself stays as it is (decisions §4).
 * @returns Failure user-not-found, last-admin, last-editor, gifts-not-stopped
 */
export async function deleteUser(deps: Deps, userId: string): Promise<Failure | undefined> {
  const user = await userById(deps.db.kysely, userId);
  if (!user) return new Failure('user-not-found');
  // Asked before anything is ended that cannot be begun again, and once more when it is done.
  const refusal =
    (await inTransaction(deps.db, (tx) => refusalOf(tx, user))) ?? (await stopCharging(deps, personOf(user)));
  return refusal ?? inTransaction(deps.db, (tx) => remove(tx, deps, userId));
}

async function remove(tx: Transaction<Tables>, { jobs, now }: Deps, userId: string): Promise<Failure | undefined> {
  const user = await lockedUser(tx, userId);
  if (!user) return new Failure('user-not-found');
  const refusal = await refusalOf(tx, user);
  if (refusal) return refusal;
  await lockAddress(tx, user.email);
  const photos = await deletePersonRows(tx, personOf(user), now());
  for (const { key } of photos) await jobs.enqueue(tx, 'remove-picture', { key });
  return undefined;
}

/** An organisation can lose its last editor by an admin alone, also where that is the same person. */
async function refusalOf(tx: Transaction<Tables>, user: UserRow): Promise<Failure | undefined> {
  if (await isLastAdmin(tx, user.id)) return new Failure('last-admin');
  const isAdmin = user.admin && user.email_verified;
  return !isAdmin && (await isLastEditorSomewhere(tx, user.id)) ? new Failure('last-editor') : undefined;
}
