import type { Transaction } from 'kysely';
import type { ParsedBody, ResponseBody } from '#contract/schemas.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';
import { emailFailure, isEmail } from '#domain/profile.ts';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { addField } from '#server/http/problems.ts';
import { endUnfinishedMailings, insertMailing } from './receipt-emails.store.ts';
import { lockReceipt, lockReceipts, lockUndelivered, type ReceiptRow, setAlternateEmail } from './receipts.store.ts';
import { sendReceiptEmail } from './send-receipt-email.job.ts';
import { sendReceiptRedirectEmail } from './send-receipt-redirect-email.job.ts';

type SendDeps = Pick<AppDeps, 'db' | 'jobs' | 'now'>;
type EntryKey = { readonly orgId: OrgId; readonly entryId: string };

/**
 * Emails a receipt again: the same document with the same number (decisions §3).
 * @returns Failure receipt-not-found, receipt-without-address
 */
export async function sendReceipt(
  deps: SendDeps,
  { orgId, entryId }: EntryKey,
): Promise<ResponseBody<'sendReceipt'> | Failure> {
  return inTransaction(deps.db, async (tx) => {
    const receipt = await lockReceipt(tx, orgId, entryId);
    if (!receipt) return new Failure('receipt-not-found');
    const email = receipt.alternate_email ?? receipt.email;
    if (!email || !isEmail(email)) return new Failure('receipt-without-address');
    await queueResend(tx, deps, receipt);
    return { number: receipt.printed_number, email };
  });
}

/**
 * Emails a receipt to another address, now and in the future, and notifies the donor. The copy has no links, because they
 * let the recipient act for the donor.
 * @returns Failure receipt-not-found, or for an invalid address
 */
export async function sendReceiptTo(
  deps: SendDeps,
  { orgId, entryId }: EntryKey,
  address: string,
): Promise<ResponseBody<'sendReceiptTo'> | Failure> {
  const failure = addField('email', emailFailure(address));
  if (failure) return failure;
  const email = address.trim();
  return inTransaction(deps.db, async (tx) => {
    const receipt = await lockReceipt(tx, orgId, entryId);
    if (!receipt) return new Failure('receipt-not-found');
    const isDonorAddress = email.toLowerCase() === receipt.email?.toLowerCase();
    await setAlternateEmail(tx, toReceiptKey(receipt), isDonorAddress ? null : email);
    await queueResend(tx, deps, receipt);
    if (!isDonorAddress && receipt.email && isEmail(receipt.email)) {
      await deps.jobs.enqueue(tx, sendReceiptRedirectEmail, { orgId: receipt.org_id, receiptNumber: receipt.number });
    }
    return { number: receipt.printed_number, email };
  });
}

/** Emails undelivered receipts to another address, now and in the future, without the donor's links. */
export async function sendUndeliveredTo(
  tx: Transaction<Tables>,
  deps: Pick<AppDeps, 'jobs' | 'now'>,
  { orgId, entryIds }: { readonly orgId: OrgId; readonly entryIds: readonly string[] },
  email: string,
): Promise<void> {
  for (const receipt of await lockUndelivered(tx, orgId, entryIds)) {
    await setAlternateEmail(tx, toReceiptKey(receipt), email);
    await queueResend(tx, deps, receipt);
  }
}

/**
 * Records that printed receipts were handed over or mailed. If one doesn't exist, none is recorded.
 * @returns Failure receipt-not-found
 */
export async function markReceiptsMailed(
  { db, now }: SendDeps,
  orgId: OrgId,
  { entryids: entryIds }: ParsedBody<'markReceiptsMailed'>,
): Promise<Record<string, never> | Failure> {
  return inTransaction(db, async (tx) => {
    const receipts = await lockReceipts(tx, orgId, entryIds);
    if (receipts.length < new Set(entryIds).size) return new Failure('receipt-not-found');
    for (const receipt of receipts) {
      await endUnfinishedMailings(tx, toReceiptKey(receipt));
      await insertMailing(tx, { ...toReceiptKey(receipt), mailingId: newId() }, 'postal-mail', now());
    }
    return {};
  });
}

async function queueResend(
  tx: Transaction<Tables>,
  { jobs, now }: Pick<AppDeps, 'jobs' | 'now'>,
  receipt: ReceiptRow,
): Promise<void> {
  const { org_id: orgId, number: receiptNumber } = receipt;
  const mailingId = newId();
  await endUnfinishedMailings(tx, toReceiptKey(receipt));
  await insertMailing(tx, { ...toReceiptKey(receipt), mailingId }, 'sending', now());
  await jobs.enqueue(tx, sendReceiptEmail, { orgId, receiptNumber, mailingId });
}

function toReceiptKey({ org_id, number }: ReceiptRow) {
  return { orgId: org_id, number };
}
