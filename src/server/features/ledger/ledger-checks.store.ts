import { type RawBuilder, sql } from 'kysely';
import { GIFT_AND_RETURN_ENTRIES, GIFT_ENTRIES, ONLINE_GIFT_ENTRIES } from '#domain/books.ts';
import type { OrgId } from '#domain/ids.ts';
import { buildFactFromColumns, isOfKind } from '#server/db/fact-sql.ts';
import { isInPaymentMode } from '#server/db/payment-mode.ts';

type Check = RawBuilder<{ org_id: OrgId; subject: string; problem: string }>;

const totalsMatchEntries: Check = sql`
  with sums as (
    select org_id, sum(amount_cents) as amount_cents, sum(carbon) as carbon, sum(gas) as gas, sum(grants) as grants,
      count(*) as entries
    from ledger_entries e where ${isInPaymentMode('e.livemode')} group by org_id)
  select coalesce(t.org_id, s.org_id) as org_id, 'totals' as subject,
    format('store %s cents, %s carbon, %s gas, %s grants, %s entries; the entries add up to %s, %s, %s, %s, %s',
      t.amount_cents, t.carbon, t.gas, t.grants, t.entries,
      s.amount_cents, s.carbon, s.gas, s.grants, s.entries) as problem
  from ledger_totals t full join sums s on s.org_id = t.org_id
  where (t.amount_cents, t.carbon, t.gas, t.grants, t.entries)
    is distinct from (s.amount_cents, s.carbon, s.gas, s.grants, s.entries)`;

const everyPaidCheckoutIsInTheLedgerOnce: Check = sql`
  select c.org_id, 'checkout ' || c.id as subject, 'is paid but has ' || count(e.id) || ' payment entries' as problem
  from checkouts c left join ledger_entries e on e.checkout_id = c.id and e.kind = 'payment'
  where c.payment_status in ('paid', 'refunded', 'disputed')
  group by c.org_id, c.id having count(e.id) <> 1`;

const everyPaymentHasItsCheckout: Check = sql`
  select e.org_id, 'entry ' || e.id as subject,
    case when c.id is null then 'has no checkout' else 'differs from checkout ' || c.id end as problem
  from ledger_entries e left join checkouts c on c.id = e.checkout_id
  where e.kind = 'payment' and (c.id is null
    or c.payment_status not in ('paid', 'refunded', 'disputed')
    or (c.org_id, c.total_cents, c.carbon, c.currency) is distinct from (e.org_id, e.amount_cents, e.carbon, e.currency))`;

const everyGiftHasItsReceipt: Check = sql`
  select e.org_id, 'entry ' || e.id as subject,
    case when r.number is null then 'has no receipt' else 'differs from receipt ' || r.number end as problem
  from ledger_entries e left join receipts r on r.ledger_entry_id = e.id
  where ${isOfKind('e.kind', ONLINE_GIFT_ENTRIES)} and (r.number is null
    or (r.org_id, r.amount_cents, r.checkout_id) is distinct from (e.org_id, e.amount_cents, e.checkout_id))`;

const everyReceiptMatchesItsGift: Check = sql`
  select r.org_id, 'receipt ' || r.number as subject, 'differs from entry ' || e.id as problem
  from receipts r join ledger_entries e on e.id = r.ledger_entry_id
  where not ${isOfKind('e.kind', GIFT_ENTRIES)} or (r.org_id, r.amount_cents) is distinct from (e.org_id, e.amount_cents)`;

const everyGiftHasItsCharge: Check = sql`
  select e.org_id, 'entry ' || e.id as subject,
    case when p.entry_id is null then 'has no charge' else 'differs from its charge' end as problem
  from ledger_entries e left join payments p on p.entry_id = e.id
  where ${isOfKind('e.kind', ONLINE_GIFT_ENTRIES)} and (p.entry_id is null
    or (p.org_id, p.checkout_id, p.amount_cents, p.currency) is distinct from
      (e.org_id, e.checkout_id, e.amount_cents, e.currency))`;

/** A renewal has the carbon of the cart's recurring items, scaled if the donor has changed the amount. */
const everyRenewalHasItsCartCarbon: Check = sql`
  with renewals as (
    select e.org_id, e.id, e.carbon, p.amount_cents - p.covered_fee_cents as cents, c.cart
    from ledger_entries e join payments p on p.entry_id = e.id join checkouts c on c.id = e.checkout_id
    where e.kind = 'renewal')
  select r.org_id, 'entry ' || r.id as subject,
    format('has %s carbon; the cart of its checkout has %s', r.carbon, expected.carbon) as problem
  from renewals r cross join lateral (
    select sum(coalesce((item ->> 'carbon')::numeric, 0)) * 10000 as carbon,
      sum(greatest(1, round((item ->> 'cost')::numeric * 100))) as cents
    from jsonb_array_elements(r.cart) item where item ->> 'recurring' <> 'no') recurring
  cross join lateral (
    select coalesce(div(recurring.carbon * r.cents * 2 + recurring.cents, recurring.cents * 2), 0)::int8 as carbon) expected
  where r.carbon <> expected.carbon`;

