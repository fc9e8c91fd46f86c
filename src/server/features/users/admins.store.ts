import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '#server/db/tables.ts';

export type Admin = { readonly email: string; readonly name: string; readonly verified: boolean };

/** Everybody who is an admin, or will be one once the address is proven, by address. */
export function admins(db: Kysely<Tables>): Promise<Admin[]> {
  return db
    .selectFrom('users')
    .select(['email', 'display_name as name', 'email_verified as verified'])
    .where('admin', '=', true)
    .orderBy('email')
    .execute();
}

export function userOfAddress(
  db: Kysely<Tables>,
  email: string,
): Promise<{ readonly id: string; readonly verified: boolean } | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'email_verified as verified'])
    .where('email', '=', email)
    .executeTakeFirst();
}

/** Makes the person of an address an admin. Nobody's yet, it is kept for whoever proves it. */
export async function keepAdmin(tx: Transaction<Tables>, id: string, email: string): Promise<void> {
  await tx
    .insertInto('users')
    .values({ id, email, admin: true })
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ admin: true, updated_at: sql`now()` }))
    .execute();
}

/** Makes everybody an admin who has proven one of these addresses. */
export async function makeAdmins(db: Kysely<Tables>, emails: readonly string[]): Promise<void> {
  if (emails.length === 0) return;
  await db
    .updateTable('users')
    .set({ admin: true, updated_at: sql`now()` })
    .where('email', 'in', emails)
    .where('email_verified', '=', true)
    .where('admin', '=', false)
    .execute();
}
