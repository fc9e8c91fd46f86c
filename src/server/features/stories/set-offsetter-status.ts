import type { ReviewedOffsetter } from '#contract/schemas/review.ts';
import { Failure } from '#domain/failures.ts';
import type { StoryStatus } from '#domain/profile.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { changeOffsetter, lockedOffsetter } from './offsetters.store.ts';
import type { OffsetterKey } from './own-offsetter.ts';
import { presentReviewed } from './read-review.ts';
import { isRefunded } from './review.store.ts';

/**
 * Publishes an offsetter, hides it, or puts it back among those that wait. Whoever waited for it is told by mail that it
 * is published. That of a gift which was paid back whole stays hidden (decisions §3).
 * @returns Failure offsetter-not-found, story-not-to-be-shown, story-refunded
 */
export async function setOffsetterStatus(
  { db, jobs }: Pick<AppDeps, 'db' | 'jobs'>,
  key: OffsetterKey,
  status: StoryStatus,
): Promise<ReviewedOffsetter | Failure> {
  return inTransaction(db, async (tx) => {
    const before = await lockedOffsetter(tx, key.orgId, key.id);
    if (!before) return new Failure('offsetter-not-found');
    if (before.shown_as === 'none') return new Failure('story-not-to-be-shown');
    const refunded = await isRefunded(tx, key.orgId, before.checkout_id);
    if (refunded && status !== 'hidden') return new Failure('story-refunded');
    const after = await changeOffsetter(tx, key, { status });
    if (before.status === 'draft' && status === 'published') {
      const changedAt = after.changed_at?.toISOString() ?? '';
      await jobs.enqueue(tx, 'mail-story', { orgId: key.orgId, offsetterId: key.id, changedAt });
    }
    return presentReviewed({ ...after, refunded });
  });
}
