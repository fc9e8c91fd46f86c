import type { ReviewedOffsetter, ReviewSearch } from '#contract/schemas/review.ts';
import type { Answer } from '#contract/schemas.ts';
import { Failure } from '#domain/failures.ts';
import type { Database } from '#server/db/connection.ts';
import { findOrg } from '#server/orgs/find-org.ts';
import { presentProfile } from '#server/profiles/present-profile.ts';
import { type ReviewedRow, reviewPage, waitingOffsetters } from './review.store.ts';

export type ReviewPart = { readonly offsetters: ReviewedOffsetter[]; readonly nextCursor: string | undefined };

/** Whether stories are looked at before they are shown, and how many wait. @returns Failure org-not-found */
export async function readReview(db: Database, orgId: string): Promise<Answer<'readReview'> | Failure> {
  const org = await findOrg(db, orgId);
  if (!org) return new Failure('org-not-found');
  return { on: org.reviewStories, waiting: await waitingOffsetters(db.kysely, orgId) };
}

/** A part of the offsetters that editors decide on. @returns Failure org-not-found */
export async function readOffsettersToReview(
  db: Database,
  orgId: string,
  search: ReviewSearch,
): Promise<ReviewPart | Failure> {
  if (!(await findOrg(db, orgId))) return new Failure('org-not-found');
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
