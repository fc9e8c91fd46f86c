import { z } from 'zod';
import { SHOWN_AS, STORY_STATUSES } from '#domain/profile.ts';
import { id, orgId, page, printableText } from './shared.ts';
import { profile } from './stories.ts';

export const reviewedOffsetter = profile
  .omit({ mine: true })
  .extend({
    status: z.enum(STORY_STATUSES),
    shownAs: z.enum(SHOWN_AS),
    email: z.string(),
    refunded: z.boolean().describe('True if its gift was fully refunded. Such a story stays hidden.'),
  })
  .meta({
    id: 'ReviewedOffsetter',
    description: "An offsetter with the full name and the author's email, for the organization's editors.",
  });

export type ReviewedOffsetter = z.infer<typeof reviewedOffsetter>;

const MAX_STORY_QUERY_LENGTH = 100;

/** waiting: drafts in review. decided: published or hidden. */
export const reviewSearch = page.extend({
  state: z.enum(['waiting', 'decided', 'published', 'hidden']).default('decided'),
  query: printableText(MAX_STORY_QUERY_LENGTH).optional(),
});

export type ReviewSearch = z.infer<typeof reviewSearch>;

const orgParams = z.strictObject({ orgid: orgId });

export const reviewCalls = {
  readReview: {
    summary: 'Count the stories in review',
    description: 'The review setting, and the number of stories in review.',
    params: orgParams,
    response: z.object({ on: z.boolean(), waiting: z.number().int() }),
  },
  readOffsettersToReview: {
    summary: "List offsetters' stories in every status",
    params: orgParams,
    query: reviewSearch,
    response: z.array(reviewedOffsetter),
  },
  setOffsetterStatus: {
    summary: "Publish or hide an offsetter's story",
    params: z.strictObject({ orgid: orgId, offsetterid: id }),
    body: z.strictObject({ status: z.enum(STORY_STATUSES) }),
    response: reviewedOffsetter,
  },
};
