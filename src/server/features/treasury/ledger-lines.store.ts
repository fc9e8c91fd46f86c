import { type Kysely, sql } from 'kysely';
import type { LedgerKind } from '#domain/books.ts';
import type { CartItem } from '#domain/cart.ts';
import type { Day } from '#domain/days.ts';
import type { CheckoutId, OrgId } from '#domain/ids.ts';
import type { Cents, TenThousandthsOfPound } from '#domain/money.ts';
import type { Tribute } from '#domain/tribute.ts';
import { isInPaymentMode } from '#server/db/payment-mode.ts';
import type { Tables } from '#server/db/tables.ts';

/** Period in which entries are booked. An omitted bound leaves that side open. */
export type LedgerSpan = { readonly from?: Date | undefined; readonly until?: Date | undefined };

/** A ledger entry with details of its gift. */
export type LedgerLine = {
  readonly id: string;
  readonly kind: LedgerKind;
  readonly fact: string;
  readonly amount_cents: Cents;
  readonly carbon: TenThousandthsOfPound;
  readonly currency: string;
  readonly reason: string | null;
  readonly occurred_at: Date;
  /** When the entry is booked. Differs from `occurred_at` if the entry's month was already closed. */
  readonly booked_at: Date;
  readonly created_at: Date;
  readonly checkout_id: CheckoutId | null;
  readonly pledge_id: string | null;
  readonly grant_id: string | null;
  readonly cart: readonly CartItem[] | null;
  readonly provider_session_id: string | null;
  readonly provider_payment_id: string | null;
  readonly provider_subscription_id: string | null;
  readonly receipt_number: number | null;
  /** Name of the donor or, for a grant, of the household. */
  readonly name: string | null;
  readonly email: string | null;
  readonly check_number: string | null;
  /** Tribute printed on the receipt. */
  readonly tribute: Tribute | null;
  /** For a card gift: the part of its amount that covers the card fee. */
  readonly covered_fee_cents: Cents | null;
  /** For a gift: the provider's fee, once the charge is settled. For a fee: its amount. */
  readonly fee_cents: Cents | null;
  readonly returned_cents: Cents | null;
  /** For a refund, dispute, or reversal: the entry of its gift. */
  readonly gift_entry_id: string | null;
  /** Payout that contains this money. */
  readonly payout_id: string | null;
  /** Day on which the payout reached the bank. */
  readonly arrived_on: Day | null;
  /** For a payout: its amount. For a grant: the amount that left the bank, negative. */
  readonly paid_out_cents: Cents | null;
};

/** Position in the ledger: the last line of the previous query. */
export type LineCursor = Pick<LedgerLine, 'booked_at' | 'created_at' | 'fact'>;

/**
 * Lists up to `max` lines of an organization's ledger after a cursor, in booking order. The fact breaks ties between
 * entries posted together: "dispute:dp_1:verdict:1" comes after "dispute:dp_1:txn_1".
 */
export async function listLedgerLines(
  db: Kysely<Tables>,
  orgId: OrgId,
  span: LedgerSpan,
  { after, max }: { readonly after: LineCursor | undefined; readonly max: number },
): Promise<LedgerLine[]> {
  const afterCursor = after
    ? sql`and (e.booked_at, e.created_at, e.fact) > (${after.booked_at}, ${after.created_at}, ${after.fact})`
    : sql``;
  const { rows } = await sql<LedgerLine>`
    select e.id, e.kind, e.fact, e.amount_cents, e.carbon, e.currency, e.occurred_at, e.booked_at, e.created_at,
      -- An editor's text is stored outside the entry, so that it can be erased.
      coalesce(e.reason, case when e.kind = 'refund' then ret.reason end, case when e.kind = 'reversal' and not exists (
        -- A check stores only the reason of its last reversal.
        select from ledger_entries n where n.pledge_id = e.pledge_id and n.kind = 'reversal' and n.created_at > e.created_at)
        then p.reversal_reason end) as reason,
      e.checkout_id, e.pledge_id, e.grant_id, c.cart, c.provider_session_id, c.provider_payment_id, c.provider_subscription_id,
      r.printed_number as receipt_number,
      -- Hides a payer who will be erased after the receipt is emailed.
      coalesce(case when r.erase_payer_after_delivery then null else r.name end, c.display_name, p.name, home.name) as name,
      coalesce(case when r.erase_payer_after_delivery then null else r.email end, c.email, p.email) as email, p.check_number,
      r.document -> 'tribute' as tribute,
      case e.kind when 'fee' then (select cents from ledger_lines l where l.entry_id = e.id and l.account = 'fees')
        else g.fee_cents end as fee_cents,
      case when e.kind in ('refund', 'dispute', 'reversal') then coalesce(e.payment_entry_id, e.reversed_entry_id) end
        as gift_entry_id,
      g.covered_fee_cents, g.returned_cents, coalesce(replacement.id, o.id) as payout_id,
      case when coalesce(replacement.status, o.status) = 'paid' then coalesce(replacement.arrives_on, o.arrives_on) end as arrived_on,
      case when e.kind in ('payout', 'grant') then
        (select cents from ledger_lines l where l.entry_id = e.id and l.account = 'bank') end as paid_out_cents
    from ledger_entries e
      left join payments g on g.entry_id = e.id
      left join payout_entries po on po.entry_id = e.id
      left join lateral (
        select m.payout_id from payout_movements m where m.movement_id = e.balance_transaction_id limit 1) m on true
      left join payouts o on o.id = coalesce(g.payout_id, m.payout_id, po.payout_id)
      left join lateral (
        -- The last replacement payout: all earlier ones failed.
        with recursive replacements as (
          select id, status, arrives_on, replacement_payout_id from payouts
            where id = o.replacement_payout_id and e.kind <> 'payout'
          union
          select p.id, p.status, p.arrives_on, p.replacement_payout_id
            from replacements r join payouts p on p.id = r.replacement_payout_id)
        select id, status, arrives_on from replacements where replacement_payout_id is null limit 1) replacement on true
      left join checkouts c on c.id = e.checkout_id and c.org_id = e.org_id
      left join pledges p on p.id = e.pledge_id and p.org_id = e.org_id
      left join payment_returns ret on ret.id = e.return_id
      left join grants on grants.id = e.grant_id and grants.org_id = e.org_id
      left join awardees home on home.id = grants.awardee_id
      left join receipts r on r.ledger_entry_id = e.id
    where e.org_id = ${orgId} ${isWithinSpan(span)} ${afterCursor}
    order by e.booked_at, e.created_at, e.fact limit ${max}`.execute(db);
  return rows;
}

export async function countLedgerLines(db: Kysely<Tables>, orgId: OrgId, span: LedgerSpan): Promise<number> {
  const { rows } = await sql<{ lines: number }>`
    select count(*) as lines from ledger_entries e where e.org_id = ${orgId} ${isWithinSpan(span)}`.execute(db);
  return rows[0]?.lines ?? 0;
}

/**
 * Matches entries booked in a period. Excludes test money if payments are live (decisions §3), and fees of charges, which
 * are part of the gift's line.
 */
function isWithinSpan({ from, until }: LedgerSpan) {
  const isListed = sql`and ${isInPaymentMode('e.livemode')} and not (e.kind = 'fee' and exists (
    select from payments where balance_transaction_id = e.balance_transaction_id))`;
  const isAfter = from ? sql`${isListed} and e.booked_at >= ${from}` : isListed;
  return until ? sql`${isAfter} and e.booked_at < ${until}` : isAfter;
}
