import { z } from 'zod';
import { id, page, picture, time } from './shared.ts';

/** Pounds of carbon, gallons of gasoline, dollars, grants. */
export const stats = z.object({ co2: z.number(), gas: z.number(), funds: z.number(), grants: z.number() });

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
});

export type Org = z.infer<typeof org>;

export const orgCalls = {
  readOrgs: { query: page.extend({ slug: z.string().max(100).optional() }), answer: z.array(org) },
  readOrg: { params: z.strictObject({ orgid: id }), answer: org },
};
