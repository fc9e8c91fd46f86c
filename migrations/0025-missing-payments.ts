import { type Kysely, sql } from 'kysely';

/**
 * A version from before the payments table posts gifts alone while it still runs beside this one. Each gets its payment
 * when it is committed, so that its fee is asked about and it can be refunded.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function add_missing_payment(entry ledger_entries) returns void language sql as $$
      insert into payments (entry_id, org_id, checkout_id, session_id, intent_id, invoice_id, subscription_id, charged_at,
        amount_cents, currency, livemode)
      select entry.id, entry.org_id, c.id, c.provider_session_id,
        case when c.provider_payment_id like 'pi\\_%' then c.provider_payment_id end,
        case when c.provider_payment_id like 'in\\_%' then c.provider_payment_id end,
        c.provider_subscription_id, entry.occurred_at, entry.amount_cents, entry.currency, entry.livemode
      from checkouts c
      where c.id = entry.checkout_id and c.org_id = entry.org_id
        and not exists (select from payments where entry_id = entry.id)
    $$`.execute(db);
  await sql`
    create function complete_gift() returns trigger language plpgsql as $$
    begin
      perform add_missing_payment(new);
      return null;
    end $$`.execute(db);
  await sql`
    create constraint trigger ledger_entries_have_payments after insert on ledger_entries
    deferrable initially deferred for each row when (new.kind = 'payment') execute function complete_gift()`.execute(
    db,
  );
  await sql`select add_missing_payment(ledger_entries) from ledger_entries where kind = 'payment'`.execute(db);
}
