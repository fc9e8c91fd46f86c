import { type Kysely, sql } from 'kysely';
import type { LedgerKind } from '#domain/books.ts';
import type { Tables } from '#server/db/tables.ts';

/** What an entry did to the account at the provider. */
export type BookedMovement = {
  readonly fact: string;
  readonly kind: LedgerKind;
  readonly org_id: string;
  readonly checkout_id: string | null;
  readonly cents: number;
  readonly currency: string;
  readonly charge_id: string | null;
  readonly intent_id: string | null;
  readonly invoice_id: string | null;
  readonly occurred_at: Date;
  readonly created_at: Date;
};

/** Those of one mode, except the sample's, which no provider knows. @param since by default all */
export async function bookedMovements(
  db: Kysely<Tables>,
  livemode: boolean,
  since = new Date(0),
): Promise<readonly BookedMovement[]> {
  const { rows } = await sql<BookedMovement>`
    select e.fact, e.kind, e.org_id, e.checkout_id, l.cents, e.currency, e.occurred_at, e.created_at,
      coalesce(p.charge_id, t.charge_id) as charge_id, p.intent_id, p.invoice_id
    from ledger_entries e
      join ledger_lines l on l.entry_id = e.id and l.account = 'provider'
      join orgs o on o.id = e.org_id
      left join payments p on p.entry_id = e.id
      -- The charge that a refund or dispute is about.
      left join returns r on r.id = split_part(e.fact, ':', 2)
      left join payments t on t.entry_id = r.entry_id
    where coalesce(e.livemode, ${livemode}) = ${livemode} and e.occurred_at >= ${since}
      and not (o.is_sample and e.fact ~ '^(sample:|(fee|refund|payout):sample-)')`.execute(db);
  return rows;
}

export async function databaseTime(db: Kysely<Tables>): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db);
  return rows[0]?.now ?? new Date(0);
}
