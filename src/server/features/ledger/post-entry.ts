import type { Transaction } from 'kysely';
import { type LedgerKind, type Lines, linesOf } from '#domain/books.ts';
import type { Cents, TenThousandthsOfPound } from '#domain/money.ts';
import type { Tables } from '#server/db/tables.ts';
import { announceAfterCommit } from '#server/db/transaction.ts';
import { newId } from '#server/ids.ts';
import { addToTotals, insertEntries, insertLines } from './ledger.store.ts';

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
  /** On top of the awardees or paid grants that count; only adjustments have it. */
  readonly grants?: number;
  readonly currency: string;
  readonly checkoutId?: string;
  readonly pledgeId?: string;
  readonly grantId?: string;
  readonly reason?: string;
  readonly actorId?: string;
  /** When the money moved: the provider's charge, or the day on which a check was received. */
  readonly occurredAt: Date;
  /** When it became known, on which it is booked if its month is closed; by default the database's time. */
  readonly knownAt?: Date;
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
  const [id] = await postEntries(tx, [entry]);
  return id;
}

/** Posts entries. @returns the id of each; undefined for those whose fact was already posted */
export async function postEntries(
  tx: Transaction<Tables>,
  entries: readonly NewEntry[],
): Promise<(string | undefined)[]> {
  if (entries.length === 0) return [];
  const given = entries.map((entry) => ({ entry, row: rowOf(entry) }));
  const inserted = await insertEntries(
    tx,
    given.map(({ row }) => row),
  );
  const posted = given.filter(({ row }) => inserted.has(row.id));
  for (const { row } of posted) announceAfterCommit(row.org_id);
  await insertLines(
    tx,
    posted.map(({ row, entry }) => ({ id: row.id, lines: entry.lines ?? linesOf(entry.kind, entry.amount) })),
  );
  const counting = posted.filter(({ row }) => inserted.get(row.id)?.counts);
  await addToTotals(
    tx,
    counting.map(({ row }) => row),
  );
  return given.map(({ row }) => (inserted.has(row.id) ? row.id : undefined));
}

function rowOf(entry: NewEntry) {
  return {
    id: newId(),
    org_id: entry.orgId,
    amount_cents: entry.amount,
    carbon: entry.carbon,
    gas: entry.gas ?? 0,
    grants: entry.grants ?? 0,
    kind: entry.kind,
    fact: entry.fact,
    currency: entry.currency,
    checkout_id: entry.checkoutId ?? null,
    pledge_id: entry.pledgeId ?? null,
    grant_id: entry.grantId ?? null,
    reason: entry.reason ?? null,
    actor_id: entry.actorId ?? null,
    livemode: entry.livemode ?? null,
    occurred_at: entry.occurredAt,
    created_at: entry.knownAt,
  };
}
