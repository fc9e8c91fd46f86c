import type { Transaction } from 'kysely';
import { dayOf } from '#domain/days.ts';
import type { OrgId } from '#domain/ids.ts';
import { type Cents, formatCents } from '#domain/money.ts';
import { getReceiptLanguage, returnNotes } from '#domain/receipt.ts';
import type { InLanguage } from '#messages';
import type { Tables } from '#server/db/tables.ts';
import type { AppDeps } from '#server/deps.ts';
import { findReceiptByEntry, findReceiptOrg, hasReceiptNote, insertReceiptNote } from './receipts.store.ts';
import { type ReturnOutcome, sendReturnedGiftEmail } from './send-returned-gift-email.job.ts';

type NewNote = {
  readonly orgId: OrgId;
  /** The gift's ledger entry. */
  readonly entryId: string;
  /** Unique key; each fact is noted only once. */
  readonly fact: string;
  readonly occurredAt: Date;
  /** Formats the note in the receipt's language. */
  readonly formatText: (options: InLanguage) => string;
};

/**
 * Adds a note to a gift's receipt. Every later copy shows it.
 * @returns whether the note is new
 */
export async function addNoteToReceipt(
  tx: Transaction<Tables>,
  { orgId, entryId, fact, occurredAt, formatText }: NewNote,
): Promise<boolean> {
  const receipt = await findReceiptByEntry(tx, orgId, entryId);
  if (!receipt) return false;
  const { time_zone: zone } = await findReceiptOrg(tx, orgId);
  const note = formatText({ locale: getReceiptLanguage(receipt.document ?? {}) });
  return insertReceiptNote(tx, {
    fact,
    org_id: orgId,
    number: receipt.number,
    noted_on: dayOf(occurredAt, zone),
    text: note,
  });
}

type ReturnNotice = {
  readonly orgId: OrgId;
  readonly entryId: string;
  /** The provider's id of the refund or dispute. */
  readonly returnId: string;
  readonly amount: Cents;
  readonly status: ReturnOutcome;
  readonly occurredAt: Date;
  /** True if the donor's data was erased, so that no email is sent. */
  readonly isPayerErased: boolean;
};

const RETURN_NOTES = {
  succeeded: returnNotes.refunded,
  lost: returnNotes.chargedBack,
  failed: returnNotes.refundFailed,
  won: returnNotes.chargebackReversed,
} as const satisfies Readonly<Record<ReturnOutcome, unknown>>;

/** Adds a note about a refund or dispute to the gift's receipt and queues an email to the donor, once per outcome. */
export async function notifyDonorOfReturn(
  tx: Transaction<Tables>,
  { jobs }: Pick<AppDeps, 'jobs'>,
  { orgId, entryId, returnId, amount, status, occurredAt, isPayerErased }: ReturnNotice,
): Promise<void> {
  const toNoteFact = (outcome: ReturnOutcome) => `return:${returnId}:${outcome}`;
  // Notify about a failed refund or a won dispute only if the donor was notified about the refund or the lost dispute.
  if (status === 'failed' && !(await hasReceiptNote(tx, toNoteFact('succeeded')))) return;
  if (status === 'won' && !(await hasReceiptNote(tx, toNoteFact('lost')))) return;
  const formatText = (options: InLanguage) => RETURN_NOTES[status]({ amount: formatCents(amount) }, options);
  const isNew = await addNoteToReceipt(tx, { orgId, entryId, fact: toNoteFact(status), occurredAt, formatText });
  if (isNew && !isPayerErased) await jobs.enqueue(tx, sendReturnedGiftEmail, { returnId, status, amount });
}
