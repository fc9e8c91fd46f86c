import type { Transaction } from 'kysely';
import { dayOf } from '#domain/days.ts';
import type { Tables } from '#server/db/tables.ts';
import { addReceiptNote, receiptOfEntry, receiptOrg } from './receipts.store.ts';

type NewNote = {
  readonly orgId: string;
  /** The gift's, in the ledger. */
  readonly entryId: string;
  /** The same fact is noted once. */
  readonly fact: string;
  readonly at: Date;
  readonly text: string;
};

/** Notes on a gift's receipt what became of the gift since: from now on every copy says so. */
export async function noteOnReceipt(
  tx: Transaction<Tables>,
  { orgId, entryId, fact, at, text }: NewNote,
): Promise<void> {
  const receipt = await receiptOfEntry(tx, orgId, entryId);
  if (!receipt) return;
  const { time_zone: zone } = await receiptOrg(tx, orgId);
  await addReceiptNote(tx, { fact, org_id: orgId, number: receipt.number, noted_on: dayOf(at, zone), text });
}
