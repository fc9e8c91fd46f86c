import type { Kysely, Selectable, Transaction } from 'kysely';
import type { UserId } from '#domain/ids.ts';
import type { Tables } from '#server/db/tables.ts';

type CodePurpose = Tables['mailed_codes']['purpose'];

export type MailedCode = Pick<Selectable<Tables['mailed_codes']>, 'email' | 'user_id' | 'invitation_id'>;

/** A code that someone sends back; address and user must match where given. */
export type SentCode = {
  readonly purpose: CodePurpose;
  readonly hash: string;
  readonly email?: string;
  readonly userId?: UserId;
};

/** A code of few digits may come again, and then works again. */
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
  const fresh = { expires_at: code.expiresAt, created_at: now, used_at: null };
  const { purpose, hash, email, userId, invitationId = null } = code;
  await db
    .insertInto('mailed_codes')
    .values({ ...fresh, ...{ purpose, hash, email }, user_id: userId ?? null, invitation_id: invitationId })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet(fresh))
    .execute();
}

/** Uses up a code. Of several tries at the same time one succeeds. */
export function redeemCode(tx: Transaction<Tables>, sent: SentCode, now: Date): Promise<MailedCode | undefined> {
  let codes = tx
    .updateTable('mailed_codes')
    .set({ used_at: now })
    .where('hash', '=', sent.hash)
    .where('purpose', '=', sent.purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now);
  if (sent.email !== undefined) codes = codes.where('email', '=', sent.email);
  if (sent.userId !== undefined) codes = codes.where('user_id', '=', sent.userId);
  return codes.returning(['email', 'user_id', 'invitation_id']).executeTakeFirst();
}

/** A code that could be redeemed now. */
export function usableCode(
  db: Kysely<Tables>,
  { purpose, hash }: Pick<SentCode, 'purpose' | 'hash'>,
  now: Date,
): Promise<MailedCode | undefined> {
  return db
    .selectFrom('mailed_codes')
    .select(['email', 'user_id', 'invitation_id'])
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

export async function deleteCodesOf(tx: Transaction<Tables>, userId: UserId, purpose: CodePurpose): Promise<void> {
  await tx.deleteFrom('mailed_codes').where('user_id', '=', userId).where('purpose', '=', purpose).execute();
}

export async function deleteExpiredCodes(db: Kysely<Tables>, now: Date): Promise<void> {
  await db.deleteFrom('mailed_codes').where('expires_at', '<=', now).execute();
}
