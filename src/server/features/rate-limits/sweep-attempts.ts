import type { AppDeps } from '#server/deps.ts';
import { deleteEndedWindows } from './attempts.store.ts';

/** Takes the counts away whose window has ended. They count for nothing any more, and nobody needs to be remembered. */
export async function sweepAttempts({ db, now }: Pick<AppDeps, 'db' | 'now'>): Promise<void> {
  await deleteEndedWindows(db.kysely, now());
}
