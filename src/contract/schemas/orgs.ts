import { z } from 'zod';
import { SLUG_MAXIMUM, TAG_MAXIMUM } from '#domain/org.ts';
import { EMAIL_MAXIMUM, NAME_MAXIMUM } from '#domain/profile.ts';
import { usedSet } from './factors.ts';
import { dollars, id, orgId, page, picture, time, typedText } from './shared.ts';

/** Pounds of carbon, gallons of gasoline, dollars, grants. */
export const stats = z.object({ co2: z.number(), gas: z.number(), funds: z.number(), grants: z.number() });

/** Limits of a long poll's duration (§9). */
export const LONG_POLL_SECONDS = { minimum: 5, maximum: 30 } as const;

/** A public organization, without editors and user ids. */
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
  /** IANA time zone of its days. */
  timeZone: z.string(),
  /** City of the organization, such as "Ithaca, New York"; empty if not set. */
  place: z.string(),
  /** Dollars of a typical grant, used for comparisons; null if not set. */
  typicalGrant: dollars.nullable(),
  /** Years over which its grants' savings arrive; the default if it records no grants. */
  savingYears: z.number().int(),
  /** Factors of its estimates, if it doesn't use the default set. */
  factors: usedSet.optional(),
  createdTimestamp: time,
  /** Increases with every change of public content. */
  version: z.number().int(),
});

export type Org = z.infer<typeof org>;

/** An adjustment of the stats, with its author, time, and reason (decisions §3). */
export const adjustment = z.object({
  id,
  change: stats,
  reason: z.string(),
  /** Null once that account is deleted. */
  by: z.string().nullable(),
  createdTimestamp: time,
});

export type OrgAdjustment = z.infer<typeof adjustment>;

/** An organization for its editors. */
export const orgSettings = org.extend({
  /** True if stories need approval before publication (decisions §5). */
  reviewStories: z.boolean(),
  /** True if its roles need a second step at login (decisions §4). */
  editorsNeedSecondFactor: z.boolean(),
  /** The last ones, newest first. */
  adjustments: z.array(adjustment),
});

export type OrgSettings = z.infer<typeof orgSettings>;

/** Above any fund's amounts, and exact in the ledger's units. */
const MAX_AMOUNT = 1_000_000_000;
/** Pounds and gallons with at most 4 decimals, dollars in whole cents, whole grants. */
const amountsFrom = (minimum: number) =>
  z
    .strictObject({
      co2: z.number().min(minimum).max(MAX_AMOUNT).multipleOf(0.0001),
      gas: z.number().min(minimum).max(MAX_AMOUNT).multipleOf(0.0001),
      funds: z.number().min(minimum).max(MAX_AMOUNT).multipleOf(0.01, 'Dollars may have at most 2 decimals.'),
      grants: z.number().int().min(minimum).max(MAX_AMOUNT),
    })
    .partial();

// Longer than allowed, so that a long text fails the length check, which has its own message, instead of the schema.
const slug = z.string().max(SLUG_MAXIMUM * 10);
const name = typedText(NAME_MAXIMUM * 20);
const tag = typedText(TAG_MAXIMUM * 20);
const place = typedText(NAME_MAXIMUM * 20);

export const REASON_MAXIMUM = 500;

/** Changes; omitted fields stay the same (§7). */
export const orgEdit = z.strictObject({
  /** Only admins can change it. Editors may send the current one. */
  slug: slug.optional(),
  name: name.optional(),
  tag: tag.optional(),
  /** Posts the difference to the ledger. */
  stats: amountsFrom(0).optional(),
  /** The stats as displayed. If they have changed since, nothing is saved. */
  statsSeen: stats.partial().strict().optional(),
  reason: typedText(REASON_MAXIMUM).optional(),
  /** Accepted from §7's payload but unused: the server sets the time. */
  statsUpdatedTimestamp: z.unknown().optional(),
  statsDelta: amountsFrom(-MAX_AMOUNT).optional(),
  noAwardees: z.boolean().optional(),
  reviewStories: z.boolean().optional(),
  editorsNeedSecondFactor: z.boolean().optional(),
  /** A name of the IANA database, such as America/New_York. */
  timeZone: z.string().max(100).optional(),
  /** Empty to remove it. */
  place: place.optional(),
  typicalGrant: z
    .number()
    .min(1)
    .max(MAX_AMOUNT)
    .multipleOf(0.01, 'Dollars may have at most 2 decimals.')
    .nullable()
    .optional(),
});

export type OrgEdit = z.infer<typeof orgEdit>;

/** A new organization, and the email of its first editor. */
export const newOrg = z.strictObject({ name, slug, tag, place: place.optional(), email: typedText(EMAIL_MAXIMUM * 2) });

export type NewOrg = z.infer<typeof newOrg>;

const inOrg = z.strictObject({ orgid: orgId });

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
  /** Responds once the version is above `since`, or after `wait` seconds with the current one (long polling). */
  waitForChange: {
    params: inOrg,
    query: z.strictObject({
      since: z.coerce.number().int().min(0).default(0),
      wait: z.coerce.number().int().min(LONG_POLL_SECONDS.minimum).max(LONG_POLL_SECONDS.maximum).default(25),
    }),
    answer: z.object({ version: z.number().int() }),
  },
} as const;