/** Allows a one-day difference, because the organization's time zone may have changed since. */
const everyGiftHasItsChargeDate: Check = sql`
  select e.org_id, 'entry ' || e.id as subject,
    format('is dated %s; its charge is dated %s, its receipt %s', e.occurred_at, p.charged_at, r.document ->> 'givenOn')
      as problem
  from ledger_entries e join orgs o on o.id = e.org_id left join payments p on p.entry_id = e.id
    left join receipts r on r.ledger_entry_id = e.id
  where ${isOfKind('e.kind', GIFT_ENTRIES)} and (p.charged_at <> e.occurred_at
    or abs((r.document ->> 'givenOn')::date - (e.occurred_at at time zone o.time_zone)::date) > 1)`;

/**
 * An entry is booked on the day it occurred, or on the day it was reported if its month was already closed (decisions §3). A
 * treasurer may have reopened that month later.
 */
const everyEntryIsBookedOnTheRightDay: Check = sql`
  select e.org_id, 'entry ' || e.id as subject, format('is dated %s but booked on %s', e.occurred_at, e.booked_at) as problem
  from ledger_entries e join orgs o on o.id = e.org_id
  where e.booked_at <> e.occurred_at and (e.booked_at <> e.reported_at or e.occurred_at >= coalesce(
    greatest(books_closed_until(e.org_id, e.livemode), (
      select ((max(c.month) || '-01')::date + interval '1 month') at time zone o.time_zone from month_changes c
      where c.org_id = e.org_id)), '-infinity'))`;

const everyAdjustmentWasMadeByAnEditor: Check = sql`
  select e.org_id, 'entry ' || e.id as subject, 'is an adjustment that no editor made' as problem
  from ledger_entries e where e.kind = 'adjustment' and (e.actor_id is null or coalesce(e.reason, '') = '' or not exists (
    select from activities a where a.kind = 'adjustment' and a.subject = e.id and a.actor_id is not null and not a.is_automated
      and ((a.after ->> 'amount_cents')::int8, (a.after ->> 'carbon')::int8, (a.after ->> 'gas')::int8,
        (a.after ->> 'grants')::int8) = (e.amount_cents, e.carbon, e.gas, e.grants)))`;

const everyReturnIsInTheLedger: Check = sql`
  with posted as (
    select checkout_id, -sum(amount_cents)::int8 as cents from ledger_entries
    where kind in ('refund', 'dispute', 'reversal') and checkout_id is not null group by checkout_id),
  expected as (
    select org_id, checkout_id, sum(least(returned_cents, amount_cents))::int8 as cents from payments group by org_id, checkout_id)
  select x.org_id, 'checkout ' || x.checkout_id as subject,
    format('returned %s cents; its entries returned %s', x.cents, coalesce(p.cents, 0)) as problem
  from expected x left join posted p on p.checkout_id = x.checkout_id
  where x.cents <> coalesce(p.cents, 0)`;

const everyReturnedAmountHasItsRefunds: Check = sql`
  select p.org_id, 'payment ' || p.entry_id as subject,
    format('returned %s cents; its refunds and lost disputes returned %s', p.returned_cents, coalesce(sum(r.returned_cents), 0))
      as problem
  from payments p left join payment_returns r on r.entry_id = p.entry_id
  group by p.entry_id having p.returned_cents <> coalesce(sum(r.returned_cents), 0)`;

const everyEntryBalances: Check = sql`
  select e.org_id, 'entry ' || e.id as subject,
    format('of %s cents has lines that sum to %s, with gifts of %s', e.amount_cents,
      coalesce(sum(l.cents), 0), coalesce(-sum(l.cents) filter (where l.account = 'gifts'), 0)) as problem
  from ledger_entries e left join ledger_lines l on l.entry_id = e.id
  group by e.id
  having coalesce(sum(l.cents), 0) <> 0
    or coalesce(-sum(l.cents) filter (where l.account = 'gifts'), 0) <> e.amount_cents`;

