import type pg from 'pg';
import { donationItem } from '#domain/cart.ts';

export function checkoutId(orgid: string, place: number): string {
  return `${orgid}-${place}`;
}

const STATEMENTS: readonly string[] = [
  `insert into orgs (id, slug, name, tag) values ($1, $1, $1, 'Warm homes')`,
  // One in a hundred is disputed, one in twenty expired; one in a thousand costs $77.
  `insert into checkouts (id, org_id, cart, total_cents, carbon, payment_status, completed, display_name, email,
     provider_session_id, provider_payment_id, created_at, paid_at)
   select $1 || '-' || n, $1, $3::jsonb, case when n % 1000 = 0 then 7700 else 2500 + n % 97 end, 0,
     case when n % 100 = 1 then 'disputed' when n % 20 = 2 then 'expired' else 'paid' end, true,
     'Donor' || n || ' Family' || n % 5000, 'donor' || n || '@bench.example',
     'cs_' || $1 || '-' || n, 'pi_' || $1 || '-' || n, made, made
   from (select n, timestamptz '2020-01-01' + n * interval '20 minutes' as made from generate_series(1, $2::int) n) all_of`,
  `insert into ledger_entries (id, org_id, kind, fact, checkout_id, amount_cents, carbon, occurred_at, created_at)
   select 'e-' || id, org_id, 'payment', 'bench:' || id, id, total_cents, 10000, created_at, created_at
   from checkouts where org_id = $1`,
  `insert into ledger_lines (entry_id, account, cents)
   select 'e-' || c.id, line.account, line.cents from checkouts c,
     lateral (values ('gifts', -total_cents), ('provider', total_cents)) as line (account, cents)
   where c.org_id = $1`,
  `insert into payments (entry_id, org_id, checkout_id, charge_id, balance_transaction_id, charged_at, amount_cents,
     currency, fee_cents, net_cents)
   select 'e-' || id, org_id, id, 'ch_' || id, 'txn_' || id, created_at, total_cents, 'usd', 100, total_cents - 100
   from checkouts where org_id = $1`,
  `insert into receipts (org_id, number, ledger_entry_id, checkout_id, key, email, name, amount_cents, issued_at)
   select org_id, row_number() over (order by created_at), 'e-' || id, id, 'key-' || id, email, display_name,
     total_cents, created_at
   from checkouts where org_id = $1`,
];

/** Adds an organization with that many checkouts, one every twenty minutes, each with a ledger entry and a receipt. */
export async function fillLedger(client: pg.Client, orgid: string, size: number): Promise<void> {
  // Skips the notification triggers.
  await client.query('set session_replication_role = replica');
  const [organization = '', checkouts = '', ...ofCheckouts] = STATEMENTS;
  await client.query(organization, [orgid]);
  await client.query(checkouts, [orgid, size, JSON.stringify([donationItem(25)])]);
  for (const statement of ofCheckouts) await client.query(statement, [orgid]);
  await client.query('set session_replication_role = default');
}
