import { type Kysely, sql } from 'kysely';

/**
 * A receipt keeps what was printed, has a number that is unique for the legal donee, and says what became of its mail.
 * The version before still issues receipts while it is running: they have no document and no number of the donee.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await numbers(db);
  await documents(db);
  await mails(db);
  await notes(db);
}

/**
 * One row per series, locked by the transaction that issues a receipt, so that there are no gaps. New numbers start well
 * above every number that an organization has printed, with room for those that the version before still prints.
 */
async function numbers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table receipt_numbers (
      -- Receipts of test payments are numbered apart, so that they leave no gaps.
      series text primary key check (series in ('live', 'test')),
      first int8 not null,
      last int8 not null
    )`.execute(db);
  await sql`
    insert into receipt_numbers (series, first, last)
    select series, first, first - 1 from (values ('live'), ('test')) as known (series),
      (select (coalesce(max(number), 0) + 500) / 1000 * 1000 + 1001 as first from receipts) as start`.execute(db);
  await sql`create trigger receipt_numbers_only_rise before update on receipt_numbers for each row
    when (new.series <> old.series or new.first <> old.first or new.last <> old.last + 1)
    execute function refuse_receipt_change()`.execute(db);
  await sql`create trigger receipt_numbers_are_not_deleted before delete on receipt_numbers
    for each row execute function refuse_receipt_change()`.execute(db);
}

async function documents(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table receipts
      add column series text references receipt_numbers (series),
      add column donee_number int8,
      add column printed_number int8 generated always as (coalesce(donee_number, number)) stored,
      -- Absent on receipts of earlier versions until it is first needed.
      add column document jsonb,
      -- Whether the payer is to be erased as soon as the receipt is mailed.
      add column erase_payer boolean not null default false,
      add column delivery text not null default 'waiting' check (delivery in
        ('waiting', 'mailed', 'refused', 'failed', 'no-address', 'by-post', 'unrecorded')),
      add column delivery_at timestamptz(3) not null default now(),
      add column delivery_code text,
      add constraint receipts_series_check check ((series is null) = (donee_number is null))`.execute(db);
  await sql`create unique index receipts_by_donee_number on receipts (series, donee_number)
    where donee_number is not null`.execute(db);
  await sql`create index receipts_undelivered on receipts (org_id, number)
    where delivery in ('waiting', 'refused', 'failed', 'no-address')`.execute(db);
  // Before migration 0008 it was not recorded which receipts were mailed.
  await sql`
    update receipts r set delivery = case
      when exists (select from receipt_mails m where m.org_id = r.org_id and m.number = r.number) then 'mailed'
      when r.email is not null and r.issued_at > now() - interval '2 days' then 'waiting'
      else 'unrecorded' end`.execute(db);
  // Erasing the payer erases the name in the document too. Everything else in it stays as it was printed.
  await sql`
    create function keep_receipt_document() returns trigger language plpgsql as $$
    begin
      if new.email is null and (tg_op = 'INSERT' or new.delivery in ('waiting', 'refused', 'failed')) then
        new.delivery := 'no-address';
      end if;
      if tg_op = 'INSERT' then
        return new;
      end if;
      if old.name is not null and new.name is null and new.document is not null then
        new.document := jsonb_set(new.document, '{donor}', 'null');
      end if;
      if (new.series, new.donee_number) is distinct from (old.series, old.donee_number)
        or (new.name is not null and new.name is distinct from old.name)
        or (old.document is not null and (new.document - 'donor' is distinct from old.document - 'donor'
          or (new.document ->> 'donor' is not null and new.document ->> 'donor' is distinct from old.document ->> 'donor')))
      then
        raise exception 'a receipt is a document: it is neither changed nor deleted';
      end if;
      return new;
    end $$`.execute(db);
  await sql`create trigger receipts_keep_document before insert or update on receipts
    for each row execute function keep_receipt_document()`.execute(db);
}

/** A mailing is recorded before it is tried and when it has ended; the receipt says what became of the last one. */
async function mails(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table receipt_mails
      add column mailing text,
      add column status text not null default 'mailed'
        check (status in ('sending', 'mailed', 'refused', 'failed', 'by-post')),
      add column code text,
      add column tries int4 not null default 1`.execute(db);
  await sql`create unique index receipt_mails_by_mailing on receipt_mails (org_id, number, mailing)`.execute(db);
  await sql`
    create function note_receipt_delivery() returns trigger language plpgsql as $$
    begin
      update receipts set
          delivery = case new.status when 'sending' then 'waiting' else new.status end,
          delivery_at = new.mailed_at,
          delivery_code = new.code,
          email = case when erase_payer and new.status in ('mailed', 'by-post') then null else email end,
          name = case when erase_payer and new.status in ('mailed', 'by-post') then null else name end
        where org_id = new.org_id and number = new.number;
      return null;
    end $$`.execute(db);
  await sql`create trigger receipt_mails_note_delivery after insert or update on receipt_mails
    for each row execute function note_receipt_delivery()`.execute(db);
}

/** What happened to a gift after its receipt was issued, such as a refund: printed under the amount from then on. */
async function notes(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table receipt_notes (
      fact text primary key,
      org_id text not null,
      number int8 not null,
      noted_on text not null check (noted_on ~ '^\\d{4}-\\d{2}-\\d{2}$'),
      text text not null,
      created_at timestamptz(3) not null default now(),
      foreign key (org_id, number) references receipts (org_id, number)
    )`.execute(db);
  await sql`create index receipt_notes_by_receipt on receipt_notes (org_id, number)`.execute(db);
  await sql`create trigger receipt_notes_are_append_only before update or delete on receipt_notes
    for each row execute function refuse_receipt_change()`.execute(db);
}
