import { z } from 'zod';
import { SLUG_MAXIMUM, TAG_MAXIMUM } from '#domain/org.ts';
import { EMAIL_MAXIMUM, NAME_MAXIMUM } from '#domain/profile.ts';
import { usedSet } from './factors.ts';
import { id, page, picture, time, typedText } from './shared.ts';

/** Pounds of carbon, gallons of gasoline, dollars, grants. */
export const stats = z.object({ co2: z.number(), gas: z.number(), funds: z.number(), grants: z.number() });

/** How long a long poll may last (§9). */
export const LONG_POLL_SECONDS = { least: 5, most: 30 } as const;

/** An organization as the public sees it: no editors, no user ids. */
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
  /** Its days begin and end by the clocks of this place (IANA). */
  timeZone: z.string(),
  /** The city it serves, such as "Ithaca, New York"; empty where nobody has named it. */
  place: z.string(),
  /** Dollars that a typical grant pays, with which gifts are compared; null where nobody has said it. */
  typicalGrant: z.number().nullable(),
  /** Over how many years what its grants save arrives, or usual work does where it keeps none. */
  savingYears: z.number().int(),
  /** What its estimates are computed with, if it has chosen another set than the default. */
  factors: usedSet.optional(),
  createdTimestamp: time,
  /** Rises with every change of what the organization shows. */
  version: z.number().int(),
});

export type Org = z.infer<typeof org>;

/** What an adjustment has added to each of the stats, with who made it, when, and why (decisions §3). */
export const adjustment = z.object({
  id,
  change: stats,
  reason: z.string(),
  /** Absent once that person has deleted the account. */
  by: z.string().nullable(),
  createdTimestamp: time,
});

export type OrgAdjustment = z.infer<typeof adjustment>;

/** An organization as its editors see it. */
export const orgSettings = org.extend({
  /** Whether stories need approval before they are shown (decisions §5). */
  reviewStories: z.boolean(),
  /** Whether the roles in it need a second step at the login (decisions §4). */
  editorsNeedSecondFactor: z.boolean(),
  /** The last ones, the newest first. */
  adjustments: z.array(adjustment),
});

export type OrgSettings = z.infer<typeof orgSettings>;

/** Above any fund's, and exact in the units that a ledger keeps. */
const MOST = 1_000_000_000;
/** Pounds and gallons of at most 4 decimals, dollars of whole cents, whole grants. */
const amountsFrom = (least: number) =>
  z
    .strictObject({
      co2: z.number().min(least).max(MOST).multipleOf(0.0001),
      gas: z.number().min(least).max(MOST).multipleOf(0.0001),
      funds: z.number().min(least).max(MOST).multipleOf(0.01, 'Dollars may have at most 2 decimals.'),
      grants: z.number().int().min(least).max(MOST),
    })
    .partial();

// Long enough that the sentence about the length is ours, and not a schema's.
const slug = z.string().max(SLUG_MAXIMUM * 10);
const name = typedText(NAME_MAXIMUM * 20);
const tag = typedText(TAG_MAXIMUM * 20);
const place = typedText(NAME_MAXIMUM * 20);

export const REASON_MAXIMUM = 500;

/** What is to be changed; the rest stays (§7). */
export const orgEdit = z.strictObject({
  /** An admin's to change. An editor may send the one that it is. */
  slug: slug.optional(),
  name: name.optional(),
  tag: tag.optional(),
  /** Posts the difference to the ledger. */
  stats: amountsFrom(0).optional(),
  /** The stats as they were seen: where they are others by now, nothing is changed. */
  statsSeen: stats.partial().strict().optional(),
  reason: typedText(REASON_MAXIMUM).optional(),
  /** Taken from §7's payload, and left unused: the time is the server's. */
  statsUpdatedTimestamp: z.unknown().optional(),
  statsDelta: amountsFrom(-MOST).optional(),
  noAwardees: z.boolean().optional(),
  reviewStories: z.boolean().optional(),
  editorsNeedSecondFactor: z.boolean().optional(),
  /** A name of the IANA database, such as America/New_York. */
  timeZone: z.string().max(100).optional(),
  /** Empty takes it away. */
  place: place.optional(),
  typicalGrant: z
    .number()
    .min(1)
    .max(MOST)
    .multipleOf(0.01, 'Dollars may have at most 2 decimals.')
    .nullable()
    .optional(),
});

export type OrgEdit = z.infer<typeof orgEdit>;

/** A new organization, and the email of its first editor. */
export const newOrg = z.strictObject({ name, slug, tag, place: place.optional(), email: typedText(EMAIL_MAXIMUM * 2) });

export type NewOrg = z.infer<typeof newOrg>;

const inOrg = z.strictObject({ orgid: id });

export const orgCalls = {
  readOrgs: { query: page.extend({ slug: z.string().max(100).optional() }), answer: z.array(org) },
  readOrg: { params: inOrg, answer: org },
  createOrg: { body: newOrg, answer: z.object({ id }) },
  readOrgSettings: { params: inOrg, answer: orgSettings },
  editOrg: { params: inOrg, body: orgEdit, answer: org },
  /** The header photo is the multipart file `file` (§7). */
  replaceHeader: {
    params: inOrg,
    form: z.strictObject({}),
    file: 'required',
    answer: z.object({ photoURL: z.string() }),
  },
  removeHeader: { params: inOrg, answer: z.object({}) },
  /** Answers once the version is above `since`, or after `wait` seconds with the one that still holds (long-polling). */
  waitForChange: {
    params: inOrg,
    query: z.strictObject({
      since: z.coerce.number().int().min(0).default(0),
      wait: z.coerce.number().int().min(LONG_POLL_SECONDS.least).max(LONG_POLL_SECONDS.most).default(25),
    }),
    answer: z.object({ version: z.number().int() }),
  },
} as const;
