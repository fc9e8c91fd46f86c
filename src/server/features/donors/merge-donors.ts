import { reasonFailure } from '#domain/books.ts';
import { Failure } from '#domain/failures.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { addField } from '#server/http/problems.ts';
import { type DonorKey, lockDonor, moveDonors } from './donors.store.ts';

type Deps = Pick<AppDeps, 'db'>;

/**
 * Merges another donor, and those merged into it, into a donor, who then gets credit for their gifts.
 * @returns Failure donor-not-found, donor-merged, no-reason, reason-too-long
 */
export async function mergeDonor(
  { db }: Deps,
  key: DonorKey,
  { otherId, reason }: { readonly otherId: string; readonly reason: string },
): Promise<Record<string, never> | Failure> {
  const failure = addField('reason', reasonFailure(reason));
  if (failure) return failure;
  return inTransaction(db, async (tx) => {
    const donor = await lockDonor(tx, key);
    const otherDonor = await lockDonor(tx, { orgId: key.orgId, donorId: otherId });
    if (!donor || !otherDonor) return new Failure('donor-not-found');
    if (donor.id === otherDonor.id || donor.merged_into_id !== null || otherDonor.merged_into_id !== null)
      return new Failure('donor-merged');
    await moveDonors(tx, { orgId: key.orgId, donorId: otherDonor.id }, donor.id, reason.trim());
    return {};
  });
}

/**
 * Separates a donor from the donor that it was merged into.
 * @returns Failure donor-not-found, no-reason, reason-too-long
 */
export async function separateDonor(
  { db }: Deps,
  key: DonorKey,
  reason: string,
): Promise<Record<string, never> | Failure> {
  const failure = addField('reason', reasonFailure(reason));
  if (failure) return failure;
  return inTransaction(db, async (tx) => {
    const donor = await lockDonor(tx, key);
    if (!donor) return new Failure('donor-not-found');
    // Repeating the call changes nothing.
    if (donor.merged_into_id !== null) await moveDonors(tx, key, null, reason.trim());
    return {};
  });
}
