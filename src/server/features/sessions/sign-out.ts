import type { Actor } from '#domain/permissions.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { endSessions } from '#server/users/end-sessions.ts';
import { hashOfSecret } from './secrets.ts';
import { deleteSession, deleteSessionByHash } from './sessions.store.ts';

/** Ends the session that the cookie remembers, and the one of the token, if there are any. */
export async function signOut({ db }: Pick<AppDeps, 'db'>, actor: Actor, secret: string | undefined): Promise<void> {
  if (secret !== undefined) await deleteSessionByHash(db.kysely, hashOfSecret(secret));
  if (actor.kind === 'user') await deleteSession(db.kysely, actor.sessionId);
}

/** Ends every session of a person, on every device. */
export function signOutEverywhere({ db }: Pick<AppDeps, 'db'>, userId: string): Promise<void> {
  return inTransaction(db, (tx) => endSessions(tx, userId));
}
