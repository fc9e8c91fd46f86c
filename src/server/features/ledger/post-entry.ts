import type { Transaction } from 'kysely';
import type { Cents, TenThousandthsOfPound } from '#domain/money.ts';
import type { LedgerKind, Tables } from '#server/db/tables.ts';
import { newId } from '#server/ids.ts';
import { addToTotals, insertEntry } from './ledger.store.ts';

/** What happened, once: money and carbon that came, or with a minus that went (decisions §3). */
export type NewEntry = {
  readonly orgId: string;
  readonly kind: LedgerKind;
  /** What makes it one of its kind, such as 'checkout-session:cs_…': the same fact is never counted twice. */
  readonly fact: string;
  readonly amount: Cents;
  readonly carbon: TenThousandthsOfPound;
  /** Ten-thousandths of a gallon, beside those that follow from the carbon: only an adjustment has them. */
  readonly gas?: number;
  /** Beside the awardees that are counted: only an adjustment has them. */
  readonly grants?: number;
  readonly currency: string;
  readonly checkoutId?: string;
  readonly pledgeId?: string;
  readonly reason?: string;
  readonly actorId?: string;
  readonly occurredAt: Date;
};

/**
 * Posts an entry and adds it to the organisation's totals, which no other transaction can change until this one ends.
 * @returns the entry's id, or nothing when this fact was posted before
 */
export async function postEntry(tx: Transaction<Tables>, entry: NewEntry): Promise<string | undefined> {
  const amounts = {
    org_id: entry.orgId,
    amount_cents: entry.amount,
    carbon: entry.carbon,
    gas: entry.gas ?? 0,
    grants: entry.grants ?? 0,
  };
  const id = await insertEntry(tx, {
    ...amounts,
    id: newId(),
    kind: entry.kind,
    fact: entry.fact,
    currency: entry.currency,
    checkout_id: entry.checkoutId ?? null,
    pledge_id: entry.pledgeId ?? null,
    reason: entry.reason ?? null,
    actor_id: entry.actorId ?? null,
    occurred_at: entry.occurredAt,
  });
  if (id !== undefined) await addToTotals(tx, amounts);
  return id;
}
