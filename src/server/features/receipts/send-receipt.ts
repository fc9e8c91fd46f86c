import type { Transaction } from 'kysely';
import type { Answer } from '#contract/schemas.ts';
import { Failure } from '#domain/failures.ts';
import { emailFailure, isEmail } from '#domain/profile.ts';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { aboutField } from '#server/http/problems.ts';
import { addMailing, replaceMailings } from './receipt-mails.store.ts';
import { changeAddress, lockedReceipt, type ReceiptRow } from './receipts.store.ts';
import { sendReceiptEmail } from './send-receipt-email.job.ts';
import { sendReceiptRedirectEmail } from './send-receipt-redirect-email.job.ts';

type SendDeps = Pick<AppDeps, 'db' | 'jobs' | 'now'>;
type ReceiptOfEntry = { readonly orgId: string; readonly entryId: string };

/**
 * Mails a receipt again: the same document, with the same number (decisions §3).
 * @returns Failure receipt-not-found, receipt-without-address
 */
export async function sendReceipt(deps: SendDeps, of: ReceiptOfEntry): Promise<Answer<'sendReceipt'> | Failure> {
  return inTransaction(deps.db, async (tx) => {
    const receipt = await lockedReceipt(tx, of.orgId, of.entryId);
    if (!receipt) return new Failure('receipt-not-found');
    const email = receipt.sent_to ?? receipt.email;
    if (!email || !isEmail(email)) return new Failure('receipt-without-address');
    await mailAgain(tx, deps, receipt);
    return { number: receipt.donee_number, email };
  });
}

/**
 * Emails a receipt to another address, and from then on. The copy has no links: they are for the donor alone, who is told.
 * @returns Failure receipt-not-found, or for an invalid address
 */
export async function sendReceiptTo(
  deps: SendDeps,
  of: ReceiptOfEntry,
  typed: string,
): Promise<Answer<'sendReceiptTo'> | Failure> {
  const failure = aboutField('email', emailFailure(typed));
  if (failure) return failure;
  const email = typed.trim();
  return inTransaction(deps.db, async (tx) => {
    const receipt = await lockedReceipt(tx, of.orgId, of.entryId);
    if (!receipt) return new Failure('receipt-not-found');
    const isDonors = email.toLowerCase() === receipt.email?.toLowerCase();
    await changeAddress(tx, keyOf(receipt), isDonors ? null : email);
    await mailAgain(tx, deps, receipt);
    if (!isDonors && receipt.email && isEmail(receipt.email)) {
      await deps.jobs.enqueue(tx, sendReceiptRedirectEmail, { orgId: receipt.org_id, receiptNumber: receipt.number });
    }
    return { number: receipt.donee_number, email };
  });
}

/**
 * Notes that a receipt was printed and handed over or sent by post.
 * @returns Failure receipt-not-found
 */
export async function noteReceiptPosted(
  { db, now }: SendDeps,
  of: ReceiptOfEntry,
): Promise<Answer<'noteReceiptPosted'> | Failure> {
  return inTransaction(db, async (tx) => {
    const receipt = await lockedReceipt(tx, of.orgId, of.entryId);
    if (!receipt) return new Failure('receipt-not-found');
    await replaceMailings(tx, keyOf(receipt));
    await addMailing(tx, { ...keyOf(receipt), mailing: newId() }, 'by-post', now());
    return { number: receipt.donee_number };
  });
}

async function mailAgain(tx: Transaction<Tables>, { jobs, now }: SendDeps, receipt: ReceiptRow): Promise<void> {
  const again = newId();
  await replaceMailings(tx, keyOf(receipt));
  await addMailing(tx, { ...keyOf(receipt), mailing: again }, 'sending', now());
  await jobs.enqueue(tx, sendReceiptEmail, { orgId: receipt.org_id, receiptNumber: receipt.number, again });
}

function keyOf({ org_id, number }: ReceiptRow) {
  return { orgId: org_id, number };
}
