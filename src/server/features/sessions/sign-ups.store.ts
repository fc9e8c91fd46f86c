import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import { LANGUAGES } from '#messages';
import type { Tables } from '#server/db/tables.ts';

/** A sign-up, stored until a job looks up whether the address has an account. */
const SIGN_UP_SCHEMA = z.object({
  email: z.string(),
  /** Password hash. */
  hash: z.string(),
  name: z.string(),
  returnTo: z.string().optional(),
  language: z.enum(LANGUAGES).optional(),
});

export type SignUp = z.infer<typeof SIGN_UP_SCHEMA>;

export async function insertSignUp(
  tx: Transaction<Tables>,
  id: string,
  signUp: SignUp,
  expiresAt: Date,
): Promise<void> {
  await tx
    .insertInto('sign_ups')
    .values({ id, details: JSON.stringify(signUp), expires_at: expiresAt })
    .execute();
}

/** Deletes and returns a sign-up. */
export async function consumeSignUp(tx: Transaction<Tables>, id: string): Promise<SignUp | undefined> {
  const row = await tx.deleteFrom('sign_ups').where('id', '=', id).returning('details').executeTakeFirst();
  return row && SIGN_UP_SCHEMA.parse(row.details);
}

export async function deleteExpiredSignUps(db: Kysely<Tables>, now: Date): Promise<void> {
  await db.deleteFrom('sign_ups').where('expires_at', '<=', now).execute();
}
