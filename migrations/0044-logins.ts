import { type Kysely, sql } from 'kysely';

/**
 * When and how the person of a session last proved who they are, when a login ends for good, and what the person
 * recognizes it by. The version before proves by its login alone, and writes no name.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sessions
    add column name text not null default '',
    add column proven_at timestamptz(3),
    add column proven_by text,
    add column second_factor_at timestamptz(3),
    add column used_at timestamptz(3),
    add column ends_at timestamptz(3)`.execute(db);
  await sql`update sessions set
    proven_at = created_at, used_at = updated_at, ends_at = created_at + interval '2160 hours'`.execute(db);
  await sql`alter table sessions
    alter column proven_at set default now(), alter column proven_at set not null,
    alter column used_at set default now(), alter column used_at set not null,
    alter column ends_at set default now() + interval '2160 hours', alter column ends_at set not null`.execute(db);
  // Six digits, with which the person of a session proves again who they are.
  await sql`alter table mailed_codes drop constraint mailed_codes_purpose_check,
    add constraint mailed_codes_purpose_check
      check (purpose in ('sign-in', 'verify', 'reset', 'proof'))`.execute(db);
}
