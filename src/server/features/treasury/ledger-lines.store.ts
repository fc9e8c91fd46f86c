import { type Kysely, sql } from 'kysely';
import type { LedgerKind } from '#domain/books.ts';
import type { CartItem } from '#domain/cart.ts';
import type { Tables } from '#server/db/tables.ts';

/** Which entries: those of gifts from this moment on, and before that one. */
export type LedgerSpan = { readonly from?: Date | undefined; readonly until?: Date | undefined };

/** An entry of the ledger beside what is known of the gift. */
export type LedgerLine = {
  readonly id: string;
  readonly kind: LedgerKind;
  readonly fact: string;
  readonly amount_cents: number;
  readonly carbon: number;
  readonly currency: string;
  readonly reason: string | null;
  readonly occurred_at: Date;
  readonly created_at: Date;
  readonly checkout_id: string | null;
  readonly pledge_id: string | null;
  readonly cart: readonly CartItem[] | null;
  readonly provider_session_id: string | null;
  readonly provider_payment_id: string | null;
  readonly provider_subscription_id: string | null;
  readonly receipt_number: number | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly check_number: string | null;
};

/** The line after which the next part begins. */
export type LastLine = Pick<LedgerLine, 'occurred_at' | 'id'>;

/** The next lines of an organization's ledger by the time of the gift, the oldest first, `most` of them. */
export async function linesAfter(
  db: Kysely<Tables>,
  orgId: string,
  span: LedgerSpan,
  { last, most }: { readonly last: LastLine | undefined; readonly most: number },
): Promise<LedgerLine[]> {
  const after = last ? sql`and (e.occurred_at, e.id) > (${last.occurred_at}, ${last.id})` : sql``;
  const { rows } = await sql<LedgerLine>`
    select e.id, e.kind, e.fact, e.amount_cents, e.carbon, e.currency, e.reason, e.occurred_at, e.created_at,
      e.checkout_id, e.pledge_id, c.cart, c.provider_session_id, c.provider_payment_id, c.provider_subscription_id,
      r.printed_number as receipt_number,
      -- A payer who is to be erased once the receipt is mailed is not shown any more.
      coalesce(case when r.erase_payer then null else r.name end, c.display_name, p.name) as name,
      coalesce(case when r.erase_payer then null else r.email end, c.email, p.email) as email, p.check_number
    from ledger_entries e
      left join checkouts c on c.id = e.checkout_id and c.org_id = e.org_id
      left join pledges p on p.id = e.pledge_id and p.org_id = e.org_id
      left join receipts r on r.ledger_entry_id = e.id
    where e.org_id = ${orgId} ${within(span)} ${after}
    order by e.occurred_at, e.id limit ${most}`.execute(db);
  return rows;
}

export async function countLines(db: Kysely<Tables>, orgId: string, span: LedgerSpan): Promise<number> {
  const { rows } = await sql<{ lines: number }>`
    select count(*) as lines from ledger_entries e where e.org_id = ${orgId} ${within(span)}`.execute(db);
  return rows[0]?.lines ?? 0;
}

/** Without test money, where payments are live (decisions §3). */
function within({ from, until }: LedgerSpan) {
  const lower = from ? sql`and counts_now(e) and e.occurred_at >= ${from}` : sql`and counts_now(e)`;
  return until ? sql`${lower} and e.occurred_at < ${until}` : lower;
}