/** Matches a check that bounced or was recorded by mistake. */
const isReversed = sql`exists (select from ledger_entries r where r.fact = ${buildFactFromColumns('check-reversal', 'e.id')}
  and r.kind = 'reversal' and (r.org_id, r.pledge_id, r.amount_cents) = (e.org_id, e.pledge_id, -e.amount_cents))`;

/** A merged donor's entries count for the donor into which it was merged. */
const everyDonorMatchesItsEntries: Check = sql`
  with donor_entries as (
    select coalesce(d.merged_into_id, d.id) as donor_id, e.amount_cents, e.occurred_at,
      ${isOfKind('e.kind', ONLINE_GIFT_ENTRIES)} or e.kind = 'check' and not ${isReversed} as is_gift
    from ledger_entries e left join checkouts c on c.id = e.checkout_id left join pledges p on p.id = e.pledge_id
      join donors d on d.id = coalesce(c.donor_id, p.donor_id)
    where ${isOfKind('e.kind', GIFT_AND_RETURN_ENTRIES)} and ${isInPaymentMode('e.livemode')}),
  sums as (
    select donor_id, count(*) filter (where is_gift) as gifts, sum(amount_cents)::int8 as amount_cents,
      min(occurred_at) filter (where is_gift) as first_gift_at, max(occurred_at) filter (where is_gift) as last_gift_at
    from donor_entries group by donor_id)
  select d.org_id, 'donor ' || d.id as subject,
    format('stores %s gifts and %s cents, from %s to %s; the entries add up to %s and %s, from %s to %s',
      d.gifts, d.amount_cents, d.first_gift_at, d.last_gift_at,
      coalesce(s.gifts, 0), coalesce(s.amount_cents, 0), s.first_gift_at, s.last_gift_at) as problem
  from donors d left join sums s on s.donor_id = d.id
  where (d.gifts, d.amount_cents, d.first_gift_at, d.last_gift_at) is distinct from
    (coalesce(s.gifts, 0), coalesce(s.amount_cents, 0), s.first_gift_at, s.last_gift_at)`;

const everyReversalHasItsCheck: Check = sql`
  select r.org_id, 'entry ' || r.id as subject, 'does not reverse exactly one check' as problem
  from ledger_entries r where r.kind = 'reversal' and r.pledge_id is not null and not exists (
    select from ledger_entries e where e.kind = 'check' and r.fact = ${buildFactFromColumns('check-reversal', 'e.id')}
      and (r.org_id, r.pledge_id, r.amount_cents) = (e.org_id, e.pledge_id, -e.amount_cents))`;

const everyCheckHasItsPledge: Check = sql`
  select e.org_id, 'entry ' || e.id as subject,
    case when p.id is null then 'is a check that no editor recorded' else 'is a check that was not received' end as problem
  from ledger_entries e left join pledges p on p.id = e.pledge_id and p.org_id = e.org_id
  where e.kind = 'check' and (p.id is null or (p.status <> 'received' and not ${isReversed}))`;

/** Compares the provider's events with the ledger. Events of an erased payer no longer have a payload to compare. */
const everyReportedPaymentIsInTheLedger: Check = sql`
  select c.org_id, 'checkout ' || c.id as subject,
    case when e.id is null then format('is %s, but event %s reported it paid', c.payment_status, v.id)
      else format('has %s cents in the ledger; event %s reported %s', e.amount_cents, v.id,
        v.payload #>> '{data,object,amount_total}') end as problem
  from provider_events v
    join checkouts c on c.id = v.checkout_id
    left join ledger_entries e on e.fact = ${buildFactFromColumns('checkout-session', 'v.subject_id')}
  where v.outcome = 'recorded' and v.subject_kind = 'session'
    and v.payload #>> '{data,object,payment_status}' = 'paid'
    and (e.id is null or e.amount_cents <> (v.payload #>> '{data,object,amount_total}')::int8)`;

/**
 * Excludes refunds that are never posted because they failed before the program read them, and refunds that are pending
 * until the provider's balance covers them.
 */
const everyReportedRefundIsPosted: Check = sql`
  select c.org_id, 'checkout ' || c.id as subject,
    format('has no entry for refund %s', v.payload #>> '{data,object,id}') as problem
  from provider_events v join checkouts c on c.id = v.checkout_id
  where v.outcome = 'recorded' and v.type = 'refund.created'
    and v.payload #>> '{data,object,status}' in ('succeeded', 'pending')
    and not exists (select from ledger_entries where fact = 'refund:' || (v.payload #>> '{data,object,id}'))
    and not exists (select from payment_returns where id = v.payload #>> '{data,object,id}'
      and (status = 'failed' or status = 'pending' and returned_cents = 0))`;

