import { z } from 'zod';
import { id, page, picture, time } from './shared.ts';

/** Pounds of carbon, gallons of gasoline, dollars, grants. */
export const stats = z.object({ co2: z.number(), gas: z.number(), funds: z.number(), grants: z.number() });

/** How long a long poll may last (§9). */
export const LONG_POLL_SECONDS = { least: 5, most: 30 } as const;

/** An organisation as the public sees it: no editors, no user ids. */
export const org = z.object({
  id,
  slug: z.string(),
  name: z.string(),
  tag: z.string(),
  photoURL: z.string().nullable(),
  photo: picture.nullable(),
  stats,
  statsDelta: stats,
  statsUpdatedTimestamp: time,
  noAwardees: z.boolean(),
  isSample: z.boolean(),
  createdTimestamp: time,
  /** Rises with every change of what the organisation shows. */
  version: z.number().int(),
});

export type Org = z.infer<typeof org>;

export const orgCalls = {
  readOrgs: { query: page.extend({ slug: z.string().max(100).optional() }), answer: z.array(org) },
  readOrg: { params: z.strictObject({ orgid: id }), answer: org },
  /** Answers once the version is above `since`, or after `wait` seconds with the one that still holds (long-polling). */
  waitForChange: {
    params: z.strictObject({ orgid: id }),
    query: z.strictObject({
      since: z.coerce.number().int().min(0).default(0),
      wait: z.coerce.number().int().min(LONG_POLL_SECONDS.least).max(LONG_POLL_SECONDS.most).default(25),
    }),
    answer: z.object({ version: z.number().int() }),
  },
};
