import { z } from 'zod';
import { ACTIVITY_NAMES } from '#domain/activity.ts';
import { id, page, time } from './shared.ts';

/** Something that was done, by whom, from where, and what it changed (decisions §4). */
export const activity = z.object({
  id,
  name: z.enum(ACTIVITY_NAMES),
  timestamp: time,
  /**
   * program: the payment provider, a schedule or an operator's command; former: an account that was deleted; you: the person
   * whose own activity this is.
   */
  by: z.enum(['person', 'visitor', 'former', 'program', 'you']),
  /** A person's name, or the address of one who has none. Not told in a person's own activity. */
  byName: z.string().nullable(),
  /** The address on the internet, for 90 days. Of donors, only they themselves and admins see it. */
  client: z.string().nullable(),
  /** The name of the person whose role, account, story, check or gift it is, or of a grant's home, if that is another one. */
  about: z.string().nullable(),
  orgid: id.nullable(),
  changes: z.array(z.object({ label: z.string(), before: z.string(), after: z.string() })),
});

export type Activity = z.infer<typeof activity>;

const query = page.pick({ max: true, cursorRef: true });

/** The newest first. */
export const activityCalls = {
  /** Of an organization, for its editors. */
  readActivity: { params: z.strictObject({ orgid: id }), query, answer: z.array(activity) },
  /** Of all, for admins. */
  readAllActivity: { query, answer: z.array(activity) },
  /** What a person did, and what was done about the person. */
  readOwnActivity: { params: z.strictObject({ userid: id }), query, answer: z.array(activity) },
};
