import type { Transaction } from 'kysely';
import type { Tables } from '#server/db/tables.ts';
import { deleteSessionsOf } from './sessions.store.ts';

/**
 * Ends a person's sessions, and with them every identity token that was got with them: at a new password, at sign-out
 * everywhere, when a role is taken away.
 * @param except the id of a session that lives on
 */
export function endSessions(
  tx: Transaction<Tables>,
  userId: string,
  { except }: { readonly except?: string | undefined } = {},
): Promise<void> {
  return deleteSessionsOf(tx, userId, except);
}
