import type { Transaction } from 'kysely';
import { parseLanguage } from '#contract/languages.ts';
import { dayOf } from '#domain/days.ts';
import type { CheckoutId, OrgId } from '#domain/ids.ts';
import type { Cents } from '#domain/money.ts';
import { makeEmailSafe } from '#domain/names.ts';
import { composeReceipt, type PaymentMethod } from '#domain/receipt.ts';
import type { Tribute } from '#domain/tribute.ts';
import type { ReceiptSeries } from '#server/db/column-types.ts';
import type { Database } from '#server/db/connection.ts';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { getTestPaymentKind } from './receipt-document.ts';
import { AUTOMATIC_MAILING } from './receipt-emails.store.ts';
import {
  findCorrectedAddress,
  findReceiptOrg,
  insertReceipt,
  type NumberGap,
  reserveReceiptNumber,
  skipReceiptNumbers,
} from './receipts.store.ts';
import { sendReceiptEmail } from './send-receipt-email.job.ts';

export { eraseReceiptPayer } from './receipts.store.ts';

export type IssueDeps = Pick<AppDeps, 'parent' | 'sandbox' | 'now' | 'jobs'>;

export type NewReceipt = {
  readonly orgId: OrgId;
  readonly ledgerEntryId: string;
  /** Absent for a check. */
  readonly checkoutId?: CheckoutId;
  /** Language stored with the checkout or pledge. */
  readonly language?: string | null;
  readonly email: string | undefined;
  readonly name: string | undefined;
  /** True if the payer's account or the checkout was deleted before the payment was reported. */
  readonly isPayerErased?: boolean;
  readonly amount: Cents;
  readonly currency: string;
  readonly paymentMethod: PaymentMethod;
  readonly givenAt: Date;
  /** The next charge date of a recurring gift, if the provider reported it. */
  readonly nextChargeAt?: Date | undefined;
  /** Mode reported by the provider; absent for a check. */
  readonly livemode?: boolean;
  readonly tribute?: Tribute | undefined;
  /** True if this receipt replaces a lost one, which the donor may already have. */
  readonly isReissued?: boolean | undefined;
};

/**
 * Issues the receipt for an entry posted in the same transaction, stores its final document, and queues its email. Posting
 * locks the organization's totals; taking a number locks the donee's numbers, so they have no gaps or duplicates.
 * @returns the receipt's number within the organization
 */
export async function issueReceipt(tx: Transaction<Tables>, deps: IssueDeps, receipt: NewReceipt): Promise<number> {
  const { orgId } = receipt;
  // Take the number first: its lock also covers test payments, which don't lock the totals in live mode.
  const printedNumber = await reserveReceiptNumber(tx, getReceiptSeries(deps, receipt));
  const org = await findReceiptOrg(tx, orgId);
  const number = org.last_number + 1;
  const alternateEmail = await findCorrectedAddress(tx, orgId, receipt.email ?? null);
  await insertReceipt(tx, {
    ...createReceiptRow(deps, { org, number, printedNumber }, receipt),
    alternate_email: alternateEmail,
  });
  // A receipt without an address appears in the list of undelivered receipts, unless its payer was erased.
  if (receipt.email === undefined) return number;
  // The lost receipt's email had the same message key, and email programs hide a second email with the same key.
  const mailingId = receipt.isReissued ? newId() : AUTOMATIC_MAILING;
  await deps.jobs.enqueue(tx, sendReceiptEmail, { orgId, receiptNumber: number, mailingId });
  return number;
}

function getReceiptSeries(deps: IssueDeps, { livemode }: NewReceipt): ReceiptSeries {
  return getTestPaymentKind(deps.sandbox, livemode) === undefined ? 'live' : 'test';
}

type ReceiptNumbers = {
  readonly org: Awaited<ReturnType<typeof findReceiptOrg>>;
  readonly number: number;
  readonly printedNumber: number;
};

function createReceiptRow(deps: IssueDeps, { org, number, printedNumber }: ReceiptNumbers, receipt: NewReceipt) {
  const issuedAt = deps.now();
  const { email = null, name = null, isPayerErased = false, nextChargeAt } = receipt;
  const document = composeReceipt({
    language: parseLanguage(receipt.language),
    number: printedNumber,
    donee: deps.parent,
    orgName: org.name,
    donor: makeEmailSafe(name) || null,
    givenOn: dayOf(receipt.givenAt, org.time_zone),
    issuedOn: dayOf(issuedAt, org.time_zone),
    amount: receipt.amount,
    currency: receipt.currency,
    paymentMethod: receipt.paymentMethod,
    nextChargeOn: nextChargeAt && dayOf(nextChargeAt, org.time_zone),
    testPayment: getTestPaymentKind(deps.sandbox, receipt.livemode),
    reissued: receipt.isReissued,
    tribute: receipt.tribute,
    typicalGrant: org.typical_grant_cents,
  });
  return {
    org_id: receipt.orgId,
    number,
    series: getReceiptSeries(deps, receipt),
    printed_number: printedNumber,
    ledger_entry_id: receipt.ledgerEntryId,
    checkout_id: receipt.checkoutId ?? null,
    key: newId(),
    email,
    name,
    erase_payer_after_delivery: isPayerErased,
    amount_cents: receipt.amount,
    issued_at: issuedAt,
    next_charge_at: nextChargeAt ?? null,
    document: JSON.stringify(document),
    delivery_at: issuedAt,
  };
}

/**
 * Skips one number for each lost payment, so that no gift gets a number that a lost receipt may have. A second call for the
 * same payments skips no more numbers.
 * @param lostPayments ids of the payments, and the highest number known to have been printed
 * @returns undefined if no number is skipped
 */
export function skipLostNumbers(
  db: Database,
  series: ReceiptSeries,
  lostPayments: {
    readonly paymentIds: readonly string[];
    readonly lastPrintedNumber: number;
    readonly skippedAt: Date;
  },
): Promise<NumberGap | undefined> {
  return inTransaction(db, (tx) => skipReceiptNumbers(tx, series, lostPayments));
}
