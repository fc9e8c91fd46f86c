import type { Transaction } from 'kysely';
import type { UserId } from '#domain/ids.ts';
import type { Tables } from '#server/db/tables.ts';

/**
 * Ends a user's sessions, with all of their identity tokens, and logins that wait for a second step.
 * @param except the id of a session to keep
 */
export async function endSessions(
  tx: Transaction<Tables>,
  userId: UserId,
  { except }: { readonly except?: string | undefined } = {},
): Promise<void> {
  await tx.deleteFrom('pending_logins').where('user_id', '=', userId).execute();
  const all = tx.deleteFrom('sessions').where('user_id', '=', userId);
  await (except === undefined ? all : all.where('id', '!=', except)).execute();
}
