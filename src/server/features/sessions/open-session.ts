import type { Transaction } from 'kysely';
import type { Tables } from '#server/db/tables.ts';
import { newId } from '#server/ids.ts';
import { hashOfSecret, newSecret } from './secrets.ts';
import { deleteSessionByHash, insertSession } from './sessions.store.ts';

const DAY_MS = 24 * 60 * 60_000;
/** How long a session lives after it was last used. */
const SESSION_MS = 14 * DAY_MS;
/** Not prolonged again before this, so that not every call writes. */
const PROLONG_AFTER_MS = DAY_MS;

export type OpenedSession = {
  readonly id: string;
  /** What the browser's cookie holds; only its hash is kept. */
  readonly secret: string;
};

/** Opens a session in place of the one that the browser had before, whoever's that was. */
export async function replaceSession(
  tx: Transaction<Tables>,
  userId: string,
  formerSession: string | undefined,
  now: Date,
): Promise<OpenedSession> {
  if (formerSession !== undefined) await deleteSessionByHash(tx, formerSession);
  return openSession(tx, userId, now);
}

export async function openSession(tx: Transaction<Tables>, userId: string, now: Date): Promise<OpenedSession> {
  const session = { id: newId(), secret: newSecret() };
  await insertSession(
    tx,
    { id: session.id, userId, hash: hashOfSecret(session.secret), expiresAt: endAfter(now) },
    now,
  );
  return session;
}

/** When a session that is used now ends, if it was not used for a day; nothing while that can wait. */
export function prolongedEnd(expiresAt: Date, now: Date): Date | undefined {
  const end = endAfter(now);
  return end.getTime() - expiresAt.getTime() >= PROLONG_AFTER_MS ? end : undefined;
}

function endAfter(now: Date): Date {
  return new Date(now.getTime() + SESSION_MS);
}
