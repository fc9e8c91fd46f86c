import { type Kysely, sql } from 'kysely';

/** What the provider paid out to the bank, what is in each payout, and which organization's money it is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payouts (
      -- The provider's id.
      id text primary key,
      amount_cents int8 not null,
      currency text not null,
      status text not null check (status in ('on-its-way', 'paid', 'failed')),
      livemode boolean not null,
      -- Whether the provider has said what is in it. It never does of a payout that was made by hand.
      complete boolean not null default false,
      arrives_on date not null,
      failed_at timestamptz(3),
      -- The payout that carries its money after it failed.
      returned_in text references payouts (id),
      created_at timestamptz(3) not null
    )`.execute(db);
  await sql`
    create table payout_movements (
      -- The provider's id of the movement on its balance.
      movement_id text not null,
      payout_id text not null references payouts (id),
      kind text not null check (kind in ('payment', 'refund', 'dispute', 'returned-payout', 'account')),
      -- The charge, refund, dispute or payout that it is about.
      source_id text,
      charge_id text,
      -- Absent for the account's own fees, and for money that is not in the books.
      org_id text references orgs (id),
      entry_id text references payments (entry_id),
      gross_cents int8 not null,
      fee_cents int8 not null,
      net_cents int8 not null,
      occurred_at timestamptz(3) not null,
      check (net_cents = gross_cents - fee_cents)
    )`.execute(db);
  // A returned payout can be of several organizations.
  await sql`create unique index payout_movements_once on payout_movements (movement_id, coalesce(org_id, ''))`.execute(
    db,
  );
  await sql`create index payout_movements_by_payout on payout_movements (payout_id, occurred_at, movement_id)`.execute(
    db,
  );
  await sql`create index payout_movements_by_org on payout_movements (org_id, payout_id)`.execute(db);
  await sql`create index payout_movements_by_source on payout_movements (source_id)`.execute(db);
  await sql`create index payout_movements_unknown on payout_movements (charge_id) where org_id is null`.execute(db);
  await sql`
    create table payout_entries (
      entry_id text primary key references ledger_entries (id),
      payout_id text not null references payouts (id)
    )`.execute(db);
  await sql`create index payout_entries_by_payout on payout_entries (payout_id)`.execute(db);
}
