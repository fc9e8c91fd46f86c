import type { Transaction } from 'kysely';
import type { Answer } from '#contract/schemas.ts';
import { Failure } from '#domain/failures.ts';
import type { Cents } from '#domain/money.ts';
import { isEmail } from '#domain/profile.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { newId } from '#server/ids.ts';
import { insertReceipt, nextReceiptNumber, receiptOfEntry } from './receipts.store.ts';

export type NewReceipt = {
  readonly orgId: string;
  readonly ledgerEntryId: string;
  /** Absent for a check. */
  readonly checkoutId?: string;
  readonly email: string | undefined;
  readonly name: string | undefined;
  readonly amount: Cents;
  readonly issuedAt: Date;
  /** When the provider will charge a recurring gift next, if it said so. */
  readonly nextChargeAt: Date | undefined;
};

/**
 * Issues the receipt of an entry posted in the same transaction. Posting locks the organization's totals, so receipt
 * numbers have no gaps and no duplicates.
 * @returns its number
 */
export async function issueReceipt(tx: Transaction<Tables>, receipt: NewReceipt): Promise<number> {
  const number = await nextReceiptNumber(tx, receipt.orgId);
  await insertReceipt(tx, {
    org_id: receipt.orgId,
    number,
    ledger_entry_id: receipt.ledgerEntryId,
    checkout_id: receipt.checkoutId ?? null,
    key: newId(),
    email: receipt.email ?? null,
    name: receipt.name ?? null,
    amount_cents: receipt.amount,
    issued_at: receipt.issuedAt,
    next_charge_at: receipt.nextChargeAt ?? null,
  });
  return number;
}

/**
 * Mails a receipt again, with the same number (decisions §3).
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
