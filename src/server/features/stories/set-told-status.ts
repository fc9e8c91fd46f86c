import type { ToldStory } from '#contract/schemas/told-stories.ts';
import { Failure } from '#domain/failures.ts';
import type { StoryStatus } from '#domain/profile.ts';
import { missingForPublication, needFailure } from '#domain/story-publication.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { presentToldStory } from './present-told-story.ts';
import { TOLD_NOT_FOUND } from './read-told-stories.ts';
import { changeTold, deleteToldRow, lockedTold, type ToldKey } from './told-stories.store.ts';

/**
 * Publishes an awardee or an installer, hides it, or makes it a draft again.
 * @returns Failure awardee-not-found, installer-not-found, story-without-photo, no-consent
 */
export async function setToldStatus(
  { db }: Pick<AppDeps, 'db'>,
  key: ToldKey,
  status: StoryStatus,
): Promise<ToldStory | Failure> {
  return inTransaction(db, async (tx) => {
    const before = await lockedTold(tx, key);
    if (!before) return new Failure(TOLD_NOT_FOUND[key.kind]);
    const readiness = { hasPhoto: before.photo !== null, hasConsent: before.consented_at !== null };
    const [need] = missingForPublication(key.kind, readiness);
    if (status === 'published' && need !== undefined) return needFailure(need);
    await changeTold(tx, key, { status });
    return presentToldStory(key.kind, { ...before, status });
  });
}

/** Takes an awardee or an installer away for good, and then the files of its photo. @returns Failure as setToldStatus */
export async function deleteToldStory(
  { db, jobs }: Pick<AppDeps, 'db' | 'jobs'>,
  key: ToldKey,
): Promise<Record<string, never> | Failure> {
  return inTransaction(db, async (tx) => {
    const deleted = await deleteToldRow(tx, key);
    if (!deleted) return new Failure(TOLD_NOT_FOUND[key.kind]);
    if (deleted.photo) await jobs.enqueue(tx, 'remove-picture', { key: deleted.photo.key });
    return {};
  });
}
