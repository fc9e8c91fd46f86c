import { type Kysely, sql } from 'kysely';

/**
 * Double-entry books: each ledger entry has lines that sum to zero, of which the gifts account is what the entry adds to
 * the stats. One row per charge, so that a refund, a fee and a payout find the gift that they are about.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await organizations(db);
  await entries(db);
  await lines(db);
  await payments(db);
  await protection(db);
}

async function organizations(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table orgs
      add column time_zone text not null default 'America/New_York',
      add column currency text not null default 'usd'`.execute(db);
}

/** The rules of each kind bind new entries; `verify-ledger` checks the ones from before. */
async function entries(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ledger_entries drop constraint ledger_entries_kind_check`.execute(db);
  await sql`
    alter table ledger_entries
      add constraint ledger_entries_kind_check check (kind in ('payment', 'renewal', 'refund', 'dispute', 'adjustment',
        'check', 'reversal', 'fee', 'payout')),
      add constraint ledger_entries_sign_check check (case
        when kind in ('payment', 'renewal', 'check') then amount_cents > 0 and carbon >= 0
        when kind = 'refund' then amount_cents < 0 and carbon <= 0
        when kind = 'dispute' then amount_cents <= 0 and carbon <= 0
        when kind in ('fee', 'payout') then amount_cents = 0 and carbon = 0
        else true end) not valid,
      add constraint ledger_entries_checkout_fkey foreign key (checkout_id) references checkouts (id) not valid,
      add constraint ledger_entries_pledge_fkey foreign key (pledge_id) references pledges (id) not valid`.execute(db);
}

async function lines(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ledger_lines (
      entry_id text not null references ledger_entries (id),
      account text not null check (account in ('provider', 'bank', 'gifts', 'fees', 'disputed', 'grants', 'opening')),
      cents int8 not null check (cents <> 0),
      primary key (entry_id, account)
    )`.execute(db);
  await sql`create index ledger_lines_by_account on ledger_lines (account, entry_id) include (cents)`.execute(db);
  // Also for the entries of the version before, which posts no lines while it is still running.
  await sql`
    create function add_missing_lines(entry ledger_entries) returns void language sql as $$
      insert into ledger_lines (entry_id, account, cents)
      select entry.id, line.account, line.cents from (values
        ('gifts', -entry.amount_cents),
        (case entry.kind when 'check' then 'bank' when 'adjustment' then 'opening' else 'provider' end, entry.amount_cents)
      ) as line (account, cents)
      where entry.amount_cents <> 0 and not exists (select from ledger_lines where entry_id = entry.id)
    $$`.execute(db);
  await sql`select add_missing_lines(ledger_entries) from ledger_entries`.execute(db);
  await sql`
    create function check_entry_balances() returns trigger language plpgsql as $$
    declare
      total int8;
      gifts int8;
    begin
      if new.kind in ('payment', 'renewal', 'check', 'adjustment', 'refund') then
        perform add_missing_lines(new);
      end if;
      select coalesce(sum(cents), 0), coalesce(sum(cents) filter (where account = 'gifts'), 0) into total, gifts
        from ledger_lines where entry_id = new.id;
      if total <> 0 then
        raise exception 'the lines of ledger entry % sum to % cents, not to zero', new.id, total;
      end if;
      if gifts <> -new.amount_cents then
        raise exception 'ledger entry % is of % cents, but its gifts are %', new.id, new.amount_cents, -gifts;
      end if;
      if new.currency <> (select currency from orgs where id = new.org_id) then
        raise exception 'ledger entry % is in %, not in the currency of its organization', new.id, new.currency;
      end if;
      return null;
    end $$`.execute(db);
  await sql`create constraint trigger ledger_entries_balance after insert on ledger_entries
    deferrable initially deferred for each row execute function check_entry_balances()`.execute(db);
  // A line that is added to an older entry is checked with it.
  await sql`
    create function check_line_balances() returns trigger language plpgsql as $$
    declare
      total int8;
    begin
      select coalesce(sum(cents), 0) into total from ledger_lines where entry_id = new.entry_id;
      if total <> 0 then
        raise exception 'the lines of ledger entry % sum to % cents, not to zero', new.entry_id, total;
      end if;
      return null;
    end $$`.execute(db);
  await sql`create constraint trigger ledger_lines_balance after insert on ledger_lines
    deferrable initially deferred for each row execute function check_line_balances()`.execute(db);
}

