import type { Transaction } from 'kysely';
import { dayOf } from '#domain/days.ts';
import { type Cents, formatCents } from '#domain/money.ts';
import { receiptLanguage, returnNotes } from '#domain/receipt.ts';
import type { InLanguage } from '#messages';
import type { Tables } from '#server/db/tables.ts';
import type { AppDeps } from '#server/deps.ts';
import { addReceiptNote, hasReceiptNote, receiptOfEntry, receiptOrg } from './receipts.store.ts';
import { sendReturnedGiftEmail } from './send-returned-gift-email.job.ts';

type NewNote = {
  readonly orgId: string;
  /** The gift's, in the ledger. */
  readonly entryId: string;
  /** The same fact is noted once. */
  readonly fact: string;
  readonly at: Date;
  /** In the language of the receipt. */
  readonly text: (options: InLanguage) => string;
};

/**
 * Notes on a gift's receipt what became of the gift since: from now on every copy says so.
 * @returns whether it was not noted before
 */
export async function noteOnReceipt(
  tx: Transaction<Tables>,
  { orgId, entryId, fact, at, text }: NewNote,
): Promise<boolean> {
  const receipt = await receiptOfEntry(tx, orgId, entryId);
  if (!receipt) return false;
  const { time_zone: zone } = await receiptOrg(tx, orgId);
  const note = text({ locale: receiptLanguage(receipt.document ?? {}) });
  return addReceiptNote(tx, { fact, org_id: orgId, number: receipt.number, noted_on: dayOf(at, zone), text: note });
}

type Returned = {
  readonly orgId: string;
  readonly entryId: string;
  /** The refund's or dispute's, as the provider names it. */
  readonly returnId: string;
  readonly amount: Cents;
  readonly status: ReturnTold;
  readonly at: Date;
  /** The donor's data was erased, so that nobody is mailed. */
  readonly isForgotten: boolean;
};

/** What a donor learns: money went back, the bank took it, or it came back after all. */
export type ReturnTold = 'succeeded' | 'lost' | 'failed' | 'won';

const NOTES = {
  succeeded: returnNotes.refunded,
  lost: returnNotes.takenByBank,
  failed: returnNotes.refundFailed,
  won: returnNotes.returnedByBank,
} as const;

/** Notes on a gift's receipt that money went back, and queues the mail to its donor; once, in the same transaction. */
export async function tellDonor(
  tx: Transaction<Tables>,
  { jobs }: Pick<AppDeps, 'jobs'>,
  { orgId, entryId, returnId, amount, status, at, isForgotten }: Returned,
): Promise<void> {
  const factOf = (what: ReturnTold) => `return:${returnId}:${what}`;
  // The donor never heard of a refund that failed while it was on its way, or of a dispute that was won at once.
  if (status === 'failed' && !(await hasReceiptNote(tx, factOf('succeeded')))) return;
  if (status === 'won' && !(await hasReceiptNote(tx, factOf('lost')))) return;
  const text = (options: InLanguage) => NOTES[status]({ amount: formatCents(amount) }, options);
  const isNew = await noteOnReceipt(tx, { orgId, entryId, fact: factOf(status), at, text });
  if (isNew && !isForgotten) await jobs.enqueue(tx, sendReturnedGiftEmail, { returnId, status, amount });
}
