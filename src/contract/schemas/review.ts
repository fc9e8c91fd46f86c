import { z } from 'zod';
import { SHOWN_AS } from '#domain/profile.ts';
import { storyStatus } from './editorial-stories.ts';
import { id, orgId, page, typedText } from './shared.ts';
import { profile } from './stories.ts';

/** An offsetter with the full name and the author's email, for the organization's editors. */
export const reviewedOffsetter = profile.omit({ mine: true }).extend({
  status: storyStatus,
  shownAs: z.enum(SHOWN_AS),
  email: z.string(),
  /** True if its gift was fully refunded, so that it stays hidden (decisions §3). */
  refunded: z.boolean(),
});

export type ReviewedOffsetter = z.infer<typeof reviewedOffsetter>;

const SEARCH_MAXIMUM = 100;

/** waiting: drafts that need approval. decided: published or hidden. */
export const reviewSearch = page.extend({
  standing: z.enum(['waiting', 'decided', 'published', 'hidden']).default('decided'),
  query: typedText(SEARCH_MAXIMUM).optional(),
});

export type ReviewSearch = z.infer<typeof reviewSearch>;

const inOrg = z.strictObject({ orgid: orgId });

export const reviewCalls = {
  /** The review setting, and the number of waiting stories. */
  readReview: { params: inOrg, answer: z.object({ on: z.boolean(), waiting: z.number().int() }) },
  readOffsettersToReview: { params: inOrg, query: reviewSearch, answer: z.array(reviewedOffsetter) },
  setOffsetterStatus: {
    params: z.strictObject({ orgid: orgId, offsetterid: id }),
    body: z.strictObject({ status: storyStatus }),
    answer: reviewedOffsetter,
  },
};