async function payments(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payments (
      -- Of the gift in the ledger.
      entry_id text primary key references ledger_entries (id),
      org_id text not null references orgs (id),
      checkout_id text not null references checkouts (id),
      session_id text,
      intent_id text,
      charge_id text unique,
      invoice_id text unique,
      subscription_id text,
      balance_transaction_id text unique,
      payout_id text,
      charged_at timestamptz(3) not null,
      amount_cents int8 not null check (amount_cents > 0),
      currency text not null,
      refunded_cents int8 not null default 0 check (refunded_cents between 0 and amount_cents),
      -- Unknown until the provider has settled the charge.
      fee_cents int8,
      net_cents int8,
      status text not null default 'succeeded' check (status in ('succeeded', 'refunded', 'disputed', 'lost')),
      -- Unknown for the gifts that an earlier version recorded, until the provider is asked again.
      livemode boolean,
      account text,
      -- When the provider was last asked about a fee that it had not settled.
      asked_at timestamptz(3),
      created_at timestamptz(3) not null default now()
    )`.execute(db);
  await sql`create index payments_by_checkout on payments (checkout_id)`.execute(db);
  await sql`create index payments_by_intent on payments (intent_id) where intent_id is not null`.execute(db);
  await sql`create index payments_by_payout on payments (payout_id) where payout_id is not null`.execute(db);
  await sql`create index payments_unsettled on payments (charged_at) where fee_cents is null`.execute(db);
  await sql`
    insert into payments (entry_id, org_id, checkout_id, session_id, intent_id, invoice_id, subscription_id, charged_at,
      amount_cents, currency)
    select e.id, e.org_id, c.id, c.provider_session_id,
      case when c.provider_payment_id like 'pi\\_%' then c.provider_payment_id end,
      case when c.provider_payment_id like 'in\\_%' then c.provider_payment_id end,
      c.provider_subscription_id, e.occurred_at, e.amount_cents, e.currency
    from ledger_entries e join checkouts c on c.id = e.checkout_id and c.org_id = e.org_id
    where e.kind = 'payment' and e.amount_cents > 0`.execute(db);
}

/** Lines and totals are never taken away, and of a receipt only the payer is, on request. */
async function protection(db: Kysely<unknown>): Promise<void> {
  await sql`create trigger ledger_lines_are_append_only before update or delete on ledger_lines
    for each row execute function refuse_ledger_change()`.execute(db);
  await sql`create trigger ledger_lines_are_not_emptied before truncate on ledger_lines
    for each statement execute function refuse_ledger_change()`.execute(db);
  await sql`
    create function refuse_receipt_change() returns trigger language plpgsql as $$
    begin
      raise exception 'a receipt is a document: it is neither changed nor deleted';
    end $$`.execute(db);
  await sql`create trigger receipts_are_not_deleted before delete on receipts
    for each row execute function refuse_receipt_change()`.execute(db);
  await sql`create trigger receipts_are_not_emptied before truncate on receipts
    for each statement execute function refuse_receipt_change()`.execute(db);
  await sql`create trigger receipts_are_not_changed before update on receipts for each row
    when ((old.org_id, old.number, old.ledger_entry_id, old.checkout_id, old.key, old.amount_cents, old.issued_at)
      is distinct from
      (new.org_id, new.number, new.ledger_entry_id, new.checkout_id, new.key, new.amount_cents, new.issued_at))
    execute function refuse_receipt_change()`.execute(db);
  await sql`create trigger ledger_totals_are_not_deleted before delete on ledger_totals
    for each row execute function refuse_ledger_change()`.execute(db);
}