const everyReceivedCheckIsInTheLedgerOnce: Check = sql`
  select p.org_id, 'check ' || p.id as subject,
    format('of %s cents is received; its %s entries add up to %s',
      coalesce(p.received_cents, p.amount_cents), count(e.id), sum(e.amount_cents)) as problem
  from pledges p left join ledger_entries e on e.pledge_id = p.id and e.org_id = p.org_id and e.kind = 'check'
    and not ${isReversed}
  where p.status = 'received'
  group by p.id
  having count(e.id) <> 1 or sum(e.amount_cents) <> coalesce(p.received_cents, p.amount_cents)`;

const orgReceiptsHaveNoGaps: Check = sql`
  select org_id, 'receipts' as subject,
    format('total %s, but are counted from %s to %s', count(*), min(number), max(number)) as problem
  from receipts group by org_id having min(number) <> 1 or max(number) <> count(*)`;

const receiptNumbersHaveNoGaps: Check = sql`
  select '*' as org_id, n.series || ' receipts' as subject,
    format('total %s, numbered from %s to %s; %s to %s were issued%s', count(r.printed_number), min(r.printed_number),
      max(r.printed_number), n.first, n.last, case when n.skipped > 0 then format(', except %s', n.skipped) end) as problem
  from (
    select series, first, last, coalesce((
      select sum(g.last - g.first + 1) from receipt_number_gaps g where g.series = s.series), 0)::int8 as skipped
    from receipt_numbers s) n
  left join receipts r on r.series = n.series
  group by n.series, n.first, n.last, n.skipped
  having count(r.printed_number) <> n.last - n.first + 1 - n.skipped
    or min(r.printed_number) < n.first or max(r.printed_number) > n.last`;

const noReceiptHasSkippedNumber: Check = sql`
  select r.org_id, 'receipt ' || r.printed_number as subject, 'has a skipped number' as problem
  from receipts r join receipt_number_gaps g on g.series = r.series and r.printed_number between g.first and g.last`;

const everyReceiptMatchesItsDocument: Check = sql`
  select org_id, 'receipt ' || printed_number as subject,
    'differs from its document' as problem
  from receipts
  where ((document ->> 'number')::int8, (document ->> 'amount')::int8, document ->> 'donor')
    is distinct from (printed_number, amount_cents, name)`;

const everyPayoutIsInTheLedger: Check = sql`
  with shared as (
    select m.payout_id, m.org_id, sum(case when o.status = 'paid' then m.net_cents else 0 end)::int8 as cents
    from payout_movements m join payouts o on o.id = m.payout_id where m.org_id is not null group by 1, 2),
  posted as (
    select p.payout_id, e.org_id, sum(l.cents)::int8 as cents
    from payout_entries p join ledger_entries e on e.id = p.entry_id
      join ledger_lines l on l.entry_id = e.id and l.account = 'bank'
    group by 1, 2)
  select coalesce(s.org_id, p.org_id) as org_id, 'payout ' || coalesce(s.payout_id, p.payout_id) as subject,
    format('transferred %s cents to the bank; its entries transferred %s', coalesce(s.cents, 0), coalesce(p.cents, 0)) as problem
  from shared s full join posted p on p.payout_id = s.payout_id and p.org_id = s.org_id
  where coalesce(s.cents, 0) <> coalesce(p.cents, 0)`;

const everyPayoutEntryHasItsPayout: Check = sql`
  select e.org_id, 'entry ' || e.id as subject, 'has no payout' as problem
  from ledger_entries e left join payout_entries p on p.entry_id = e.id
  where e.kind = 'payout' and p.entry_id is null`;

const everyPayoutMatchesItsMovements: Check = sql`
  select '*' as org_id, 'payout ' || o.id as subject,
    format('is %s cents; its movements add up to %s', o.amount_cents, coalesce(sum(m.net_cents), 0)) as problem
  from payouts o left join payout_movements m on m.payout_id = o.id
  where o.has_all_movements or m.payout_id is not null
  group by o.id having o.amount_cents <> coalesce(sum(m.net_cents), 0)`;

const everyAccountFeeIsInTheLedger: Check = sql`
  select '*' as org_id, 'account fee ' || f.id as subject,
    format('is %s cents; its entries add up to %s', f.amount_cents, coalesce(sum(l.cents), 0)) as problem
  from account_fees f cross join orgs o
    left join ledger_entries e on e.fact = ${buildFactFromColumns('account-fee', 'f.id', 'o.id')}
    left join ledger_lines l on l.entry_id = e.id and l.account = 'fees'
  group by f.id having f.amount_cents <> coalesce(sum(l.cents), 0)`;

