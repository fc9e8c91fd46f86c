import { type Kysely, sql } from 'kysely';

/** What donors add so that the whole gift arrives after the card fee. It is part of the amount beside it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table checkouts
      add column covered_fee_cents int8 not null default 0,
      -- Of each renewal.
      add column covered_renewal_fee_cents int8 not null default 0,
      add constraint checkouts_covered_fee_check check (
        covered_renewal_fee_cents >= 0 and covered_fee_cents >= covered_renewal_fee_cents
        and (covered_fee_cents = 0 or covered_fee_cents < total_cents))`.execute(db);
  await sql`
    alter table payments
      add column covered_fee_cents int8 not null default 0,
      add constraint payments_covered_fee_check check (
        covered_fee_cents = 0 or (covered_fee_cents > 0 and covered_fee_cents < amount_cents))`.execute(db);
  // Each time, as the provider keeps it.
  await sql`
    alter table subscriptions
      add column covered_fee_cents int8 not null default 0 check (covered_fee_cents >= 0)`.execute(db);
}
