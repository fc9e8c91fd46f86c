import { type Kysely, sql } from 'kysely';
import { ONLINE_GIFT_ENTRIES } from '#domain/books.ts';
import type { CartItem } from '#domain/cart.ts';
import type { PaymentStatus } from '#domain/checkout.ts';
import type { CheckoutId, OrgId } from '#domain/ids.ts';
import type { Cents, TenThousandthsOfPound } from '#domain/money.ts';
import type { ReceiptNote } from '#domain/receipt.ts';
import { isOfKind } from '#server/db/fact-sql.ts';
import { isInPaymentMode } from '#server/db/payment-mode.ts';
import type { Tables } from '#server/db/tables.ts';
import type { UserFacts } from '#server/entities/find-user.ts';

export type GiftRow = {
  readonly org_id: OrgId;
  readonly org_name: string;
  readonly typical_grant_cents: Cents | null;
  readonly time_zone: string;
  /** Id of the gift's ledger entry; null while it is processing. */
  readonly entry_id: string | null;
  readonly kind: 'payment' | 'renewal' | 'check' | 'processing';
  readonly amount_cents: Cents;
  readonly covered_fee_cents: Cents;
  readonly carbon: TenThousandthsOfPound;
  readonly given_at: Date;
  readonly checkout_id: CheckoutId | null;
  readonly cart: readonly CartItem[] | null;
  readonly payment_status: PaymentStatus | null;
  readonly completed: boolean | null;
  readonly offsetter_id: string | null;
  readonly checkout_created_at: Date | null;
  readonly receipt_number: number | null;
  readonly receipt_key: string | null;
  /** Refunds and lost disputes, including pending refunds already deducted from the balance; null for a check. */
  readonly returned_or_pending_cents: Cents | null;
  /** Refunds that succeeded, and lost disputes. */
  readonly returned_cents: Cents;
  /** Pending refunds. */
  readonly pending_cents: Cents;
  readonly notes: readonly ReceiptNote[];
};

/** Lists a user's gifts in all organizations: made while signed in, paid with the user's email, or with a receipt issued to that address. */
export async function listUserGifts(
  db: Kysely<Tables>,
  { userId, email }: Pick<UserFacts, 'userId' | 'email'>,
): Promise<GiftRow[]> {
  const { rows } = await sql<GiftRow>`
    with user_checkouts as (
      select id from checkouts where user_id = ${userId}
      union select id from checkouts where lower(email) = ${email}
    ), entries as (
      select e.id from ledger_entries e join user_checkouts u on u.id = e.checkout_id
      union select ledger_entry_id from receipts where lower(email) = ${email}
      union select e.id from ledger_entries e join pledges p on p.id = e.pledge_id where lower(p.email) = ${email}
    ), gifts as (
      select e.org_id, e.kind, e.amount_cents, e.carbon, e.occurred_at as given_at, e.checkout_id, e.id as entry_id
      from ledger_entries e join entries on entries.id = e.id where (${isOfKind('e.kind', ONLINE_GIFT_ENTRIES)}
        -- A bounced check is not a gift.
        or (e.kind = 'check' and not exists (select from ledger_entries v
          where v.pledge_id = e.pledge_id and v.kind = 'reversal' and v.created_at >= e.created_at)))
        -- Test payments don't count once the program accepts real money.
        and ${isInPaymentMode('e.livemode')}
      union all
      select c.org_id, 'processing', c.total_cents, c.carbon, c.created_at, c.id, null
      from checkouts c join user_checkouts u on u.id = c.id where c.payment_status = 'processing'
    )
    select g.org_id, o.name as org_name, o.typical_grant_cents, o.time_zone, g.entry_id, g.kind, g.amount_cents, g.carbon, g.given_at, g.checkout_id,
      coalesce(p.covered_fee_cents, c.covered_fee_cents, 0) as covered_fee_cents,
      c.cart,
      case
        when p.status = 'disputed' or (p.status = 'lost' and p.returned_cents >= p.amount_cents) then 'disputed'
        when p.status = 'refunded' then 'refunded'
        when p.status is not null then 'paid'
        else c.payment_status end as payment_status,
      c.completed, c.offsetter_id, c.created_at as checkout_created_at,
      r.printed_number as receipt_number, r.key as receipt_key, p.returned_cents as returned_or_pending_cents,
      coalesce(p.returned_cents, 0) - pending.deducted_cents as returned_cents, pending.cents as pending_cents,
      (select coalesce(jsonb_agg(jsonb_build_object('date', n.noted_on, 'text', n.text)
          order by n.noted_on, n.created_at, n.fact), '[]') from receipt_notes n
        where n.org_id = r.org_id and n.number = r.number) as notes
    from gifts g
      join orgs o on o.id = g.org_id
      left join checkouts c on c.id = g.checkout_id and c.org_id = g.org_id
      left join payments p on p.entry_id = g.entry_id
      cross join lateral (
        select coalesce(sum(amount_cents), 0)::int8 as cents, coalesce(sum(returned_cents), 0)::int8 as deducted_cents
        from payment_returns where payment_returns.entry_id = g.entry_id and status = 'pending') pending
      left join receipts r on r.ledger_entry_id = g.entry_id
    order by g.given_at desc, g.checkout_id, g.entry_id`.execute(db);
  return rows;
}
