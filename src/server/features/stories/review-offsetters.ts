import type { ReviewedOffsetter, ReviewSearch } from '#contract/schemas/review.ts';
import type { ResponseBody } from '#contract/schemas.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';
import type { StoryStatus } from '#domain/profile.ts';
import type { Database } from '#server/db/connection.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import type { OrgFacts } from '#server/entities/find-org.ts';
import { presentProfile } from '#server/entities/present-profile.ts';
import { createListPage, type ListPage } from '#server/http/list-page.ts';
import { changeOffsetter, lockOffsetter } from './offsetters.store.ts';
import type { OffsetterKey } from './offsetters.ts';
import { countWaitingStories, isRefunded, listReviewedOffsetters, type ReviewedRow } from './review.store.ts';
import { sendStoryEmail } from './send-story-email.job.ts';

/** Reads whether stories need approval before publication, and how many are waiting for approval. */
export async function readReview(db: Database, org: OrgFacts): Promise<ResponseBody<'readReview'>> {
  return { on: org.reviewStories, waiting: await countWaitingStories(db.kysely, org.id) };
}

export async function readOffsettersToReview(
  db: Database,
  orgId: OrgId,
  search: ReviewSearch,
): Promise<ListPage<ReviewedOffsetter[]>> {
  const rows = await listReviewedOffsetters(db.kysely, orgId, { ...search, max: search.max + 1 });
  return createListPage(rows, search.max, presentReviewedOffsetter);
}

/**
 * Publishes an offsetter, hides it, or makes it a draft again. The author of a newly published draft gets an email. The
 * story of a fully refunded gift stays hidden (decisions §3).
 * @returns Failure offsetter-not-found, story-not-to-be-shown, story-refunded
 */
export async function setOffsetterStatus(
  { db, jobs }: Pick<AppDeps, 'db' | 'jobs'>,
  key: OffsetterKey,
  status: StoryStatus,
): Promise<ReviewedOffsetter | Failure> {
  return inTransaction(db, async (tx) => {
    const lockedStory = await lockOffsetter(tx, key.orgId, key.id);
    if (!lockedStory) return new Failure('offsetter-not-found');
    if (lockedStory.shown_as === 'none') return new Failure('story-not-to-be-shown');
    const wasRefunded = await isRefunded(tx, key.orgId, lockedStory.checkout_id);
    if (wasRefunded && status !== 'hidden') return new Failure('story-refunded');
    const updatedStory = await changeOffsetter(tx, key, { status });
    if (lockedStory.status === 'draft' && status === 'published') {
      const changedAt = updatedStory.changed_at?.toISOString() ?? '';
      await jobs.enqueue(tx, sendStoryEmail, { orgId: key.orgId, offsetterId: key.id, changedAt });
    }
    return presentReviewedOffsetter({ ...updatedStory, refunded: wasRefunded });
  });
}

/** Presents an offsetter to the organization's editors. */
function presentReviewedOffsetter(row: ReviewedRow): ReviewedOffsetter {
  const { status, shown_as: shownAs, name, email, refunded } = row;
  return { ...presentProfile(row, { kind: 'offsetter', orgId: row.org_id }), name, status, shownAs, email, refunded };
}
