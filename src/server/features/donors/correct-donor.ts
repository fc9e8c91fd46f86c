import type { ParsedBody } from '#contract/schemas.ts';
import { reasonFailure } from '#domain/books.ts';
import { postalAddressFailure } from '#domain/donor.ts';
import { Failure } from '#domain/failures.ts';
import { emailFailure } from '#domain/profile.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { sendUndeliveredTo } from '#server/features/receipts/send-receipt.ts';
import { addField } from '#server/http/problems.ts';
import { sendGiftsClaimEmail } from './claim-gifts.ts';
import { type DonorKey, listGiftIds, lockDonor, updateContact } from './donors.store.ts';
import { sendCorrectedAddressEmail } from './send-corrected-address-email.job.ts';

/**
 * Corrects a donor's email and postal address, with a reason for the record. Receipts are sent to the corrected address
 * without links that act for the donor, and undelivered receipts are sent again. The original address is notified.
 * @returns Failure donor-not-found, donor-merged, no-reason, reason-too-long, or for an invalid field
 */
export async function correctDonor(
  { db, jobs, now }: Pick<AppDeps, 'db' | 'jobs' | 'now'>,
  key: DonorKey,
  { email, postalAddress, reason }: ParsedBody<'correctDonor'>,
): Promise<Record<string, never> | Failure> {
  const address = email.trim();
  const failure =
    (address === '' ? undefined : addField('email', emailFailure(address))) ??
    addField('postalAddress', postalAddressFailure(postalAddress)) ??
    addField('reason', reasonFailure(reason));
  if (failure) return failure;
  return inTransaction(db, async (tx) => {
    const donor = await lockDonor(tx, key);
    if (!donor || donor.identity === null) return new Failure('donor-not-found');
    if (donor.merged_into_id !== null) return new Failure('donor-merged');
    const isGiftEmail = address.toLowerCase() === (donor.email ?? '');
    const correctedEmail = address === '' || isGiftEmail ? null : address;
    await updateContact(tx, key, {
      corrected_email: correctedEmail,
      postal_address: postalAddress.trim() || null,
      correction_reason: reason.trim(),
    });
    if (correctedEmail !== null && correctedEmail !== donor.corrected_email) {
      const gifts = await listGiftIds(tx, key.orgId, [key.donorId]);
      await sendUndeliveredTo(
        tx,
        { jobs, now },
        { orgId: key.orgId, entryIds: gifts.get(key.donorId) ?? [] },
        correctedEmail,
      );
      if (donor.user_id === null) await jobs.enqueue(tx, sendGiftsClaimEmail, { ...key, email: correctedEmail });
      if (donor.email !== null) await jobs.enqueue(tx, sendCorrectedAddressEmail, { ...key, email: donor.email });
    }
    return {};
  });
}
