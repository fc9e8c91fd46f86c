import type { Transaction } from 'kysely';
import type { Cents } from '#domain/money.ts';
import type { Tables } from '#server/db/tables.ts';
import { newId } from '#server/ids.ts';
import { insertReceipt, nextReceiptNumber } from './receipts.store.ts';

export type NewReceipt = {
  readonly orgId: string;
  readonly ledgerEntryId: string;
  /** Absent for a check. */
  readonly checkoutId?: string;
  readonly email: string | undefined;
  readonly name: string | undefined;
  readonly amount: Cents;
  readonly issuedAt: Date;
  /** When the provider says that it will charge a recurring gift again. */
  readonly nextChargeAt: Date | undefined;
};

/**
 * Writes the receipt of an entry posted in the same transaction. The posting holds the organisation's totals locked,
 * and so the numbers have neither gaps nor doubles. @returns its number
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
