import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/db/tables.ts';

/** Whose a session is, and what that person may do now. */
export type SessionOwner = {
  readonly userId: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly admin: boolean;
  readonly editorOf: readonly string[];
};

/** The person of a session that is alive. */
export function ownerOf(db: Kysely<Tables>, sessionId: string, now: Date): Promise<SessionOwner | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'users.id as userId',
      'users.email',
      'users.email_verified as emailVerified',
      'users.admin',
      sql<string[]>`array(
        select org_id from org_editors where org_editors.user_id = users.id order by org_id
      )`.as('editorOf'),
    ])
    .where('sessions.id', '=', sessionId)
    .where('sessions.expires_at', '>', now)
    .executeTakeFirst();
}

/** The secret of this name: the one that is kept, or else this new one, which every process then agrees on. */
export async function programSecret(db: Kysely<Tables>, name: string, value: string): Promise<string> {
  await db
    .insertInto('program_secrets')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const kept = await db
    .selectFrom('program_secrets')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return kept.value;
}

/** No key that is kept signs from now on; what they signed is still good while it lives. */
export async function retireSigningKeys(db: Kysely<Tables>): Promise<void> {
  await db.updateTable('signing_keys').set({ expires_at: sql`now()` }).execute();
}