const everyGrantMatchesItsEntries: Check = sql`
  select g.org_id, 'grant ' || g.id as subject,
    format('is %s; its entries paid %s cents, with %s of %s still promised',
      case when g.paid_entry_id is not null then format('paid with %s cents', g.paid_cents)
        when g.promised_entry_id is not null then format('promised with %s cents', g.amount_cents)
        else 'not promised' end,
      -b.bank, -b.promised, b.grants) as problem
  from grants g cross join lateral (
    select coalesce(sum(l.cents) filter (where l.account = 'bank'), 0)::int8 as bank,
      coalesce(sum(l.cents) filter (where l.account = 'promised'), 0)::int8 as promised,
      coalesce(sum(l.cents) filter (where l.account = 'grants'), 0)::int8 as grants
    from ledger_entries e join ledger_lines l on l.entry_id = e.id where e.grant_id = g.id) b
  where (b.bank, b.promised, b.grants) is distinct from (
    case when g.paid_entry_id is null then 0 else -g.paid_cents end,
    case when g.paid_entry_id is null and g.promised_entry_id is not null then -g.amount_cents else 0 end,
    case when g.paid_entry_id is not null then g.paid_cents
      when g.promised_entry_id is not null then g.amount_cents else 0 end)`;

/** Excludes the sample organization's grants, which a command creates. */
const everyGrantMatchesItsActivity: Check = sql`
  select g.org_id, 'grant ' || g.id as subject,
    case when r.value is distinct from to_jsonb(g) ->> k
      then format('has %s %s; its activity has %s', k, to_jsonb(g) ->> k, r.value)
      else format('has a %s that no editor recorded', k) end as problem
  from grants g join orgs o on o.id = g.org_id
    cross join unnest(array['amount_cents', 'yearly_carbon', 'years', 'applied_on', 'promised_on', 'paid_on', 'paid_cents']) k
    left join lateral (
      select a.after ->> k as value, a.is_automated and a.verb = 'changed' and not o.is_sample as is_automated
      from activities a where a.kind = 'grant' and a.subject = g.id and (a.before ? k or a.after ? k)
      order by a.id desc limit 1) r on true
  where r.value is distinct from to_jsonb(g) ->> k or r.is_automated`;

/** Allows a one-day difference, because the organization's time zone may have changed since. */
const everyGrantHasItsEntryDate: Check = sql`
  select g.org_id, 'grant ' || g.id as subject, format('is dated %s; its entry is dated %s', d.day, e.occurred_at) as problem
  from grants g join orgs o on o.id = g.org_id
    cross join lateral (values (g.promised_entry_id, g.promised_on), (g.paid_entry_id, g.paid_on)) d (entry_id, day)
    join ledger_entries e on e.id = d.entry_id
  where abs((e.occurred_at at time zone o.time_zone)::date - d.day) > 1`;

const everyGrantEntryHasItsGrant: Check = sql`
  select e.org_id, 'entry ' || e.id as subject, 'has no grant' as problem
  from ledger_entries e left join grants g on g.id = e.grant_id and g.org_id = e.org_id
  where (e.kind in ('promise', 'grant') or e.grant_id is not null) and g.id is null`;

/** Queries that each find one kind of error in the books. */
export const LEDGER_CHECKS: readonly Check[] = [
  totalsMatchEntries,
  everyPaidCheckoutIsInTheLedgerOnce,
  everyPaymentHasItsCheckout,
  everyGiftHasItsReceipt,
  everyReceiptMatchesItsGift,
  everyGiftHasItsCharge,
  everyRenewalHasItsCartCarbon,
  everyGiftHasItsChargeDate,
  everyEntryIsBookedOnTheRightDay,
  everyAdjustmentWasMadeByAnEditor,
  everyReturnIsInTheLedger,
  everyReturnedAmountHasItsRefunds,
  everyEntryBalances,
  everyCheckHasItsPledge,
  everyDonorMatchesItsEntries,
  everyReversalHasItsCheck,
  everyReportedPaymentIsInTheLedger,
  everyReportedRefundIsPosted,
  everyReceivedCheckIsInTheLedgerOnce,
  orgReceiptsHaveNoGaps,
  receiptNumbersHaveNoGaps,
  noReceiptHasSkippedNumber,
  everyReceiptMatchesItsDocument,
  everyPayoutIsInTheLedger,
  everyPayoutEntryHasItsPayout,
  everyPayoutMatchesItsMovements,
  everyAccountFeeIsInTheLedger,
  everyGrantMatchesItsEntries,
  everyGrantMatchesItsActivity,
  everyGrantHasItsEntryDate,
  everyGrantEntryHasItsGrant,
];
