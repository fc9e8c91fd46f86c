import { z } from 'zod';
import { MAX_SLUG_LENGTH, MAX_TAG_LENGTH } from '#domain/org.ts';
import { MAX_EMAIL_LENGTH, MAX_NAME_LENGTH } from '#domain/profile.ts';
import { foundPlace } from './cities.ts';
import { orgFactorSet } from './factors.ts';
import { dollars, id, orgId, page, picture, printableText, time } from './shared.ts';

export const stats = z
  .object({ co2: z.number(), gas: z.number(), funds: z.number(), grants: z.number() })
  .meta({ id: 'Stats', description: 'Pounds of carbon, gallons of gasoline, dollars, grants.' });

/** Limits for a long poll's duration (§9). */
export const LONG_POLL_SECONDS = { minimum: 5, maximum: 30 } as const;

export const org = z
  .object({
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
    takesApplications: z.boolean().describe('True if households can apply for grants.'),
    isSample: z.boolean(),
    timeZone: z.string().describe('IANA time zone for its days.'),
    place: z.string().describe('City of the organization, such as "Ithaca, New York"; empty if not set.'),
    homeCity: foundPlace
      .nullable()
      .describe('The place in the city search, used as the start of trips; null if not set.'),
    typicalGrant: dollars.nullable().describe('Dollars of a typical grant, used for comparisons; null if not set.'),
    savingYears: z
      .number()
      .int()
      .describe("Years over which its grants' savings accrue; the default if it records no grants."),
    factors: orgFactorSet.optional().describe("Factors for its estimates, if it doesn't use the default set."),
    createdTimestamp: time,
    version: z.number().int().describe('Increases with every change of public content.'),
  })
  .meta({ id: 'Org', description: 'A public organization, without editors and user ids.' });

export type Org = z.infer<typeof org>;

export const adjustment = z
  .object({
    id,
    change: stats,
    reason: z.string(),
    by: z.string().nullable().describe('Null once that account is deleted.'),
    createdTimestamp: time,
  })
  .meta({ id: 'Adjustment', description: 'An adjustment of the stats, with its author, time, and reason.' });

export type OrgAdjustment = z.infer<typeof adjustment>;

export const orgSettings = org
  .extend({
    reviewStories: z.boolean().describe('True if stories need approval before publication.'),
    editorsNeedSecondFactor: z.boolean().describe('True if its roles require a second step at login.'),
    canChangeTimeZone: z.boolean().describe('False once a month of the books is closed.'),
    adjustments: z.array(adjustment).describe('The latest adjustments, newest first.'),
  })
  .meta({ id: 'OrgSettings', description: 'An organization for its editors.' });

export type OrgSettings = z.infer<typeof orgSettings>;

/** Larger than any fund's amounts, and still exact in the ledger's units. */
const MAX_AMOUNT = 1_000_000_000;
/** Pounds and gallons with at most 4 decimals, dollars in whole cents, whole grants. */
const createAmountsSchema = (minimum: number) =>
  z
    .strictObject({
      co2: z.number().min(minimum).max(MAX_AMOUNT).multipleOf(0.0001),
      gas: z.number().min(minimum).max(MAX_AMOUNT).multipleOf(0.0001),
      funds: z.number().min(minimum).max(MAX_AMOUNT).multipleOf(0.01, 'Dollars may have at most 2 decimals.'),
      grants: z.number().int().min(minimum).max(MAX_AMOUNT),
    })
    .partial();

// Longer than the limits, so that our own checks, not the schema, reject text that is too long.
const slug = z.string().max(MAX_SLUG_LENGTH * 10);
const name = printableText(MAX_NAME_LENGTH * 20);
const tag = printableText(MAX_TAG_LENGTH * 20);
const place = printableText(MAX_NAME_LENGTH * 20);

const timeZone = z.string().max(100).describe('A name of the IANA database, such as America/New_York.');

export const MAX_SETTINGS_REASON_LENGTH = 500;

const settings = z.strictObject({
  slug: slug.optional().describe('Only admins can change it. Editors may send the current one.'),
  name: name.optional(),
  tag: tag.optional(),
  statsDelta: createAmountsSchema(-MAX_AMOUNT).optional(),
  noAwardees: z.boolean().optional(),
  takesApplications: z.boolean().optional(),
  reviewStories: z.boolean().optional(),
  editorsNeedSecondFactor: z.boolean().optional(),
  timeZone: timeZone.optional(),
  place: place.optional().describe('Empty to remove it.'),
  typicalGrant: z
    .number()
    .min(1)
    .max(MAX_AMOUNT)
    .multipleOf(0.01, 'Dollars may have at most 2 decimals.')
    .nullable()
    .optional(),
});

export type EditableSettings = z.infer<typeof settings>;

export const orgEdit = settings
  .extend({
    baseSettings: settings
      .optional()
      .describe(
        'The settings as displayed. If someone else has changed one of the edited settings since, nothing is saved.',
      ),
    stats: createAmountsSchema(0).optional().describe('Posts the difference to the ledger.'),
    previousStats: stats
      .partial()
      .strict()
      .optional()
      .describe('The stats as displayed. If they have changed since, nothing is saved.'),
    reason: printableText(MAX_SETTINGS_REASON_LENGTH).optional(),
    statsUpdatedTimestamp: z
      .unknown()
      .optional()
      .describe("Part of §7's payload, but ignored: the server sets the time."),
  })
  .meta({ id: 'OrgEdit', description: 'Changes; omitted fields stay the same.' });

export type OrgEdit = z.infer<typeof orgEdit>;

export const newOrg = z
  .strictObject({
    name,
    slug,
    tag,
    place: place.optional(),
    timeZone: timeZone.optional(),
    email: printableText(MAX_EMAIL_LENGTH * 2),
  })
  .meta({ id: 'NewOrg', description: 'A new organization, and the email of its first editor.' });

export type NewOrg = z.infer<typeof newOrg>;

const orgParams = z.strictObject({ orgid: orgId });

export const orgCalls = {
  readOrgs: {
    summary: 'List organizations',
    query: page.extend({ slug: z.string().max(100).optional() }),
    response: z.array(org),
  },
  readOrg: { summary: 'Read an organization with its public totals', params: orgParams, response: org },
  createOrg: {
    summary: 'Create an organization and invite its first editor',
    body: newOrg,
    response: z.object({ id }),
  },
  readOrgSettings: { summary: "Read an organization's settings", params: orgParams, response: orgSettings },
  editOrg: {
    summary: "Change an organization's settings, address, or totals",
    params: orgParams,
    body: orgEdit,
    response: org,
  },
  replaceHeader: {
    summary: "Replace an organization's header photo",
    description: 'The header photo is the multipart file `file`.',
    params: orgParams,
    form: z.strictObject({}),
    file: 'required',
    response: z.object({ photoURL: z.string() }),
  },
  removeHeader: { summary: "Remove an organization's header photo", params: orgParams, response: z.object({}) },
  waitForChange: {
    summary: "Wait until an organization's public content changes",
    description:
      'Responds once the version is above `since`, or after `wait` seconds with the current one (long polling).',
    params: orgParams,
    query: z.strictObject({
      since: z.coerce.number().int().min(0).default(0),
      wait: z.coerce.number().int().min(LONG_POLL_SECONDS.minimum).max(LONG_POLL_SECONDS.maximum).default(25),
    }),
    response: z.object({ version: z.number().int() }),
  },
} as const;
