import { z } from 'zod';
import { ACTIVITY_NAMES } from '#domain/activity.ts';
import { id, orgId, page, time, userId } from './shared.ts';

/** A recorded activity: who did it, from where, and what changed (decisions §4). */
export const activity = z.object({
  id,
  name: z.enum(ACTIVITY_NAMES),
  timestamp: time,
  /**
   * program: the payment provider, a schedule or an operator's command; former: an account that was deleted; you: the person
   * whose own activity this is.
   */
  by: z.enum(['person', 'visitor', 'former', 'program', 'you']),
  /** A person's name, or the address of a person without one. Omitted from a person's own activity. */
  byName: z.string().nullable(),
  /** IP address, for 90 days. Only donors themselves and admins see a donor's. */
  client: z.string().nullable(),
  /** The person whose role, account, story, check, or gift it is, or whose home a grant is for, if that is another person. */
  about: z.string().nullable(),
  orgid: orgId.nullable(),
  changes: z.array(z.object({ label: z.string(), before: z.string(), after: z.string() })),
});

export type Activity = z.infer<typeof activity>;

const query = page.pick({ max: true, cursorRef: true });

/** Newest first. */
export const activityCalls = {
  /** An organization's activity, for its editors. */
  readActivity: { params: z.strictObject({ orgid: orgId }), query, answer: z.array(activity) },
  /** All activity, for admins. */
  readAllActivity: { query, answer: z.array(activity) },
  /** Activity of and about a person. */
  readOwnActivity: { params: z.strictObject({ userid: userId }), query, answer: z.array(activity) },
};
