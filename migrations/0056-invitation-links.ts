import { type Kysely, sql } from 'kysely';

/** The mailed link of an invitation logs in whom it invites, while the invitation is open. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mailed_codes add column invitation_id text, drop constraint mailed_codes_purpose_check,
    add constraint mailed_codes_purpose_check
      check (purpose in ('sign-in', 'verify', 'reset', 'proof', 'invitation')),
    add constraint mailed_codes_invitation_check check ((purpose = 'invitation') = (invitation_id is not null))`.execute(
    db,
  );
}
