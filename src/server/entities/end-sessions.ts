import type { Transaction } from 'kysely';
import type { UserId } from '#domain/ids.ts';
import type { Tables } from '#server/db/tables.ts';

/**
 * Ends a user's sessions, their identity tokens, and logins that still need a second step.
 * @param exceptId a session to keep
 */
export async function endSessions(
  tx: Transaction<Tables>,
  userId: UserId,
  { except: exceptId }: { readonly except?: string | undefined } = {},
): Promise<void> {
  await tx.deleteFrom('pending_logins').where('user_id', '=', userId).execute();
  const userSessions = tx.deleteFrom('sessions').where('user_id', '=', userId);
  await (exceptId === undefined ? userSessions : userSessions.where('id', '!=', exceptId)).execute();
}
