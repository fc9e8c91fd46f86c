import type { Kysely, Selectable, Transaction } from 'kysely';
import type { UserId } from '#domain/ids.ts';
import type { Tables } from '#server/db/tables.ts';

type CodePurpose = Tables['email_codes']['purpose'];

export type EmailCode = Pick<Selectable<Tables['email_codes']>, 'email' | 'user_id' | 'invitation_id'>;

/** Criteria for finding an emailed code. If set, the email and user must match too. */
export type CodeMatch = {
  readonly purpose: CodePurpose;
  readonly hash: string;
  readonly email?: string;
  readonly userId?: UserId;
};

/** Inserts a code. A short numeric code may repeat an earlier one, which becomes usable again. */
export async function insertCode(
  db: Kysely<Tables>,
  code: {
    readonly purpose: CodePurpose;
    readonly hash: string;
    readonly email: string;
    readonly userId: UserId | undefined;
    readonly invitationId?: string;
    readonly expiresAt: Date;
  },
  now: Date,
): Promise<void> {
  const validity = { expires_at: code.expiresAt, created_at: now, used_at: null };
  await db
    .insertInto('email_codes')
    .values({
      ...validity,
      purpose: code.purpose,
      hash: code.hash,
      email: code.email,
      user_id: code.userId ?? null,
      invitation_id: code.invitationId ?? null,
    })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet(validity))
    .execute();
}

/** Uses up a code. Only one of several concurrent calls succeeds. */
export function redeemCode(tx: Transaction<Tables>, match: CodeMatch, now: Date): Promise<EmailCode | undefined> {
  let codes = tx
    .updateTable('email_codes')
    .set({ used_at: now })
    .where('hash', '=', match.hash)
    .where('purpose', '=', match.purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now);
  if (match.email !== undefined) codes = codes.where('email', '=', match.email);
  if (match.userId !== undefined) codes = codes.where('user_id', '=', match.userId);
  return codes.returning(['email', 'user_id', 'invitation_id']).executeTakeFirst();
}

/** Finds a code that can be redeemed, without using it up. */
export function findUsableCode(
  db: Kysely<Tables>,
  { purpose, hash }: Pick<CodeMatch, 'purpose' | 'hash'>,
  now: Date,
): Promise<EmailCode | undefined> {
  return db
    .selectFrom('email_codes')
    .select(['email', 'user_id', 'invitation_id'])
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

export async function deleteUserCodes(tx: Transaction<Tables>, userId: UserId, purpose: CodePurpose): Promise<void> {
  await tx.deleteFrom('email_codes').where('user_id', '=', userId).where('purpose', '=', purpose).execute();
}

export async function deleteExpiredCodes(db: Kysely<Tables>, now: Date): Promise<void> {
  await db.deleteFrom('email_codes').where('expires_at', '<=', now).execute();
}
