import type { Transaction } from 'kysely';
import { type LedgerKind, type Lines, linesOf } from '#domain/books.ts';
import type { Cents, TenThousandthsOfPound } from '#domain/money.ts';
import type { Tables } from '#server/db/tables.ts';
import { announceAfterCommit } from '#server/db/transaction.ts';
import { newId } from '#server/ids.ts';
import { addToTotals, insertEntry, insertLines } from './ledger.store.ts';

/** One fact: money and carbon received, or negative if taken back (decisions §3). */
export type NewEntry = {
  readonly orgId: string;
  readonly kind: LedgerKind;
  /** A unique name such as 'checkout-session:cs_…': the same fact is never counted twice. */
  readonly fact: string;
  readonly amount: Cents;
  readonly carbon: TenThousandthsOfPound;
  /** Ten-thousandths of a gallon, on top of what follows from the carbon; only adjustments have it. */
  readonly gas?: number;
  /** On top of the published awardees; only adjustments have it. */
  readonly grants?: number;
  readonly currency: string;
  readonly checkoutId?: string;
  readonly pledgeId?: string;
  readonly reason?: string;
  readonly actorId?: string;
  /** When the money moved: the provider's charge, or the day on which a check was received. */
  readonly occurredAt: Date;
  /** The provider's word whether real money moved; by default the program's current mode. */
  readonly livemode?: boolean | undefined;
  /** What it does to each account; by default what its kind and amount say. */
  readonly lines?: Lines;
};

/**
 * Posts an entry and adds it to the organization's totals, which stay locked until the transaction ends. Test money is in
 * the ledger, but not in the totals of live payments (decisions §3).
 * @returns the entry's id; undefined if this fact was already posted
 */
export async function postEntry(tx: Transaction<Tables>, entry: NewEntry): Promise<string | undefined> {
  const amounts = {
    org_id: entry.orgId,
    amount_cents: entry.amount,
    carbon: entry.carbon,
    gas: entry.gas ?? 0,
    grants: entry.grants ?? 0,
  };
  const inserted = await insertEntry(tx, {
    ...amounts,
    id: newId(),
    kind: entry.kind,
    fact: entry.fact,
    currency: entry.currency,
    checkout_id: entry.checkoutId ?? null,
    pledge_id: entry.pledgeId ?? null,
    reason: entry.reason ?? null,
    actor_id: entry.actorId ?? null,
    livemode: entry.livemode ?? null,
    occurred_at: entry.occurredAt,
  });
  if (!inserted) return undefined;
  announceAfterCommit(entry.orgId);
  await insertLines(tx, inserted.id, entry.lines ?? linesOf(entry.kind, entry.amount));
  if (inserted.counts) await addToTotals(tx, amounts);
  return inserted.id;
}
