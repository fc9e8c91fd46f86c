import type { IdentityToken } from '#contract/schemas/session.ts';
import { prolongedEnd } from './open-session.ts';
import { hashOfSecret } from './secrets.ts';
import type { SessionDeps } from './session-deps.ts';
import { prolongSession, sessionByHash } from './sessions.store.ts';

/**
 * An identity token of the session that a cookie remembers. A session that is used lives on.
 * @param secret what the cookie holds
 * @returns nothing where the session has ended; `prolonged` when the cookie has to be set anew
 */
export async function readToken(
  { db, identity, now }: Pick<SessionDeps, 'db' | 'identity' | 'now'>,
  secret: string,
): Promise<{ readonly token: IdentityToken; readonly prolonged: boolean } | undefined> {
  const session = await sessionByHash(db.kysely, hashOfSecret(secret), now());
  if (!session) return undefined;
  const end = prolongedEnd(session.expires_at, now());
  if (end) await prolongSession(db.kysely, session.id, end, now());
  const token = await identity.issueToken(session.id);
  return token && { token, prolonged: end !== undefined };
}
