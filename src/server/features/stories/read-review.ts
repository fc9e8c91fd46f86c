import type { ReviewedOffsetter, ReviewSearch } from '#contract/schemas/review.ts';
import type { Answer } from '#contract/schemas.ts';
import type { Database } from '#server/db/connection.ts';
import type { OrgFacts } from '#server/orgs/find-org.ts';
import { presentProfile } from '#server/profiles/present-profile.ts';
import { type ReviewedRow, reviewPage, waitingOffsetters } from './review.store.ts';

export type ReviewPart = { readonly offsetters: ReviewedOffsetter[]; readonly nextCursor: string | undefined };

/** Whether stories are looked at before they are shown, and how many wait. */
export async function readReview(db: Database, org: OrgFacts): Promise<Answer<'readReview'>> {
  return { on: org.reviewStories, waiting: await waitingOffsetters(db.kysely, org.id) };
}

/** A part of the offsetters that editors decide on. */
export async function readOffsettersToReview(db: Database, orgId: string, search: ReviewSearch): Promise<ReviewPart> {
  const rows = await reviewPage(db.kysely, orgId, search);
  const part = rows.slice(0, search.max);
  return {
    offsetters: part.map(presentReviewed),
    nextCursor: rows.length > part.length ? part.at(-1)?.id : undefined,
  };
}

/** For the eyes of the organisation's editors. */
export function presentReviewed(row: ReviewedRow): ReviewedOffsetter {
  const { status, shown_as: shownAs, name, email, refunded } = row;
  return { ...presentProfile(row, { kind: 'offsetter', orgId: row.org_id }), name, status, shownAs, email, refunded };
}
