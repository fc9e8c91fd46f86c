import type { Transaction } from 'kysely';
import { buildLines, type LedgerKind, type Lines } from '#domain/books.ts';
import type { CheckoutId, OrgId } from '#domain/ids.ts';
import type { Cents, TenThousandthsOfPound } from '#domain/money.ts';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';
import { addToTotals, insertEntry, insertLines } from './ledger.store.ts';

/** One fact: money and carbon received, or negative if returned (decisions §3). */
export type NewEntry = {
  readonly orgId: OrgId;
  readonly kind: LedgerKind;
  /** Unique key such as 'checkout-session:cs_…', so that no fact is counted twice. */
  readonly fact: string;
  readonly amount: Cents;
  readonly carbon: TenThousandthsOfPound;
  /** Adjustments only: ten-thousandths of a gallon, in addition to the gallons computed from the carbon. */
  readonly gas?: number;
  /** Adjustments only: grants in addition to the published awardees or paid grants. */
  readonly grants?: number;
  readonly currency: string;
  readonly checkoutId?: CheckoutId;
  readonly pledgeId?: string;
  readonly grantId?: string;
  /** Entry of the payment to which a fee, refund, or dispute belongs. */
  readonly paymentEntryId?: string;
  /** The provider's id of the refund or dispute. */
  readonly returnId?: string;
  /** The provider's movement of a fee's, refund's, or dispute's money. */
  readonly balanceTransactionId?: string;
  /** The check, promise, or grant payment that the entry reverses. */
  readonly reversedEntryId?: string;
  readonly reason?: string;
  readonly actorId?: string;
  /** When the money moved: the time of the provider's charge, or the day a check was received. */
  readonly occurredAt: Date;
  /** When the money was reported, and booked if its month is closed. Defaults to the database's time. */
  readonly reportedAt?: Date;
  /** True if real money moved. Defaults to the program's current mode. */
  readonly livemode?: boolean | undefined;
  /** Amount per account. By default, derived from the kind and amount. */
  readonly lines?: Lines;
};

/**
 * Posts an entry and adds it to the organization's totals, which stay locked until the transaction ends. Test money is in
 * the ledger, but not in the totals of live payments (decisions §3).
 * @returns the entry's id; undefined if this fact was already posted
 */
export async function postEntry(tx: Transaction<Tables>, entry: NewEntry): Promise<string | undefined> {
  const id = newId();
  const { orgId, amount, carbon, gas = 0, grants = 0 } = entry;
  const amounts = { org_id: orgId, amount_cents: amount, carbon, gas, grants };
  const row = {
    ...amounts,
    id,
    kind: entry.kind,
    fact: entry.fact,
    currency: entry.currency,
    checkout_id: entry.checkoutId ?? null,
    pledge_id: entry.pledgeId ?? null,
    grant_id: entry.grantId ?? null,
    payment_entry_id: entry.paymentEntryId ?? null,
    return_id: entry.returnId ?? null,
    balance_transaction_id: entry.balanceTransactionId ?? null,
    reversed_entry_id: entry.reversedEntryId ?? null,
    reason: entry.reason ?? null,
    actor_id: entry.actorId ?? null,
    livemode: entry.livemode ?? null,
    occurred_at: entry.occurredAt,
    reported_at: entry.reportedAt,
  };
  const newEntry = await insertEntry(tx, row);
  if (!newEntry) return undefined;
  await insertLines(tx, id, entry.lines ?? buildLines(entry.kind, amount));
  if (newEntry.counts) await addToTotals(tx, amounts);
  return id;
}
