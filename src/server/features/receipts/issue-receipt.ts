import type { Transaction } from 'kysely';
import { languageNamed } from '#contract/languages.ts';
import { dayOf } from '#domain/days.ts';
import type { Cents } from '#domain/money.ts';
import { mailedName } from '#domain/names.ts';
import { composeReceipt, type PaymentMeans } from '#domain/receipt.ts';
import type { Tribute } from '#domain/tribute.ts';
import type { ReceiptSeries } from '#server/db/column-types.ts';
import type { Database } from '#server/db/connection.ts';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { testPayment } from './receipt-document.ts';
import { erasePayer, insertReceipt, type NumberGap, receiptOrg, skipNumbers, takeNumber } from './receipts.store.ts';
import { sendReceiptEmail } from './send-receipt-email.job.ts';

export type IssueDeps = Pick<AppDeps, 'parent' | 'sandbox' | 'now' | 'jobs'> & {
  /** For gifts whose receipts were lost, so that their donors may have them already. */
  readonly reissuing?: boolean;
};

export type NewReceipt = {
  readonly orgId: string;
  readonly ledgerEntryId: string;
  /** Absent for a check. */
  readonly checkoutId?: string;
  /** As the checkout or the pledge keeps it. */
  readonly language?: string | null;
  readonly email: string | undefined;
  readonly name: string | undefined;
  readonly amount: Cents;
  readonly currency: string;
  readonly means: PaymentMeans;
  readonly givenAt: Date;
  /** When the provider will charge a recurring gift next, if it said so. */
  readonly nextChargeAt?: Date | undefined;
  /** The provider's word; absent for a check. */
  readonly livemode?: boolean;
  readonly tribute?: Tribute | undefined;
};

/**
 * Issues the receipt of an entry posted in the same transaction, as the document that it stays, and mails it. Posting
 * locks the organization's totals, and a lock on the donee's numbers follows: they have no gaps and no duplicates.
 * @returns which of the organization's receipts it is
 */
export async function issueReceipt(tx: Transaction<Tables>, deps: IssueDeps, receipt: NewReceipt): Promise<number> {
  const { orgId } = receipt;
  // First, since test payments are not in the totals of live ones: this lock covers them.
  const doneeNumber = await takeNumber(tx, seriesOf(deps, receipt));
  const org = await receiptOrg(tx, orgId);
  const number = org.last_number + 1;
  await insertReceipt(tx, receiptRow(deps, { org, number, doneeNumber }, receipt));
  // Without an address it is listed among those that did not arrive.
  if (receipt.email === undefined) return number;
  // The lost receipt's mail had the same name, and mail programs hide the second of two.
  const again = deps.reissuing ? { again: newId() } : {};
  await deps.jobs.enqueue(tx, sendReceiptEmail, { orgId, receiptNumber: number, ...again });
  return number;
}

function seriesOf(deps: IssueDeps, { livemode }: NewReceipt): ReceiptSeries {
  return testPayment(deps.sandbox, livemode) === undefined ? 'live' : 'test';
}

type Numbered = {
  readonly org: Awaited<ReturnType<typeof receiptOrg>>;
  readonly number: number;
  readonly doneeNumber: number;
};

function receiptRow(deps: IssueDeps, { org, number, doneeNumber }: Numbered, receipt: NewReceipt) {
  const at = deps.now();
  const { email = null, name = null, nextChargeAt } = receipt;
  const document = composeReceipt({
    language: languageNamed(receipt.language),
    number: doneeNumber,
    donee: deps.parent,
    program: org.name,
    donor: mailedName(name) || null,
    givenOn: dayOf(receipt.givenAt, org.time_zone),
    issuedOn: dayOf(at, org.time_zone),
    amount: receipt.amount,
    currency: receipt.currency,
    means: receipt.means,
    nextChargeOn: nextChargeAt && dayOf(nextChargeAt, org.time_zone),
    test: testPayment(deps.sandbox, receipt.livemode),
    reissued: deps.reissuing,
    tribute: receipt.tribute,
    typicalGrant: org.typical_grant_cents,
  });
  return {
    org_id: receipt.orgId,
    number,
    series: seriesOf(deps, receipt),
    donee_number: doneeNumber,
    ledger_entry_id: receipt.ledgerEntryId,
    checkout_id: receipt.checkoutId ?? null,
    key: newId(),
    email,
    name,
    amount_cents: receipt.amount,
    issued_at: at,
    next_charge_at: nextChargeAt ?? null,
    document: JSON.stringify(document),
    delivery_at: at,
  };
}

/**
 * Skips the numbers that lost receipts may have, so that no two gifts get the same number: one for each lost payment, once.
 * @param lost ids of the payments, and the highest number known to have been printed
 * @returns undefined if no number is skipped
 */
export function skipLostNumbers(
  db: Database,
  series: ReceiptSeries,
  lost: { readonly paymentIds: readonly string[]; readonly lastPrinted: number; readonly at: Date },
): Promise<NumberGap | undefined> {
  return inTransaction(db, (tx) => skipNumbers(tx, series, lost));
}

/**
 * Erases the payer of a checkout's receipts. Their numbers, dates and amounts stay, and one that has not arrived keeps its
 * payer until it is mailed.
 */
export function eraseReceiptPayer(tx: Transaction<Tables>, orgId: string, checkoutId: string): Promise<void> {
  return erasePayer(tx, orgId, checkoutId);
}
