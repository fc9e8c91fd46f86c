import type { Answer } from '#contract/schemas.ts';
import { Failure } from '#domain/failures.ts';
import { isEmail } from '#domain/profile.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { newId } from '#server/ids.ts';
import { receiptOfEntry } from './receipts.store.ts';

/**
 * Mails a receipt once more, with the same number (decisions §3).
 * @returns Failure receipt-not-found, receipt-without-address
 */
export async function sendReceipt(
  { db, jobs }: Pick<AppDeps, 'db' | 'jobs'>,
  orgId: string,
  entryId: string,
): Promise<Answer<'sendReceipt'> | Failure> {
  return inTransaction(db, async (tx) => {
    const receipt = await receiptOfEntry(tx, orgId, entryId);
    if (!receipt) return new Failure('receipt-not-found');
    const { number, email } = receipt;
    if (!email || !isEmail(email)) return new Failure('receipt-without-address');
    await jobs.enqueue(tx, 'mail-receipt', { orgId, receiptNumber: number, again: newId() });
    return { number, email };
  });
}
