import type { AppDeps } from '#server/deps.ts';
import { deleteEndedCodes } from './mailed-codes.store.ts';
import { deleteEndedSessions } from './sessions.store.ts';
import { deleteEndedVerifications } from './sign-ups.store.ts';

/** Takes away sessions, mailed codes and what waited for an answer, once they have ended. */
export async function sweepSessions({ db, now }: Pick<AppDeps, 'db' | 'now'>): Promise<void> {
  await deleteEndedSessions(db.kysely, now());
  await deleteEndedCodes(db.kysely, now());
  await deleteEndedVerifications(db.kysely, now());
}
