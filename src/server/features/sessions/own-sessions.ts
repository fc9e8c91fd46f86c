import type { OpenSession } from '#contract/schemas/session.ts';
import { Failure } from '#domain/failures.ts';
import { optionalNameFailure } from '#domain/names.ts';
import type { SignedInUser } from '#domain/permissions.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { endSessions } from '#server/entities/end-sessions.ts';
import { addField } from '#server/http/problems.ts';
import { forgetBrowsers } from './accounts.store.ts';
import { deleteUserSession, listSessions, setSessionName } from './sessions.store.ts';

type Empty = Record<string, never>;

/** Lists the user's sessions, most recently used first. */
export async function readSessions(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  { userId, sessionId }: SignedInUser,
): Promise<OpenSession[]> {
  const rows = await listSessions(db.kysely, userId, now());
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    ipAddress: row.ip_address,
    createdTimestamp: row.created_at.toISOString(),
    lastUsedTimestamp: row.used_at.toISOString(),
    isCurrent: row.id === sessionId,
  }));
}

/** @returns Failure no-name, another name failure such as name-too-long, or session-not-found */
export async function nameSession(
  { db }: Pick<AppDeps, 'db'>,
  { userId }: SignedInUser,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<Empty | Failure> {
  const failure = name.trim() === '' ? new Failure('no-name') : optionalNameFailure(name);
  if (failure) return addField('name', failure) ?? failure;
  return (await setSessionName(db.kysely, { id, userId, name: name.trim() })) ? {} : new Failure('session-not-found');
}

/** @returns Failure session-not-found */
export async function endSession(
  { db }: Pick<AppDeps, 'db'>,
  { userId }: SignedInUser,
  id: string,
): Promise<Empty | Failure> {
  const isDeleted = await inTransaction(db, (tx) => deleteUserSession(tx, { id, userId }));
  return isDeleted ? {} : new Failure('session-not-found');
}

/** Ends all other sessions and forgets all browsers, so the caller must mark this browser as known again. */
export async function signOutElsewhere(
  { db }: Pick<AppDeps, 'db'>,
  { userId, sessionId }: SignedInUser,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await endSessions(tx, userId, { except: sessionId });
    await forgetBrowsers(tx, userId);
  });
}
