import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Tables } from '#server/db/tables.ts';

/** What somebody signed up with, until it is known whether the address has an account. */
const SIGN_UP = z.object({
  email: z.string(),
  /** Of the password, which is kept nowhere. */
  hash: z.string(),
  name: z.string(),
  returnTo: z.string().optional(),
});

export type SignUp = z.infer<typeof SIGN_UP>;

export async function keepSignUp(tx: Transaction<Tables>, id: string, signUp: SignUp, expiresAt: Date): Promise<void> {
  await tx
    .insertInto('verifications')
    .values({ id, identifier: identifierOf(id), value: JSON.stringify(signUp), expires_at: expiresAt })
    .execute();
}

/** Reads what was kept, and takes it away. */
export async function takeSignUp(tx: Transaction<Tables>, id: string): Promise<SignUp | undefined> {
  const row = await tx
    .deleteFrom('verifications')
    .where('identifier', '=', identifierOf(id))
    .returning('value')
    .executeTakeFirst();
  return row && SIGN_UP.parse(JSON.parse(row.value));
}

/** Sign-ups that were never finished. */
export async function deleteEndedVerifications(db: Kysely<Tables>, now: Date): Promise<void> {
  await db.deleteFrom('verifications').where('expires_at', '<=', now).execute();
}

function identifierOf(id: string): string {
  return `sign-up:${id}`;
}
