import { type Kysely, sql } from 'kysely';
import type { LedgerKind } from '#domain/books.ts';
import type { CartItem } from '#domain/cart.ts';
import type { Day } from '#domain/days.ts';
import type { OrgId } from '#domain/ids.ts';
import type { Tribute } from '#domain/tribute.ts';
import type { Tables } from '#server/db/tables.ts';

/** Entries booked from one moment until another. */
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
  /** Its own day, and the one on which it counts: another one if its month was closed. */
  readonly occurred_at: Date;
  readonly booked_at: Date;
  readonly created_at: Date;
  readonly checkout_id: string | null;
  readonly pledge_id: string | null;
  readonly grant_id: string | null;
  readonly cart: readonly CartItem[] | null;
  readonly provider_session_id: string | null;
  readonly provider_payment_id: string | null;
  readonly provider_subscription_id: string | null;
  readonly receipt_number: number | null;
  /** Of the donor, or of the home of a grant. */
  readonly name: string | null;
  readonly email: string | null;
  readonly check_number: string | null;
  /** As printed on the receipt. */
  readonly tribute: Tribute | null;
  /** Of a gift by card, in its amount: what the donor added to cover the card fee. */
  readonly covered_fee_cents: number | null;
  /** Of a gift: what the provider kept, once it has settled the charge. Of a fee: itself. */
  readonly fee_cents: number | null;
  readonly refunded_cents: number | null;
  /** Of what went back: the entry of its gift. */
  readonly gift_entry_id: string | null;
  /** That carried this money, and the day on which it reached the bank. */
  readonly payout_id: string | null;
  readonly arrived_on: Day | null;
  /** Of a payout; of a grant what left the bank, negative. */
  readonly paid_out_cents: number | null;
};

/** The line after which the next part begins. */
export type LastLine = Pick<LedgerLine, 'booked_at' | 'created_at' | 'fact'>;

/**
 * The next lines of an organization's ledger as they are booked, the oldest first, `most` of them. What ends bears
 * the time of what began, and may be posted at once with it: "dispute:dp_1:verdict:1" then comes after "dispute:dp_1:txn_1".
 */
export async function linesAfter(
  db: Kysely<Tables>,
  orgId: OrgId,
  span: LedgerSpan,
  { last, most }: { readonly last: LastLine | undefined; readonly most: number },
): Promise<LedgerLine[]> {
  const after = last
    ? sql`and (e.booked_at, e.created_at, e.fact) > (${last.booked_at}, ${last.created_at}, ${last.fact})`
    : sql``;
  const { rows } = await sql<LedgerLine>`
    select e.id, e.kind, e.fact, e.amount_cents, e.carbon, e.currency, e.occurred_at, e.booked_at, e.created_at,
      -- What an editor typed is beside the entry, so that it can be erased.
      coalesce(e.reason, case when e.kind = 'refund' then ret.reason end, case when e.kind = 'reversal' and not exists (
        -- A check keeps the reason of its last reversal.
        select from ledger_entries n where n.pledge_id = e.pledge_id and n.kind = 'reversal' and n.created_at > e.created_at)
        then p.reversal_reason end) as reason,
      e.checkout_id, e.pledge_id, e.grant_id, c.cart, c.provider_session_id, c.provider_payment_id, c.provider_subscription_id,
      r.donee_number as receipt_number,
      -- A payer who is to be erased once the receipt is mailed is not shown any more.
      coalesce(case when r.erase_payer then null else r.name end, c.display_name, p.name, home.name) as name,
      coalesce(case when r.erase_payer then null else r.email end, c.email, p.email) as email, p.check_number,
      r.document -> 'tribute' as tribute,
      case e.kind when 'fee' then (select cents from ledger_lines l where l.entry_id = e.id and l.account = 'fees')
        else g.fee_cents end as fee_cents,
      coalesce(ret.entry_id, case when e.fact like 'check-reversal:%' then split_part(e.fact, ':', 2) end) as gift_entry_id,
      g.covered_fee_cents, g.refunded_cents, coalesce(later.id, o.id) as payout_id,
      case when coalesce(later.status, o.status) = 'paid' then coalesce(later.arrives_on, o.arrives_on) end as arrived_on,
      case when e.kind in ('payout', 'grant') then
        (select cents from ledger_lines l where l.entry_id = e.id and l.account = 'bank') end as paid_out_cents
    from ledger_entries e
      left join payments g on g.entry_id = e.id
      left join payout_entries po on po.entry_id = e.id
      left join lateral (
        select m.payout_id from payout_movements m
        where e.kind in ('refund', 'reversal', 'dispute', 'fee') and case e.kind
          when 'fee' then m.movement_id = split_part(e.fact, ':', 2)
          when 'dispute' then m.movement_id = split_part(e.fact, ':', 3)
          else m.source_id = split_part(e.fact, ':', 2) and (m.gross_cents > 0) = (e.kind = 'reversal') end
        limit 1) m on true
      left join payouts o on o.id = coalesce(g.payout_id, m.payout_id, po.payout_id)
      left join payouts later on later.id = o.returned_in and e.kind <> 'payout'
      left join checkouts c on c.id = e.checkout_id and c.org_id = e.org_id
      left join pledges p on p.id = e.pledge_id and p.org_id = e.org_id
      left join returns ret on e.kind in ('refund', 'dispute', 'reversal') and ret.id = split_part(e.fact, ':', 2)
      left join grants on grants.id = e.grant_id and grants.org_id = e.org_id
      left join awardees home on home.id = grants.awardee_id
      left join receipts r on r.ledger_entry_id = e.id
    where e.org_id = ${orgId} ${within(span)} ${after}
    order by e.booked_at, e.created_at, e.fact limit ${most}`.execute(db);
  return rows;
}

export async function countLines(db: Kysely<Tables>, orgId: OrgId, span: LedgerSpan): Promise<number> {
  const { rows } = await sql<{ lines: number }>`
    select count(*) as lines from ledger_entries e where e.org_id = ${orgId} ${within(span)}`.execute(db);
  return rows[0]?.lines ?? 0;
}

/** Without test money, where payments are live (decisions §3). The fee of a charge is part of its gift's line. */
function within({ from, until }: LedgerSpan) {
  const listed = sql`and counts_now(e) and not (e.kind = 'fee' and exists (
    select from payments where balance_transaction_id = substr(e.fact, 5)))`;
  const lower = from ? sql`${listed} and e.booked_at >= ${from}` : listed;
  return until ? sql`${lower} and e.booked_at < ${until}` : lower;
}
