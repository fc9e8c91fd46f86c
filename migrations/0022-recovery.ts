import { type Kysely, sql } from 'kysely';

/** Checkouts that were rebuilt from the provider's records, and receipt numbers that a restored backup has lost. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table checkouts
      add column recovered_at timestamptz(3),
      -- Whether the provider had kept the whole cart: otherwise carbon is rounded.
      add column recovered_exactly boolean,
      add constraint checkouts_recovered_check check ((recovered_at is null) = (recovered_exactly is null))`.execute(
    db,
  );
  await sql`
    create table receipt_number_gaps (
      series text not null references receipt_numbers (series),
      first int8 not null,
      last int8 not null check (last >= first),
      created_at timestamptz(3) not null default now(),
      primary key (series, first)
    )`.execute(db);
  await sql`create trigger receipt_number_gaps_stay before update or delete on receipt_number_gaps
    for each row execute function refuse_receipt_change()`.execute(db);
  await sql`
    create function check_receipt_number() returns trigger language plpgsql as $$
    begin
      if (new.series, new.first) is distinct from (old.series, old.first) or (new.last <> old.last + 1
        and not exists (select from receipt_number_gaps where series = old.series and first = old.last + 1 and last = new.last))
      then
        raise exception 'receipt numbers are given out one after the other';
      end if;
      return new;
    end $$`.execute(db);
  await sql`drop trigger receipt_numbers_only_rise on receipt_numbers`.execute(db);
  await sql`create trigger receipt_numbers_only_rise before update on receipt_numbers
    for each row execute function check_receipt_number()`.execute(db);
}
